#include "inflate.h"

struct inflate_result inflate_raw(const uint8_t *input, size_t input_bytes, uint8_t *output, size_t output_bytes) {
  (void)input;
  (void)input_bytes;
  (void)output;
  (void)output_bytes;
  return (struct inflate_result){INFLATE_TRUNCATED, 0, 0};
}
