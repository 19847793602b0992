/* forks: makes as many processes as it can, all of which outlive it and ignore what can be ignored. */
#include "probe.h"

int main(void) {
  int made = 0;
  for (int tries = 0; tries < 500; tries++) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      for (int number = 1; number < 32; number++)
        if (number != SIGALRM) signal(number, SIG_IGN);
      setsid();
      alarm(LIFETIME);
      for (;;) pause();
    }
    made++;
  }
  printf("made %d\n", made);
  return CAME_TO_ITS_END;
}
