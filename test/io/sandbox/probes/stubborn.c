/* stubborn <marker>: does not stop when it is asked to, and its children neither, one of them stopped. */
#include "probe.h"

int main(void) {
  for (int number = 1; number < 32; number++)
    if (number != SIGALRM) signal(number, SIG_IGN);
  for (int child = 0; child < 3; child++)
    if (fork() == 0) {
      setsid();
      alarm(LIFETIME);
      if (child == 0) raise(SIGSTOP);
      for (;;) pause();
    }
  alarm(LIFETIME);
  for (;;) pause();
}
