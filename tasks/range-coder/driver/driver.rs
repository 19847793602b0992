//! Our program around the deliverable; speaks the protocol of docs/perf.md. The case's first byte says what is asked; then, for
//! operations 0 to 3, questions follow, each with its size (4 bytes) before it:
//!
//!   0  encode. Models: how many for bits (1), how many for symbols (1), of each of these the number of symbols (2). Then decisions:
//!      0 bit: model (1), value (1) · 1 symbol: model (1), value (2) · 2 number: bits (1), value (4) · 3 finish, and begin anew with
//!      the same models. Answer: of each finished stream its size (4) and bytes; what is not allowed answers REFUSED (1) and ends the question.
//!   1  decode. Models as above, size of the stream (4), the stream, then decisions: 0 bit: model (1) · 1 symbol: model (1) ·
//!      2 number: bits (1) · 3 finish. Answer: the status of `new` (1), then of each decision its status (1) and, when that is 0 and it
//!      is not the finish, its value (4). An error ends the question.
//!   2  compress. The question is the data. Answer: size (4) and bytes.
//!   3  decompress. Limit (4), packed data. Answer: status (1), size (4), data.
//!   4  work for the clock: encoding. Content: a seed (8). The state turns some of the decisions of each iteration over.
//!   5  work for the clock: decoding. Content: a seed (8). The state changes some bytes of each message of each iteration.
//!      Answers of 4 and 5: 8 bytes that hang on everything that was done.
//!
//! Numbers are unsigned, the least significant byte first. Status 0 is success, 1 to 5 the errors in the order of their declaration.

use range_coder::{compress, decompress, BitModel, Decoder, Encoder, Error, SymbolModel};
use std::io::{stdin, stdout, Read, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;

const REFUSED: u8 = 0xff;

/// Reads numbers and bytes from the front of a question; one of ours that is too short ends the driver.
struct Question<'a>(&'a [u8]);

impl<'a> Question<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        if self.0.len() < count {
            exit(3);
        }
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn number(&mut self, bytes: usize) -> u32 {
        self.bytes(bytes).iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    }

    fn index(&mut self) -> usize {
        self.number(1) as usize
    }

    fn sized(&mut self) -> &'a [u8] {
        let size = self.number(4) as usize;
        self.bytes(size)
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// None when the deliverable takes one of the sizes for wrong.
    fn models(&mut self) -> Option<(Vec<BitModel>, Vec<SymbolModel>)> {
        let (bits, symbols) = (self.index(), self.index());
        let sizes: Vec<usize> = (0..symbols).map(|_| self.number(2) as usize).collect();
        let models = sizes.into_iter().map(|size| SymbolModel::new(size).filter(|model| model.symbols() == size));
        Some((vec![BitModel::new(); bits], models.collect::<Option<_>>()?))
    }
}

fn put(answer: &mut Vec<u8>, bytes: &[u8]) {
    answer.extend((bytes.len() as u32).to_le_bytes());
    answer.extend(bytes);
}

fn status(error: Error) -> u8 {
    match error {
        Error::Header => 1,
        Error::TooLong => 2,
        Error::BadCode => 3,
        Error::Checksum => 4,
        Error::Tail => 5,
    }
}

fn encode(question: &mut Question, answer: &mut Vec<u8>) {
    let (mut bits, mut symbols) = match question.models() {
        Some(models) => models,
        None => return answer.push(REFUSED),
    };
    let mut encoder = Encoder::new();
    while !question.is_over() {
        match question.index() {
            0 => {
                let model = question.index();
                encoder.bit(&mut bits[model], question.number(1) == 1);
            }
            1 => {
                let (model, symbol) = (question.index(), question.number(2) as usize);
                let done = catch_unwind(AssertUnwindSafe(|| encoder.symbol(&mut symbols[model], symbol)));
                if done.is_err() {
                    answer.push(REFUSED);
                }
            }
            2 => {
                let width = question.number(1);
                encoder.direct(question.number(4), width);
            }
            _ => put(answer, &std::mem::take(&mut encoder).finish()),
        }
    }
}

fn decode(question: &mut Question, answer: &mut Vec<u8>) {
    if let Err(error) = try_decode(question, answer) {
        answer.push(status(error));
    }
}

fn try_decode(question: &mut Question, answer: &mut Vec<u8>) -> Result<(), Error> {
    let (mut bits, mut symbols) = match question.models() {
        Some(models) => models,
        None => {
            answer.push(REFUSED);
            return Ok(());
        }
    };
    let mut decoder = Decoder::new(question.sized())?;
    answer.push(0);
    while !question.is_over() {
        let value = match question.index() {
            0 => u32::from(decoder.bit(&mut bits[question.index()])?),
            1 => decoder.symbol(&mut symbols[question.index()])? as u32,
            2 => decoder.direct(question.number(1))?,
            _ => {
                decoder.finish()?;
                answer.push(0);
                return Ok(());
            }
        };
        answer.push(0);
        answer.extend(value.to_le_bytes());
    }
    Ok(())
}

fn unpack(question: &mut Question, answer: &mut Vec<u8>) {
    let limit = question.number(4) as usize;
    let (status, data) = match decompress(question.0, limit) {
        Ok(data) => (0, data),
        Err(error) => (status(error), Vec::new()),
    };
    answer.push(status);
    put(answer, &data);
}

fn answer_questions(operation: u8, mut content: Question) -> Vec<u8> {
    let mut answer = Vec::new();
    while !content.is_over() {
        let mut question = Question(content.sized());
        match operation {
            0 => encode(&mut question, &mut answer),
            1 => decode(&mut question, &mut answer),
            2 => put(&mut answer, &compress(question.0)),
            _ => unpack(&mut question, &mut answer),
        }
    }
    answer
}

fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Random numbers for the work that is timed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }
}

#[derive(Clone, Copy)]
enum Decision {
    Bit { model: u8, value: bool },
    Symbol { model: u8, value: u16 },
    Number { bits: u8, value: u16 },
}

const BIT_MODELS: u64 = 64;
const SYMBOLS: [u64; 4] = [12, 40, 96, 256];

/// Of ten decisions six are bits, three symbols, one a number.
fn decisions(random: &mut Random, count: usize) -> Vec<Decision> {
    (0..count)
        .map(|_| match random.below(10) {
            0..=5 => {
                let model = random.below(BIT_MODELS);
                Decision::Bit { model: model as u8, value: random.below(BIT_MODELS) < model }
            }
            6..=8 => {
                let model = random.below(4);
                let most = 1 + random.below(SYMBOLS[model as usize]);
                Decision::Symbol { model: model as u8, value: random.below(most) as u16 }
            }
            _ => Decision::Number { bits: 1 + random.below(16) as u8, value: random.next() as u16 },
        })
        .collect()
}

fn fresh_models() -> (Vec<BitModel>, Vec<SymbolModel>) {
    let symbols = SYMBOLS.iter().flat_map(|&size| SymbolModel::new(size as usize));
    (vec![BitModel::new(); BIT_MODELS as usize], symbols.collect())
}

fn fold(state: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(mix(state.wrapping_add(bytes.len() as u64)), |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(state ^ u64::from_le_bytes(word)).wrapping_add(1)
    })
}

/// One long message.
fn work_encoding(seed: u64, iterations: u32, mut state: u64) -> u64 {
    let plan = decisions(&mut Random(seed), 50_000);
    for _ in 0..iterations {
        let (mut bits, mut symbols) = fresh_models();
        let mut encoder = Encoder::new();
        for (at, &decision) in plan.iter().enumerate() {
            match decision {
                Decision::Bit { model, value } => {
                    let turned = at % 8 == 0 && state >> (at / 8 % 64) & 1 == 1;
                    encoder.bit(&mut bits[usize::from(model)], value ^ turned);
                }
                Decision::Symbol { model, value } => {
                    encoder.symbol(&mut symbols[usize::from(model)], usize::from(value));
                }
                Decision::Number { bits, value } => encoder.direct(u32::from(value), u32::from(bits)),
            }
        }
        state = fold(state, &encoder.finish());
    }
    state
}

/// Messages of a few thousand decisions, each with models of its own: what is read is random, and every stream can be decoded.
fn work_decoding(seed: u64, iterations: u32, mut state: u64) -> u64 {
    const MESSAGES: usize = 12;
    let mut random = Random(seed);
    let plan = decisions(&mut random, 4000);
    let mut messages: Vec<Vec<u8>> =
        (0..MESSAGES).map(|_| (0..6000).map(|_| random.next() as u8).collect()).collect();
    for _ in 0..iterations {
        for message in &mut messages {
            for place in 0..64 {
                message[place * 90 + (state >> place & 63) as usize] ^= (state >> (place % 57)) as u8;
            }
            state = decode_message(&plan, message, state);
        }
    }
    state
}

fn decode_message(plan: &[Decision], message: &[u8], mut state: u64) -> u64 {
    let (mut bits, mut symbols) = fresh_models();
    let mut decoder = match Decoder::new(message) {
        Ok(decoder) => decoder,
        Err(_) => return mix(state.wrapping_add(1)),
    };
    for &decision in plan {
        let value = match decision {
            Decision::Bit { model, .. } => decoder.bit(&mut bits[usize::from(model)]).map(u64::from),
            Decision::Symbol { model, .. } => {
                decoder.symbol(&mut symbols[usize::from(model)]).map(|symbol| symbol as u64)
            }
            // One bit: of a random stream more could be a code that no encoder writes.
            Decision::Number { .. } => decoder.direct(1).map(u64::from),
        };
        let read = match value {
            Ok(value) => value,
            Err(_) => return mix(state.wrapping_add(2)),
        };
        state = (state.rotate_left(9) ^ read).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    mix(state ^ u64::from(decoder.finish().is_ok()))
}

fn say(word: u8, content: &[u8]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(&[word])?;
    out.write_all(&(content.len() as u32).to_le_bytes())?;
    out.write_all(content)?;
    out.flush()
}

fn main() -> std::io::Result<()> {
    let mut content = Vec::new();
    loop {
        let mut head = [0u8; 5];
        stdin().read_exact(&mut head)?;
        let mut message = vec![0; Question(&head[1..]).number(4) as usize];
        stdin().read_exact(&mut message)?;
        match head[0] {
            b'C' => {
                content = message;
                say(b'R', b"")?;
            }
            b'G' => {
                let mut order = Question(&message);
                let iterations = order.number(4);
                let (operation, rest) = match content.split_first() {
                    Some((&operation, rest)) => (operation, rest),
                    None => exit(3),
                };
                if operation < 4 {
                    say(b'D', &answer_questions(operation, Question(rest)))?;
                    continue;
                }
                let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or([0; 8]));
                let (seed, salt) = (word(rest), word(order.0));
                let work = if operation == 4 { work_encoding } else { work_decoding };
                say(b'D', &work(seed, iterations, mix(salt)).to_le_bytes())?;
            }
            _ => return Ok(()),
        }
    }
}
