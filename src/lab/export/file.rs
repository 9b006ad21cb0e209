//! The file of an export: JSON Lines, plain or compressed, or Parquet. It gets its name when it is whole; one that is not
//! is removed.

use crate::lab::export::kind::Kind;
#[cfg(feature = "parquet")]
use crate::lab::export::parquet::Parquet;
use crate::lab::report::files::{rename_onto_nothing, sync_parent};
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use zstd::stream::write::Encoder;

/// A file that gets its name when it is whole; one that is not is removed.
pub struct Output {
    file: PathBuf,
    partial: PathBuf,
    sink: Option<Sink>,
}

/// How lines are written.
enum Sink {
    Plain(BufWriter<File>),
    Packed(Box<Encoder<'static, BufWriter<File>>>),
    #[cfg(feature = "parquet")]
    Columns(Box<Parquet>),
}

/// The form that the name of a file asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Packed,
    Columns,
}

impl Form {
    fn of(file: &Path) -> Result<Form> {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let endings =
            [(".jsonl", Form::Plain), (".jsonl.zst", Form::Packed), (".parquet", Form::Columns)];
        let form = endings
            .iter()
            .find(|(ending, _)| name.as_ref().is_some_and(|name| name.ends_with(ending)));
        let Some(&(_, form)) = form else {
            bail!(
                "`{}` has no known ending; write a name that ends in .jsonl, .jsonl.zst or .parquet",
                file.display()
            );
        };
        ensure!(
            form != Form::Columns || cfg!(feature = "parquet"),
            "this program was built without Parquet; build it with `cargo build --release --features parquet`, or \
             write a name that ends in .jsonl.zst"
        );
        Ok(form)
    }
}

impl Output {
    /// Creates a file for lines of these columns.
    ///
    /// # Errors
    /// If its name has another ending or is taken, or it can't be created.
    pub fn create(file: &Path, columns: &[(String, Kind)]) -> Result<Output> {
        let form = Form::of(file)?;
        if fs::symlink_metadata(file).is_ok() {
            bail!("`{}` is there already; it is not replaced", file.display());
        }
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = file.with_file_name(name);
        let created = File::create_new(&partial).map(BufWriter::new);
        let created = created.with_context(|| {
            let taken = if partial.exists() { "; remove what an earlier export left" } else { "" };
            format!("can't create `{}`{taken}", partial.display())
        })?;
        let mut output = Output { file: file.to_owned(), partial, sink: None };
        output.sink = Some(match form {
            Form::Plain => Sink::Plain(created),
            Form::Packed => Sink::Packed(Box::new(Encoder::new(created, 3)?)),
            Form::Columns => Output::columns(created, columns)?,
        });
        Ok(output)
    }

    #[cfg(feature = "parquet")]
    fn columns(file: BufWriter<File>, columns: &[(String, Kind)]) -> Result<Sink> {
        Ok(Sink::Columns(Box::new(Parquet::new(file, columns)?)))
    }

    #[cfg(not(feature = "parquet"))]
    fn columns(_: BufWriter<File>, _: &[(String, Kind)]) -> Result<Sink> {
        bail!("this program was built without Parquet")
    }

    /// Writes lines, each an object with all columns, or the next piece of them.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn write(&mut self, lines: &[u8]) -> Result<()> {
        let sink = self.sink.as_mut().expect("it is not finished");
        let written = match sink {
            Sink::Plain(file) => file.write_all(lines).map_err(anyhow::Error::from),
            Sink::Packed(file) => file.write_all(lines).map_err(anyhow::Error::from),
            #[cfg(feature = "parquet")]
            Sink::Columns(file) => file.write(lines),
        };
        written.with_context(|| format!("can't write `{}`", self.partial.display()))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// If it can't be written, or its name was taken meanwhile.
    pub fn finish(mut self) -> Result<()> {
        let sink = self.sink.take().expect("it is not finished");
        let flushed = || -> Result<()> {
            let file = match sink {
                Sink::Plain(file) => file,
                Sink::Packed(file) => file.finish()?,
                #[cfg(feature = "parquet")]
                Sink::Columns(file) => file.finish()?,
            };
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            rename_onto_nothing(&self.partial, &self.file)?;
            Ok(sync_parent(&self.file)?)
        };
        flushed().with_context(|| format!("can't write `{}`", self.file.display()))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.sink = None;
        // After the rename there is none.
        let _ = fs::remove_file(&self.partial);
    }
}
