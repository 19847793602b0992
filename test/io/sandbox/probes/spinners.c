/* spinners: burns processor time in short-lived children that are never waited for, so that the kernel forgets their time. */
#include "probe.h"
#include <sys/wait.h>
#include <time.h>

int main(void) {
  alarm(LIFETIME);
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    if (fork() == 0) {
      while (clock() < CLOCKS_PER_SEC / 5) continue;
      _exit(0);
    }
    /* With the signal ignored this waits until the child is gone, and asks nothing about it. */
    wait(NULL);
  }
}
