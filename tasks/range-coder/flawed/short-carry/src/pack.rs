use crate::{BitModel, Decoder, Encoder, Error, SymbolModel};

const MARK: u8 = 0x52;

/// What is known of a byte before it is coded: the one before it decides.
struct Context {
    same: Vec<BitModel>,
    high: Vec<SymbolModel>,
    low: Vec<BitModel>,
}

impl Context {
    fn new() -> Self {
        Context {
            same: vec![BitModel::new(); 256],
            high: vec![SymbolModel::new(16).expect("16 symbols are allowed"); 16],
            low: vec![BitModel::new(); 256],
        }
    }

    fn encode(&mut self, encoder: &mut Encoder, before: u8, byte: u8) {
        encoder.bit(&mut self.same[usize::from(before)], byte == before);
        if byte == before {
            return;
        }
        let high = usize::from(byte >> 4);
        encoder.symbol(&mut self.high[usize::from(before >> 4)], high);
        let mut node = 1;
        for place in (0..4).rev() {
            let bit = (byte >> place) & 1 == 1;
            encoder.bit(&mut self.low[high * 16 + node], bit);
            node = node * 2 + usize::from(bit);
        }
    }

    fn decode(&mut self, decoder: &mut Decoder, before: u8) -> Result<u8, Error> {
        if decoder.bit(&mut self.same[usize::from(before)])? {
            return Ok(before);
        }
        let high = decoder.symbol(&mut self.high[usize::from(before >> 4)])?;
        let mut node = 1;
        while node < 16 {
            let bit = decoder.bit(&mut self.low[high * 16 + node])?;
            node = node * 2 + usize::from(bit);
        }
        let byte = (high * 16 + node - 16) as u8;
        if byte == before {
            return Err(Error::BadCode);
        }
        Ok(byte)
    }
}

/// Packs at most 2³² − 1 bytes.
pub fn compress(data: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut context = Context::new();
    let mut before = 0;
    for &byte in data {
        context.encode(&mut encoder, before, byte);
        before = byte;
    }
    encoder.direct(checksum(data), 32);
    let mut packed = vec![MARK];
    write_length(&mut packed, data.len() as u32);
    packed.extend(encoder.finish());
    packed
}

/// Unpacks at most `limit` bytes.
pub fn decompress(packed: &[u8], limit: usize) -> Result<Vec<u8>, Error> {
    let (length, stream) = read_header(packed).ok_or(Error::Header)?;
    if length as usize > limit {
        return Err(Error::TooLong);
    }
    let mut decoder = Decoder::new(stream)?;
    let mut context = Context::new();
    let mut data = Vec::new();
    let mut before = 0;
    for _ in 0..length {
        before = context.decode(&mut decoder, before)?;
        data.push(before);
    }
    if decoder.direct(32)? != checksum(&data) {
        return Err(Error::Checksum);
    }
    decoder.finish()?;
    Ok(data)
}

/// FNV-1a of 32 bits.
fn checksum(data: &[u8]) -> u32 {
    data.iter().fold(0x811c_9dc5, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn write_length(to: &mut Vec<u8>, length: u32) {
    let mut left = length;
    while left >= 0x80 {
        to.push(left as u8 | 0x80);
        left >>= 7;
    }
    to.push(left as u8);
}

/// The length and what follows it; none where the header is not one that `compress` writes.
fn read_header(packed: &[u8]) -> Option<(u32, &[u8])> {
    let (&mark, rest) = packed.split_first()?;
    let end = rest.iter().take(5).position(|&byte| byte < 0x80)?;
    let length = rest[..=end]
        .iter()
        .rev()
        .fold(0u64, |length, &byte| (length << 7) | u64::from(byte & 0x7f));
    let is_shortest = end == 0 || rest[end] != 0;
    if mark != MARK || !is_shortest {
        return None;
    }
    Some((u32::try_from(length).ok()?, &rest[end + 1..]))
}
