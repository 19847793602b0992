//! An adaptive range coder whose every byte is fixed by SPEC.md.

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

/// Learns how often a bit is false.
#[derive(Clone, Debug, Default)]
pub struct BitModel {}

impl BitModel {
    pub fn new() -> Self {
        BitModel {}
    }
}

/// Counts how often each of some symbols came.
#[derive(Clone, Debug)]
pub struct SymbolModel {
    symbols: usize,
}

impl SymbolModel {
    /// A model of the symbols 0 to `symbols` − 1; none unless there are 1 to 1024.
    pub fn new(symbols: usize) -> Option<Self> {
        Some(SymbolModel { symbols })
    }

    /// How many symbols it has.
    pub fn symbols(&self) -> usize {
        self.symbols
    }
}

#[derive(Clone, Debug, Default)]
pub struct Encoder {}

impl Encoder {
    pub fn new() -> Self {
        Encoder {}
    }

    pub fn bit(&mut self, _model: &mut BitModel, _bit: bool) {}

    /// # Panics
    /// When the model has no such symbol.
    pub fn symbol(&mut self, _model: &mut SymbolModel, _symbol: usize) {}

    pub fn direct(&mut self, _value: u32, _bits: u32) {}

    pub fn finish(self) -> Vec<u8> {
        Vec::new()
    }
}

#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    _input: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub fn new(input: &'a [u8]) -> Result<Self, Error> {
        Ok(Decoder { _input: input })
    }

    pub fn bit(&mut self, _model: &mut BitModel) -> Result<bool, Error> {
        Err(Error::BadCode)
    }

    pub fn symbol(&mut self, _model: &mut SymbolModel) -> Result<usize, Error> {
        Err(Error::BadCode)
    }

    pub fn direct(&mut self, _bits: u32) -> Result<u32, Error> {
        Err(Error::BadCode)
    }

    pub fn finish(self) -> Result<(), Error> {
        Err(Error::Tail)
    }
}

/// Packs at most 2³² − 1 bytes.
pub fn compress(_data: &[u8]) -> Vec<u8> {
    Vec::new()
}

/// Unpacks at most `limit` bytes.
pub fn decompress(_packed: &[u8], _limit: usize) -> Result<Vec<u8>, Error> {
    Err(Error::Header)
}
