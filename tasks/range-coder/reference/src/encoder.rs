use crate::models::PROBABILITY_BITS;
use crate::{tail, BitModel, SymbolModel, DIRECT_STEP, NARROW, WHOLE};

/// Writes decisions as one number of as many bytes as it needs.
#[derive(Clone, Debug)]
pub struct Encoder {
    bytes: Vec<u8>,
    low: u32,
    range: u32,
}

impl Encoder {
    pub fn new() -> Self {
        Encoder { bytes: Vec::new(), low: 0, range: WHOLE }
    }

    #[inline]
    pub fn bit(&mut self, model: &mut BitModel, bit: bool) {
        let bound = (self.range >> PROBABILITY_BITS) * model.share_of_false();
        if bit {
            self.narrow(bound, self.range - bound);
        } else {
            self.narrow(0, bound);
        }
        model.learn(bit);
    }

    /// # Panics
    /// When the model has no such symbol; nothing has changed then.
    #[inline]
    pub fn symbol(&mut self, model: &mut SymbolModel, symbol: usize) {
        let slot = model.slot(symbol);
        let unit = self.range / model.total();
        let offset = unit * slot.before;
        let width = if slot.is_last { self.range - offset } else { unit * slot.count };
        self.narrow(offset, width);
        model.learn(symbol);
    }

    /// The lowest `bits` bits of a number, at most 32, each as likely 0 as 1.
    #[inline]
    pub fn direct(&mut self, value: u32, bits: u32) {
        let mut left = bits.min(32);
        while left > 0 {
            let step = left.min(DIRECT_STEP);
            left -= step;
            let part = (value >> left) & ((1 << step) - 1);
            let unit = self.range >> step;
            self.narrow(unit * part, unit);
        }
    }

    /// The stream: the shortest one that stands for all that was said.
    pub fn finish(mut self) -> Vec<u8> {
        let end = tail::shortest(self.low, self.range);
        if end >> 32 != 0 {
            self.carry();
        }
        self.bytes.extend_from_slice(&(end as u32).to_be_bytes());
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }

    #[inline]
    fn narrow(&mut self, offset: u32, width: u32) {
        let (low, has_carry) = self.low.overflowing_add(offset);
        if has_carry {
            self.carry();
        }
        self.low = low;
        self.range = width;
        while self.range < NARROW {
            self.bytes.push((self.low >> 24) as u8);
            self.low <<= 8;
            self.range <<= 8;
        }
    }

    /// Adds one to the number that was written.
    fn carry(&mut self) {
        for byte in self.bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder::new()
    }
}
