#include "codes.h"

#include <string.h>

static entry entry_of(unsigned length, unsigned extra, enum kind kind, unsigned value) {
  return length | extra << 4 | (unsigned)kind << 8 | value << 16;
}

/* One bit that is no code. */
static entry no_code(void) { return entry_of(1, 0, KIND_INVALID, 0); }

/* Entries of symbols, without the length of their codes. */
static entry length_symbol(unsigned symbol) { return entry_of(0, 0, KIND_LITERAL, symbol); }

static entry literal_symbol(unsigned symbol) {
  static const uint16_t bases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t extras[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                   2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  if (symbol < 256) return entry_of(0, 0, KIND_LITERAL, symbol);
  if (symbol == 256) return entry_of(0, 0, KIND_END, 0);
  if (symbol > 285) return entry_of(0, 0, KIND_INVALID, 0);
  return entry_of(0, extras[symbol - 257], KIND_BASE, bases[symbol - 257]);
}

static entry distance_symbol(unsigned symbol) {
  if (symbol > 29) return entry_of(0, 0, KIND_INVALID, 0);
  if (symbol < 4) return entry_of(0, 0, KIND_BASE, symbol + 1);
  unsigned extra = symbol / 2 - 1;
  return entry_of(0, extra, KIND_BASE, ((2 + symbol % 2) << extra) + 1);
}

/* The next code in canonical order, its bits reversed: the highest bit that is not set is set, those above it cleared. */
static unsigned next_code(unsigned code, unsigned length) {
  unsigned bit = 1u << (length - 1);
  while (code & bit) bit >>= 1;
  return bit == 0 ? 0 : (code & (bit - 1)) | bit;
}

/* How many bits of the longest codes lie behind `root` in the table that begins with the code before `counts` are used up. */
static unsigned second_bits(const unsigned *counts, unsigned length, unsigned root) {
  unsigned bits = length - root;
  unsigned room = 1u << bits;
  for (; length < LONGEST_CODE; length++, bits++) {
    if (counts[length] >= room) break;
    room = (room - counts[length]) << 1;
  }
  return bits;
}

enum set { SET_BAD, SET_SPARSE, SET_COMPLETE };

/* A set of at most one code, of one bit, is sparse: usable where the format allows it. */
static enum set judge(const unsigned *counts) {
  int left = 1;
  unsigned codes = 0;
  for (unsigned length = 1; length <= LONGEST_CODE; length++) {
    left = left * 2 - (int)counts[length];
    if (left < 0) return SET_BAD;
    codes += counts[length];
  }
  if (left == 0) return SET_COMPLETE;
  return codes == counts[1] ? SET_SPARSE : SET_BAD;
}

static void fill(entry *table, unsigned from, unsigned step, unsigned end, entry value) {
  for (unsigned at = from; at < end; at += step) table[at] = value;
}

static enum set build(entry *table, unsigned root, const uint8_t *lengths, unsigned count, entry (*of)(unsigned)) {
  unsigned counts[LONGEST_CODE + 1] = {0};
  for (unsigned symbol = 0; symbol < count; symbol++) counts[lengths[symbol]]++;
  counts[0] = 0;
  enum set set = judge(counts);
  if (set == SET_BAD) return set;
  if (set == SET_SPARSE) fill(table, 0, 1, 1u << root, no_code());

  /* Symbols by length, equal lengths by symbol: the order of their codes. */
  unsigned starts[LONGEST_CODE + 2] = {0};
  for (unsigned length = 1; length <= LONGEST_CODE; length++) starts[length + 1] = starts[length] + counts[length];
  uint16_t sorted[LITERAL_SYMBOLS];
  for (unsigned symbol = 0; symbol < count; symbol++)
    if (lengths[symbol] != 0) sorted[starts[lengths[symbol]]++] = (uint16_t)symbol;

  unsigned code = 0;
  unsigned end = 1u << root;
  unsigned second = 0;
  unsigned width = 0;
  unsigned prefix = ~0u;
  const uint16_t *symbol = sorted;
  for (unsigned length = 1; length <= LONGEST_CODE; length++) {
    for (; counts[length] > 0; counts[length]--) {
      entry value = of(*symbol++) | length;
      if (length <= root) {
        fill(table, code, 1u << length, 1u << root, value);
      } else {
        unsigned low = code & ((1u << root) - 1);
        if (low != prefix) {
          prefix = low;
          second = end;
          width = second_bits(counts, length, root);
          end += 1u << width;
          table[low] = entry_of(0, width, KIND_TABLE, second);
        }
        fill(table + second, code >> root, 1u << (length - root), 1u << width, value);
      }
      code = next_code(code, length);
    }
  }
  return set;
}

bool build_length_table(entry *table, const uint8_t *lengths) {
  return build(table, LENGTH_ROOT, lengths, LENGTH_SYMBOLS, length_symbol) == SET_COMPLETE;
}

bool build_literal_table(entry *table, const uint8_t *lengths, unsigned count) {
  return build(table, LITERAL_ROOT, lengths, count, literal_symbol) != SET_BAD;
}

bool build_distance_table(entry *table, const uint8_t *lengths, unsigned count) {
  return build(table, DISTANCE_ROOT, lengths, count, distance_symbol) != SET_BAD;
}

void build_fixed_tables(struct codes *codes) {
  uint8_t lengths[LITERAL_SYMBOLS];
  memset(lengths, 8, 144);
  memset(lengths + 144, 9, 112);
  memset(lengths + 256, 7, 24);
  memset(lengths + 280, 8, 8);
  build(codes->literals, LITERAL_ROOT, lengths, LITERAL_SYMBOLS, literal_symbol);
  memset(lengths, 5, DISTANCE_SYMBOLS);
  build(codes->distances, DISTANCE_ROOT, lengths, DISTANCE_SYMBOLS, distance_symbol);
}
