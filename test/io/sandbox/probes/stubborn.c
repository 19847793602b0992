/* stubborn <marker>: does not stop when it is asked to, and its children neither, one of them stopped. */
#include "probe.h"

static void ignore_everything(void) {
  for (int number = 1; number < 32; number++)
    if (number != SIGALRM) signal(number, SIG_IGN);
}

int main(void) {
  ignore_everything();
  pid_t children[3] = {0};
  for (int child = 0; child < 3; child++) {
    children[child] = fork();
    if (children[child] != 0) continue;
    setsid();
    if (child == 0) raise(SIGSTOP);
    if (child == 1) {
      /* A stopped process hears no alarm: should all of them get away, this one ends it. */
      sleep(LIFETIME);
      kill(children[0], SIGKILL);
      return 0;
    }
    alarm(LIFETIME);
    for (;;) pause();
  }
  alarm(LIFETIME);
  for (;;) pause();
}
