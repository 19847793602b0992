/* memory <kind>: takes memory until it is refused, at most 2 GiB; each kind is counted by something else. */
#include "probe.h"
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define STEP (16L << 20)
#define MOST (2L << 30)

static int is(const char *left, const char *right) { return strcmp(left, right) == 0; }

int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "private";
  alarm(LIFETIME);
  long taken = 0;
  for (; taken < MOST; taken += STEP) {
    void *block = MAP_FAILED;
    if (is(kind, "private")) block = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (is(kind, "shared")) block = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (is(kind, "forked")) {
      /* Each process stays below every limit of its own. */
      pid_t child = fork();
      if (child < 0) break;
      if (child > 0) continue;
      alarm(LIFETIME);
      block = malloc(STEP);
      if (block != NULL) memset(block, 1, STEP);
      for (;;) pause();
    }
    if (is(kind, "memfd")) {
      int file = (int)syscall(SYS_memfd_create, "probe", 0);
      if (file >= 0) block = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (file >= 0 && write(file, block, STEP) < STEP) break;
    }
    if (is(kind, "segment")) {
      int segment = shmget(IPC_PRIVATE, STEP, IPC_CREAT | 0600);
      if (segment >= 0) block = shmat(segment, NULL, 0);
    }
    if (block == MAP_FAILED) break;
    memset(block, 1, STEP);
    if (is(kind, "segment")) shmdt(block);
  }
  printf("took %ld MiB\n", taken >> 20);
  fflush(stdout);
  if (is(kind, "forked")) sleep(3);
  return CAME_TO_ITS_END;
}
