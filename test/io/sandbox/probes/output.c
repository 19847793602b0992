/* output: writes to both streams for ever (20 s). */
#include "probe.h"

static char block[1 << 16];

int main(void) {
  alarm(LIFETIME);
  memset(block, 'x', sizeof block);
  for (;;)
    if (write(1, block, sizeof block) < 0 || write(2, block, sizeof block) < 0) return CAME_TO_ITS_END;
}
