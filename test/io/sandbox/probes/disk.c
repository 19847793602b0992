/* disk: fills every writable place with large files, then with empty ones, then with holes. At most 1 GiB, 20,000 files. */
#include "probe.h"

static const char *places[] = {"/job", "/tmp", "/dev/shm", "/dev", "/", "/usr", "/in", "/etc", "/var/tmp", "/run"};
#define PLACES (sizeof places / sizeof *places)
static char block[1 << 20];

int main(void) {
  alarm(LIFETIME);
  signal(SIGXFSZ, SIG_IGN);
  char path[256];
  long bytes = 0, files = 0, largest = 0;
  for (size_t place = 0; place < PLACES; place++)
    for (int number = 0; number < 64 && bytes < (1L << 30); number++) {
      snprintf(path, sizeof path, "%s/large-%d", places[place], number);
      int file = open(path, O_CREAT | O_WRONLY, 0600);
      if (file < 0) break;
      long size = 0;
      for (ssize_t written; size < (1L << 28) && (written = write(file, block, sizeof block)) > 0;) size += written;
      if (ftruncate(file, 1L << 40) == 0) leak("a file with holes", path);
      close(file);
      if (size > largest) largest = size;
      bytes += size;
      if (size == 0) break;
    }
  for (size_t place = 0; place < PLACES; place++)
    for (int number = 0; files < 20000; number++) {
      snprintf(path, sizeof path, "%s/small-%d", places[place], number);
      int file = open(path, O_CREAT | O_WRONLY, 0600);
      if (file < 0) break;
      close(file);
      files++;
    }
  printf("bytes %ld files %ld largest %ld\n", bytes, files, largest);
  return CAME_TO_ITS_END;
}
