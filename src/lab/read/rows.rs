//! The rows of a run, read as it wrote them.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::RowForm;
use crate::lab::report::rows;
use crate::lab::store::manifests::manifest_of;
use anyhow::{Context, Result, ensure};
use csv::{Reader, StringRecord};
use std::io::Read;
use std::path::Path;

/// The rows of a run that has ended.
pub struct Rows<'a> {
    run: &'a Path,
    form: RowForm,
    reader: Reader<Box<dyn Read>>,
    /// How many matches were played, each of which has a row.
    pub matches: u64,
}

impl Rows<'_> {
    /// The rows in the directory of a run.
    ///
    /// # Errors
    /// If it has none, is not complete, or they can't be read or are not what it wrote.
    pub fn of<'a>(catalogue: &Catalogue, run: &'a Path) -> Result<Rows<'a>> {
        let manifest = manifest_of(catalogue, run)?;
        let form = catalogue.question(&manifest.question)?.rows();
        let form = form.context("it has no rows; play it with --rows csv or --rows zst")?;
        ensure!(manifest.played.complete, "it is not complete; resume it first");
        let bytes: Box<dyn Read> = Box::new(rows::open_listed(run, form, &manifest)?);
        let reader = Reader::from_reader(bytes);
        Ok(Rows { run, form, reader, matches: manifest.played.matches })
    }

    /// The names of the columns.
    ///
    /// # Errors
    /// If they can't be read.
    pub fn header(&mut self) -> Result<StringRecord> {
        let (run, form) = (self.run, self.form);
        Ok(self.reader.headers().with_context(|| rows::damaged(run, form))?.clone())
    }

    /// Reads the next row, and says whether there was one.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(&mut self, row: &mut StringRecord) -> Result<bool> {
        self.reader.read_record(row).with_context(|| self.damaged())
    }

    /// Says that they are damaged.
    pub fn damaged(&self) -> String {
        rows::damaged(self.run, self.form)
    }
}
