//! An adaptive range coder whose every byte is fixed by SPEC.md.

mod decoder;
mod encoder;
mod models;
mod pack;
mod tail;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use models::{BitModel, SymbolModel};
pub use pack::{compress, decompress};

/// What is wrong with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Packed data does not begin as it has to.
    Header,
    /// Packed data says that it holds more than the caller allows.
    TooLong,
    /// A number that no encoder writes.
    BadCode,
    /// The data is not what was packed.
    Checksum,
    /// The stream does not end as an encoder ends it.
    Tail,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Error::Header => "the header is wrong",
            Error::TooLong => "longer than allowed",
            Error::BadCode => "a code that no encoder writes",
            Error::Checksum => "the checksum differs",
            Error::Tail => "the stream ends wrongly",
        })
    }
}

impl std::error::Error for Error {}

/// A range narrower than this takes in, or gives out, another byte.
const NARROW: u32 = 1 << 24;

/// Where an encoder and a decoder begin.
const WHOLE: u32 = u32::MAX;

/// The most bits of a number that are coded in one step.
const DIRECT_STEP: u32 = 16;
