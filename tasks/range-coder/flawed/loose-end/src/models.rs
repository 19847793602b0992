const FAST: u32 = 4;
const SLOW: u32 = 7;
const ONE: u32 = 1 << 16;

/// How many steps a probability has, as a power of two.
pub(crate) const PROBABILITY_BITS: u32 = 12;

/// Learns how often a bit is false: the mean of a quick and a slow estimate.
#[derive(Clone, Debug)]
pub struct BitModel {
    fast: u32,
    slow: u32,
}

impl BitModel {
    pub fn new() -> Self {
        BitModel { fast: ONE / 2, slow: ONE / 2 }
    }

    /// How often it is false, in steps of 1/4096.
    #[inline]
    pub(crate) fn share_of_false(&self) -> u32 {
        (self.fast + self.slow) >> (17 - PROBABILITY_BITS)
    }

    #[inline]
    pub(crate) fn learn(&mut self, bit: bool) {
        if bit {
            self.fast -= self.fast >> FAST;
            self.slow -= self.slow >> SLOW;
        } else {
            self.fast += (ONE - self.fast) >> FAST;
            self.slow += (ONE - self.slow) >> SLOW;
        }
    }
}

impl Default for BitModel {
    fn default() -> Self {
        BitModel::new()
    }
}

const MOST_SYMBOLS: usize = 1024;
const STEP: u32 = 24;
const MOST_TOTAL: u32 = 1 << 13;

/// Counts how often each of some symbols came.
#[derive(Clone, Debug)]
pub struct SymbolModel {
    counts: Vec<u32>,
    total: u32,
}

/// Where a symbol lies among the counts of a model.
pub(crate) struct Slot {
    pub symbol: usize,
    pub before: u32,
    pub count: u32,
    pub is_last: bool,
}

impl SymbolModel {
    /// A model of the symbols 0 to `symbols` − 1; none unless there are 1 to 1024.
    pub fn new(symbols: usize) -> Option<Self> {
        if symbols == 0 || symbols > MOST_SYMBOLS {
            return None;
        }
        Some(SymbolModel { counts: vec![1; symbols], total: symbols as u32 })
    }

    /// How many symbols it has.
    pub fn symbols(&self) -> usize {
        self.counts.len()
    }

    pub(crate) fn total(&self) -> u32 {
        self.total
    }

    /// # Panics
    /// When there is no such symbol.
    pub(crate) fn slot(&self, symbol: usize) -> Slot {
        assert!(symbol < self.counts.len(), "symbol {symbol} of {}", self.counts.len());
        Slot {
            symbol,
            before: self.counts[..symbol].iter().sum(),
            count: self.counts[symbol],
            is_last: symbol + 1 == self.counts.len(),
        }
    }

    /// The slot that holds a place below the total; the last one for any place behind.
    pub(crate) fn slot_at(&self, place: u32) -> Slot {
        let last = self.counts.len() - 1;
        let mut before = 0;
        for (symbol, &count) in self.counts[..last].iter().enumerate() {
            if place < before + count {
                return Slot { symbol, before, count, is_last: false };
            }
            before += count;
        }
        Slot { symbol: last, before, count: self.counts[last], is_last: true }
    }

    pub(crate) fn learn(&mut self, symbol: usize) {
        self.counts[symbol] += STEP;
        self.total += STEP;
        if self.total > MOST_TOTAL {
            for count in &mut self.counts {
                *count -= *count / 2;
            }
            self.total = self.counts.iter().sum();
        }
    }
}
