//! Lines of JSON as a Parquet file, packed by zstd. Rows are given to the writer in batches of one size, so the file does
//! not depend on how lines arrive.

use crate::lab::export::kind::Kind;
use anyhow::Result;
use arrow_json::reader::{Decoder, ReaderBuilder};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

/// Rows of a batch.
const BATCH: usize = 1024;
/// Rows of a row group.
const GROUP: usize = 64 * BATCH;

/// A file that is being written.
pub struct Parquet {
    decoder: Decoder,
    writer: ArrowWriter<BufWriter<File>>,
}

impl Parquet {
    /// A file with these columns; any cell may be empty.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn new(file: BufWriter<File>, columns: &[(String, Kind)]) -> Result<Parquet> {
        let fields: Vec<Field> =
            columns.iter().map(|(name, kind)| Field::new(name, data_type(*kind), true)).collect();
        let schema = Arc::new(Schema::new(fields));
        let decoder = ReaderBuilder::new(schema.clone()).with_batch_size(BATCH).build_decoder()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_max_row_group_row_count(Some(GROUP))
            .set_created_by("fairhaven".to_owned())
            .build();
        let writer = ArrowWriter::try_new(file, schema, Some(properties))?;
        Ok(Parquet { decoder, writer })
    }

    /// Writes lines, or the next piece of them.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn write(&mut self, mut lines: &[u8]) -> Result<()> {
        while !lines.is_empty() {
            let read = self.decoder.decode(lines)?;
            lines = &lines[read..];
            // It stops in the middle when a batch is full.
            if !lines.is_empty() {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is left, and the footer.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn finish(mut self) -> Result<BufWriter<File>> {
        self.flush()?;
        Ok(self.writer.into_inner()?)
    }

    fn flush(&mut self) -> Result<()> {
        if let Some(batch) = self.decoder.flush()? {
            self.writer.write(&batch)?;
        }
        Ok(())
    }
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Whole => DataType::Int64,
        Kind::Single => DataType::Float32,
        Kind::Number => DataType::Float64,
        Kind::Text => DataType::Utf8,
        Kind::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
        Kind::Flag => DataType::Boolean,
    }
}
