//! Reads the pages of a column and unpacks them within bounds.
//!
//! `Pages` declares every page uncompressed to the `parquet` crate, so that the crate returns pages as they lie in the
//! file. `Pages` then unpacks them with the decoders that other formats use already, and never to more bytes than their
//! values can take.

use super::delta;
use ::parquet::{
    basic::{Compression, Encoding, Type},
    column::page::{Page, PageMetadata, PageReader},
    errors::{ParquetError, Result},
    file::{metadata::ColumnChunkMetaData, serialized_reader::SerializedPageReader},
};
use bytes::Bytes;
use std::{io::Read, sync::Arc};

/// Bytes that a page of numbers may take in addition to 16 bytes per value; a generous bound.
const SLACK: usize = 1 << 16;
/// Largest size of a page, which the format stores in 31 bits.
const MAX_PAGE: usize = i32::MAX as usize;

/// Reads the pages of one column of one row group.
pub(super) struct Pages {
    inner: SerializedPageReader<Bytes>,
    compression: Compression,
    kind: Type,
    /// True if the column has definition levels, which say which values are null.
    is_nullable: bool,
    /// Number of rows of the row group; no data page has more values.
    rows: usize,
}

fn broken<T>(problem: impl Into<String>) -> Result<T> {
    Err(ParquetError::General(problem.into()))
}

/// Returns true if this module can unpack pages with this compression.
pub(super) fn is_known(compression: Compression) -> bool {
    use Compression as C;
    matches!(compression, C::UNCOMPRESSED | C::SNAPPY | C::GZIP(_) | C::ZSTD(_))
}

impl Pages {
    pub(super) fn new(data: &Bytes, column: &ColumnChunkMetaData, rows: usize) -> Result<Self> {
        let (compression, kind) = (column.compression(), column.column_type());
        let plain = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        let inner = SerializedPageReader::new(Arc::new(data.clone()), &plain, rows, None)?;
        let is_nullable = column.column_descr().max_def_level() > 0;
        Ok(Self { inner, compression, kind, is_nullable, rows })
    }

    /// Returns the page unpacked, after checking its counts.
    fn unpack(&self, page: Page) -> Result<Page> {
        let values = page.num_values() as usize;
        if values > self.rows && !page.is_dictionary_page() {
            return broken(format!("a page of {values} values in a row group of {} rows", self.rows));
        }
        let limit = match self.kind {
            Type::BYTE_ARRAY => MAX_PAGE,
            _ => values.saturating_mul(16).saturating_add(SLACK).min(MAX_PAGE),
        };
        let unpack = |buf: Bytes, keep: usize| self.inflate(buf, keep, limit);
        Ok(match page {
            Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, .. } => {
                let buf = unpack(buf, 0)?;
                self.check(self.after_levels(&buf), values, encoding)?;
                let statistics = None;
                Page::DataPage {
                    buf,
                    num_values,
                    encoding,
                    def_level_encoding,
                    rep_level_encoding,
                    statistics,
                }
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                let levels = (def_levels_byte_len as usize).saturating_add(rep_levels_byte_len as usize);
                let buf = if is_compressed { unpack(buf, levels)? } else { buf };
                self.check(buf.get(levels..).unwrap_or_default(), values, encoding)?;
                Page::DataPageV2 {
                    buf,
                    num_values,
                    encoding,
                    num_nulls,
                    num_rows,
                    def_levels_byte_len,
                    rep_levels_byte_len,
                    is_compressed: false,
                    statistics: None,
                }
            }
            Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
                let buf = unpack(buf, 0)?;
                let shortest = if matches!(self.kind, Type::INT64 | Type::DOUBLE) { 8 } else { 4 };
                if values > buf.len() / shortest {
                    return broken(format!("a dictionary of {values} values in {} bytes", buf.len()));
                }
                Page::DictionaryPage { buf, num_values, encoding, is_sorted }
            }
        })
    }

    /// Unpacks the bytes after the first `keep`, to at most `limit` bytes.
    fn inflate(&self, buf: Bytes, keep: usize, limit: usize) -> Result<Bytes> {
        if self.compression == Compression::UNCOMPRESSED {
            return Ok(buf);
        }
        let Some((kept, packed)) = buf.split_at_checked(keep) else {
            return broken("a page is shorter than its levels");
        };
        let mut out = kept.to_vec();
        // A page without values may have nothing to unpack.
        if !packed.is_empty() {
            let size = keep.saturating_add(limit);
            match self.compression {
                Compression::SNAPPY => unsnap(packed, &mut out, limit)?,
                Compression::GZIP(_) => drain(flate2::read::MultiGzDecoder::new(packed), &mut out, size)?,
                Compression::ZSTD(_) => unzstd(packed, &mut out, size)?,
                other => return broken(format!("pages compressed with {other} are not read")),
            }
        }
        Ok(out.into())
    }

    /// Returns an error if encoded texts claim to be more than `values`: the decoder allocates room for as many as they
    /// claim.
    fn check(&self, data: &[u8], values: usize, encoding: Encoding) -> Result<()> {
        let promised = match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => delta::end(data, values).map(drop),
            Encoding::DELTA_BYTE_ARRAY => {
                delta::end(data, values).and_then(|end| delta::end(data.get(end..)?, values)).map(drop)
            }
            _ => Some(()),
        };
        promised.map_or_else(|| broken("the lengths of texts do not fit their page"), Ok)
    }

    /// Returns the bytes after the definition levels of a page of version 1.
    fn after_levels<'b>(&self, data: &'b [u8]) -> &'b [u8] {
        if !self.is_nullable {
            return data;
        }
        let len = data.first_chunk::<4>().map_or(0, |len| u32::from_le_bytes(*len) as usize);
        data.get(len.saturating_add(4)..).unwrap_or_default()
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;
    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.inner.get_next_page()?.map(|page| self.unpack(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}

fn unsnap(packed: &[u8], out: &mut Vec<u8>, limit: usize) -> Result<()> {
    let broken = |e: snap::Error| ParquetError::General(format!("snappy: {e}"));
    let size = snap::raw::decompress_len(packed).map_err(broken)?;
    // In snappy, three bytes unpack to at most 64, so 32 per byte is a safe bound.
    if size > limit || size / 32 > packed.len() {
        return self::broken(format!("a page of {} bytes cannot unpack to {size}", packed.len()));
    }
    let kept = out.len();
    out.resize(kept + size, 0);
    snap::raw::Decoder::new().decompress(packed, &mut out[kept..]).map_err(broken).map(drop)
}

fn unzstd(packed: &[u8], out: &mut Vec<u8>, size: usize) -> Result<()> {
    let broken = |e: &dyn std::fmt::Display| ParquetError::General(format!("zstd: {e}"));
    let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|e| broken(&e))?;
    drain(decoder, out, size)
}

/// Appends everything in `from` to `out`, or returns an error if `out` gets longer than `size` bytes.
fn drain(from: impl Read, out: &mut Vec<u8>, size: usize) -> Result<()> {
    let room = size.saturating_sub(out.len()) as u64;
    let read = from.take(room.saturating_add(1)).read_to_end(out);
    read.map_err(|e| ParquetError::General(format!("a page is damaged: {e}")))?;
    if out.len() > size { broken(format!("a page unpacks to more than {size} bytes")) } else { Ok(()) }
}
