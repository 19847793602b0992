#include "inflate.h"

#include <stdbool.h>
#include <string.h>

#include "codes.h"

/* Bits come from the least significant end of each byte; `bits` holds `count` of them, the next one lowest. */
struct reader {
  const uint8_t *start, *next, *end;
  uint64_t bits;
  unsigned count;
};

struct writer {
  uint8_t *start, *next, *end;
};

enum {
  LONGEST_MATCH = 258,
  /* Copies of whole words may write this much behind a match. */
  OVERSHOOT = 8,
  FAST_INPUT = 8,
  FAST_OUTPUT = LONGEST_MATCH + OVERSHOOT,
};

static uint64_t low_bits(uint64_t bits, unsigned count) { return bits & ((UINT64_C(1) << count) - 1); }

static uint64_t load_word(const uint8_t *at) {
  return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
         (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Fills up from whatever input is left: at least 56 bits, or all there are. */
static void refill(struct reader *reader) {
  while (reader->count < 56 && reader->next < reader->end) {
    reader->bits |= (uint64_t)*reader->next++ << reader->count;
    reader->count += 8;
  }
}

static void drop(struct reader *reader, unsigned count) {
  reader->bits >>= count;
  reader->count -= count;
}

/* Takes up to 16 bits; false when there are not so many. */
static bool take(struct reader *reader, unsigned count, unsigned *value) {
  refill(reader);
  if (reader->count < count) return false;
  *value = (unsigned)low_bits(reader->bits, count);
  drop(reader, count);
  return true;
}

static enum inflate_status take_entry(struct reader *reader, const entry *table, unsigned root, entry *found) {
  refill(reader);
  *found = look_up(table, root, reader->bits);
  if (entry_length(*found) > reader->count) return INFLATE_TRUNCATED;
  if (entry_kind(*found) == KIND_INVALID) return INFLATE_BAD_SYMBOL;
  drop(reader, entry_length(*found));
  return INFLATE_OK;
}

static enum inflate_status read_stored(struct reader *reader, struct writer *writer) {
  unsigned length = 0;
  unsigned complement = 0;
  drop(reader, reader->count % 8);
  if (!take(reader, 16, &length) || !take(reader, 16, &complement)) return INFLATE_TRUNCATED;
  if ((length ^ complement) != 0xffff) return INFLATE_BAD_STORED_LENGTH;
  /* Whole bytes that were read ahead go back. */
  reader->next -= reader->count / 8;
  reader->bits = 0;
  reader->count = 0;
  size_t there = (size_t)(reader->end - reader->next);
  size_t room = (size_t)(writer->end - writer->next);
  size_t bytes = length;
  if (bytes > there) bytes = there;
  if (bytes > room) bytes = room;
  if (bytes > 0) memcpy(writer->next, reader->next, bytes);
  reader->next += bytes;
  writer->next += bytes;
  if (bytes == length) return INFLATE_OK;
  return bytes == there ? INFLATE_TRUNCATED : INFLATE_OUTPUT_FULL;
}

/* Code lengths of both sets, which are one sequence: a repetition may reach from the first into the second. */
static enum inflate_status read_lengths(struct reader *reader, const entry *table, uint8_t *lengths, unsigned total) {
  static const struct {
    unsigned base, extra;
  } repeats[] = {{3, 2}, {3, 3}, {11, 7}};
  for (unsigned at = 0; at < total;) {
    entry found;
    enum inflate_status status = take_entry(reader, table, LENGTH_ROOT, &found);
    if (status != INFLATE_OK) return status;
    unsigned symbol = entry_value(found);
    if (symbol < 16) {
      lengths[at++] = (uint8_t)symbol;
      continue;
    }
    unsigned more;
    if (symbol == 16 && at == 0) return INFLATE_BAD_REPEAT;
    if (!take(reader, repeats[symbol - 16].extra, &more)) return INFLATE_TRUNCATED;
    unsigned times = repeats[symbol - 16].base + more;
    if (times > total - at) return INFLATE_BAD_REPEAT;
    memset(lengths + at, symbol == 16 ? lengths[at - 1] : 0, times);
    at += times;
  }
  return INFLATE_OK;
}

static enum inflate_status read_dynamic_codes(struct reader *reader, struct codes *codes) {
  static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  unsigned literals;
  unsigned distances;
  unsigned written;
  if (!take(reader, 5, &literals) || !take(reader, 5, &distances) || !take(reader, 4, &written))
    return INFLATE_TRUNCATED;
  literals += 257;
  distances += 1;
  written += 4;
  if (literals > 286 || distances > 30) return INFLATE_BAD_COUNTS;
  uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS] = {0};
  for (unsigned i = 0; i < written; i++) {
    unsigned length;
    if (!take(reader, 3, &length)) return INFLATE_TRUNCATED;
    lengths[order[i]] = (uint8_t)length;
  }
  entry table[LENGTH_TABLE];
  if (!build_length_table(table, lengths)) return INFLATE_BAD_CODE_SET;
  enum inflate_status status = read_lengths(reader, table, lengths, literals + distances);
  if (status != INFLATE_OK) return status;
  if (lengths[256] == 0) return INFLATE_BAD_CODE_SET;
  if (!build_literal_table(codes->literals, lengths, literals)) return INFLATE_BAD_CODE_SET;
  if (!build_distance_table(codes->distances, lengths + literals, distances)) return INFLATE_BAD_CODE_SET;
  return INFLATE_OK;
}

/* Copies a match when FAST_OUTPUT bytes of room are there. */
static void copy_fast(uint8_t *to, size_t distance, size_t length) {
  const uint8_t *from = to - distance;
  uint8_t *end = to + length;
  if (distance >= 8) {
    do {
      memcpy(to, from, 8);
      to += 8;
      from += 8;
    } while (to < end);
  } else if (distance == 1) {
    memset(to, *from, length);
  } else {
    while (to < end) *to++ = *from++;
  }
}

/*
 * Decodes as long as neither input nor output can end within a symbol. False when the block has come to its end or an
 * error, which `status` then says.
 */
static bool read_symbols_fast(struct reader *reader, struct writer *writer, const struct codes *codes,
                              enum inflate_status *status) {
  const uint8_t *next = reader->next;
  uint64_t bits = reader->bits;
  unsigned count = reader->count;
  uint8_t *out = writer->next;
  bool more = true;
  while (reader->end - next >= FAST_INPUT && writer->end - out >= FAST_OUTPUT) {
    /* At least 56 bits: a length and a distance with all they carry take 48. */
    bits |= load_word(next) << count;
    next += (63 - count) / 8;
    count |= 56;
    entry found = look_up(codes->literals, LITERAL_ROOT, bits);
    if (entry_kind(found) == KIND_LITERAL) {
      *out++ = (uint8_t)entry_value(found);
      bits >>= entry_length(found);
      count -= entry_length(found);
      found = look_up(codes->literals, LITERAL_ROOT, bits);
      if (entry_kind(found) == KIND_LITERAL) {
        *out++ = (uint8_t)entry_value(found);
        bits >>= entry_length(found);
        count -= entry_length(found);
        continue;
      }
      /* Fewer than 48 bits may be left. */
      if (entry_kind(found) == KIND_BASE) continue;
    }
    bits >>= entry_length(found);
    count -= entry_length(found);
    if (entry_kind(found) != KIND_BASE) {
      *status = entry_kind(found) == KIND_END ? INFLATE_OK : INFLATE_BAD_SYMBOL;
      more = false;
      break;
    }
    size_t length = entry_value(found) + low_bits(bits, entry_extra(found));
    bits >>= entry_extra(found);
    count -= entry_extra(found);
    found = look_up(codes->distances, DISTANCE_ROOT, bits);
    bits >>= entry_length(found);
    count -= entry_length(found);
    size_t distance = entry_value(found) + low_bits(bits, entry_extra(found));
    bits >>= entry_extra(found);
    count -= entry_extra(found);
    bool is_code = entry_kind(found) == KIND_BASE;
    if (!is_code || distance > (size_t)(out - writer->start)) {
      *status = is_code ? INFLATE_BAD_DISTANCE : INFLATE_BAD_SYMBOL;
      more = false;
      break;
    }
    copy_fast(out, distance, length);
    out += length;
  }
  reader->next = next;
  reader->bits = low_bits(bits, count);
  reader->count = count;
  writer->next = out;
  return more;
}

static enum inflate_status read_match(struct reader *reader, struct writer *writer, const struct codes *codes,
                                      entry found) {
  unsigned more;
  if (!take(reader, entry_extra(found), &more)) return INFLATE_TRUNCATED;
  size_t length = entry_value(found) + more;
  enum inflate_status status = take_entry(reader, codes->distances, DISTANCE_ROOT, &found);
  if (status != INFLATE_OK) return status;
  if (!take(reader, entry_extra(found), &more)) return INFLATE_TRUNCATED;
  size_t distance = entry_value(found) + more;
  if (distance > (size_t)(writer->next - writer->start)) return INFLATE_BAD_DISTANCE;
  size_t room = (size_t)(writer->end - writer->next);
  for (size_t left = length < room ? length : room; left > 0; left--) {
    *writer->next = *(writer->next - distance);
    writer->next++;
  }
  return length > room ? INFLATE_OUTPUT_FULL : INFLATE_OK;
}

static enum inflate_status read_symbols(struct reader *reader, struct writer *writer, const struct codes *codes) {
  enum inflate_status status = INFLATE_OK;
  for (;;) {
    if (!read_symbols_fast(reader, writer, codes, &status)) return status;
    entry found;
    status = take_entry(reader, codes->literals, LITERAL_ROOT, &found);
    if (status != INFLATE_OK || entry_kind(found) == KIND_END) return status;
    if (entry_kind(found) == KIND_BASE) {
      status = read_match(reader, writer, codes, found);
      if (status != INFLATE_OK) return status;
    } else {
      if (writer->next == writer->end) return INFLATE_OUTPUT_FULL;
      *writer->next++ = (uint8_t)entry_value(found);
    }
  }
}

static enum inflate_status read_block(struct reader *reader, struct writer *writer, struct codes *codes,
                                      unsigned type) {
  enum inflate_status status = INFLATE_OK;
  switch (type) {
    case 0:
      return read_stored(reader, writer);
    case 1:
      build_fixed_tables(codes);
      break;
    case 2:
      status = read_dynamic_codes(reader, codes);
      break;
    default:
      return INFLATE_BAD_BLOCK_TYPE;
  }
  return status == INFLATE_OK ? read_symbols(reader, writer, codes) : status;
}

struct inflate_result inflate_raw(const uint8_t *input, size_t input_bytes, uint8_t *output, size_t output_bytes) {
  struct reader reader = {.start = input, .next = input, .end = input + input_bytes};
  struct writer writer = {.start = output, .next = output, .end = output + output_bytes};
  struct codes codes;
  enum inflate_status status = INFLATE_OK;
  unsigned is_final = 0;
  while (status == INFLATE_OK && !is_final) {
    unsigned type;
    if (!take(&reader, 1, &is_final) || !take(&reader, 2, &type)) status = INFLATE_TRUNCATED;
    else status = read_block(&reader, &writer, &codes, type);
  }
  size_t consumed = (size_t)(reader.next - reader.start) - reader.count / 8;
  return (struct inflate_result){status, status == INFLATE_OK ? consumed : 0, (size_t)(writer.next - output)};
}
