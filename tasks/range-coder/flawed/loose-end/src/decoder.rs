use crate::models::PROBABILITY_BITS;
use crate::{tail, BitModel, Error, SymbolModel, DIRECT_STEP, NARROW, WHOLE};

/// Reads decisions from a stream. Behind its end it reads zeros.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    input: &'a [u8],
    at: usize,
    /// The last four bytes that were read, as a number.
    window: u32,
    /// How far the stream's number lies above the encoder's `low`; below `range`.
    code: u32,
    range: u32,
}

impl<'a> Decoder<'a> {
    pub fn new(input: &'a [u8]) -> Result<Self, Error> {
        let mut decoder = Decoder { input, at: 0, window: 0, code: 0, range: WHOLE };
        for _ in 0..4 {
            decoder.read();
        }
        if decoder.code >= decoder.range {
            return Err(Error::BadCode);
        }
        Ok(decoder)
    }

    #[inline]
    pub fn bit(&mut self, model: &mut BitModel) -> Result<bool, Error> {
        let bound = (self.range >> PROBABILITY_BITS) * model.share_of_false();
        let bit = self.code >= bound;
        if bit {
            self.narrow(bound, self.range - bound);
        } else {
            self.narrow(0, bound);
        }
        model.learn(bit);
        Ok(bit)
    }

    #[inline]
    pub fn symbol(&mut self, model: &mut SymbolModel) -> Result<usize, Error> {
        let unit = self.range / model.total();
        let slot = model.slot_at(self.code / unit);
        let offset = unit * slot.before;
        let width = if slot.is_last { self.range - offset } else { unit * slot.count };
        self.narrow(offset, width);
        model.learn(slot.symbol);
        Ok(slot.symbol)
    }

    #[inline]
    pub fn direct(&mut self, bits: u32) -> Result<u32, Error> {
        let mut left = bits.min(32);
        let mut value = 0;
        while left > 0 {
            let step = left.min(DIRECT_STEP);
            left -= step;
            let unit = self.range >> step;
            let part = self.code / unit;
            if part >> step != 0 {
                return Err(Error::BadCode);
            }
            self.narrow(unit * part, unit);
            value = (value << step) | part;
        }
        Ok(value)
    }

    /// Whether the stream is, to the last byte, what an encoder writes for what was read.
    pub fn finish(self) -> Result<(), Error> {
        let low = self.window.wrapping_sub(self.code);
        let is_end = tail::shortest(low, self.range) == u64::from(low) + u64::from(self.code);
        if is_end && self.input[self.at.min(self.input.len())..].iter().all(|&byte| byte == 0) {
            Ok(())
        } else {
            Err(Error::Tail)
        }
    }

    #[inline]
    fn narrow(&mut self, offset: u32, width: u32) {
        self.code -= offset;
        self.range = width;
        while self.range < NARROW {
            self.range <<= 8;
            self.read();
        }
    }

    #[inline]
    fn read(&mut self) {
        let byte = u32::from(self.input.get(self.at).copied().unwrap_or(0));
        self.at = self.at.saturating_add(1);
        self.code = (self.code << 8) | byte;
        self.window = (self.window << 8) | byte;
    }
}
