/* left-behind <marker>: ends at once, and leaves a process that has cut every tie. */
#include "probe.h"

int main(int count, char **arguments) {
  (void)count;
  (void)arguments;
  int ready[2];
  if (pipe(ready) != 0) return 1;
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int number = 1; number < 32; number++)
      if (number != SIGALRM) signal(number, SIG_IGN);
    alarm(LIFETIME);
    if (chdir("/") != 0 || write(ready[1], "x", 1) != 1) _exit(1);
    for (int file = 0; file < 64; file++) close(file);
    for (;;) pause();
  }
  char byte;
  return read(ready[0], &byte, 1) == 1 ? CAME_TO_ITS_END : 1;
}
