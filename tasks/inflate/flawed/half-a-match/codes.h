/* Canonical Huffman codes as tables: looked up by the next bits of input, the first bit lowest. */
#ifndef CODES_H
#define CODES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the next bits stand for. Bits 0 to 3: length of the code. Bits 4 to 7: how many extra bits follow, or how many
 * bits choose in a second table. Bits 8 to 10: kind. Bits 16 to 31: a literal, a base, or where the second table begins.
 */
typedef uint32_t entry;

enum kind { KIND_LITERAL, KIND_BASE, KIND_END, KIND_INVALID, KIND_TABLE };

static inline unsigned entry_length(entry e) { return e & 15; }
static inline unsigned entry_extra(entry e) { return e >> 4 & 15; }
static inline enum kind entry_kind(entry e) { return (enum kind)(e >> 8 & 7); }
static inline unsigned entry_value(entry e) { return e >> 16; }

enum {
  LONGEST_CODE = 15,
  LITERAL_SYMBOLS = 288,
  DISTANCE_SYMBOLS = 32,
  LENGTH_SYMBOLS = 19,
  /* Bits that the first look-up takes. */
  LITERAL_ROOT = 11,
  DISTANCE_ROOT = 8,
  LENGTH_ROOT = 7,
  /* A second table holds at least two symbols, since the set is complete. */
  LITERAL_TABLE = (1 << LITERAL_ROOT) + LITERAL_SYMBOLS / 2 * (1 << (LONGEST_CODE - LITERAL_ROOT)),
  DISTANCE_TABLE = (1 << DISTANCE_ROOT) + DISTANCE_SYMBOLS / 2 * (1 << (LONGEST_CODE - DISTANCE_ROOT)),
  LENGTH_TABLE = 1 << LENGTH_ROOT,
};

struct codes {
  entry literals[LITERAL_TABLE];
  entry distances[DISTANCE_TABLE];
};

static inline entry look_up(const entry *table, unsigned root, uint64_t bits) {
  entry found = table[bits & ((1u << root) - 1)];
  if (entry_kind(found) == KIND_TABLE)
    found = table[entry_value(found) + (bits >> root & ((1u << entry_extra(found)) - 1))];
  return found;
}

/* Each is false when the lengths make no usable set of codes; the table is then of no use. */
bool build_length_table(entry *table, const uint8_t *lengths);
bool build_literal_table(entry *table, const uint8_t *lengths, unsigned count);
bool build_distance_table(entry *table, const uint8_t *lengths, unsigned count);

void build_fixed_tables(struct codes *codes);

#endif
