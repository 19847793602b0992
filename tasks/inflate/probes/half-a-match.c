#include <stdint.h>
#include <string.h>

#include "inflate.h"

/* A literal "ha", then a match of eight bytes, with room for six in all. */
int main(void) {
  static const uint8_t stream[] = {0xcb, 0x48, 0x84, 0x41, 0x00};
  uint8_t output[6] = {0};
  struct inflate_result result = inflate_raw(stream, sizeof stream, output, sizeof output);
  if (result.status != INFLATE_OUTPUT_FULL) return 3;
  if (result.produced == 6 && memcmp(output, "hahaha", 6) == 0) return 0;
  return result.produced < 6 ? 1 : 3;
}
