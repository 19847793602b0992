/* Raw DEFLATE (RFC 1951) decoding: the contract is SPEC.md. */
#ifndef INFLATE_H
#define INFLATE_H

#include <stddef.h>
#include <stdint.h>

enum inflate_status {
  INFLATE_OK = 0,
  INFLATE_TRUNCATED = 1,         /* the input ends before the final block does */
  INFLATE_OUTPUT_FULL = 2,       /* a byte has to be written and there is no room for it */
  INFLATE_BAD_BLOCK_TYPE = 3,    /* a block of type 3 */
  INFLATE_BAD_STORED_LENGTH = 4, /* a stored block's length and its complement disagree */
  INFLATE_BAD_COUNTS = 5,        /* more than 286 literal and length codes, or more than 30 distance codes */
  INFLATE_BAD_REPEAT = 6,        /* a repeated code length with nothing to repeat, or beyond the last code */
  INFLATE_BAD_CODE_SET = 7,      /* code lengths that make no usable set of codes */
  INFLATE_BAD_SYMBOL = 8,        /* bits that are no code of the set, or a symbol without a meaning */
  INFLATE_BAD_DISTANCE = 9       /* a distance that reaches back beyond the first byte of output */
};

struct inflate_result {
  enum inflate_status status;
  size_t consumed; /* bytes of input up to the end of the final block; 0 unless status is INFLATE_OK */
  size_t produced; /* bytes of output that were decoded, also before an error */
};

/*
 * Decodes one DEFLATE stream from `input` to `output`, which has room for `output_bytes`. Bytes of output behind
 * `produced` are left with any content. Either pointer may be anything when its size is 0.
 */
struct inflate_result inflate_raw(const uint8_t *input, size_t input_bytes, uint8_t *output, size_t output_bytes);

#endif
