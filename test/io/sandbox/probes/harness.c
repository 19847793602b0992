/* harness <pid>: looks for the harness and everything else that runs on the host, and reaches into it. */
#include "probe.h"
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

int main(int count, char **arguments) {
  (void)count;
  alarm(LIFETIME);
  pid_t harness = atoi(arguments[1]);
  char path[64], byte;
  const char *parts[] = {"mem", "environ", "cmdline", "maps", "root", "cwd", "fd/0", "exe"};
  for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
    snprintf(path, sizeof path, "/proc/%d/%s", harness, parts[index]);
    refused(path, open(path, O_RDONLY));
  }
  struct iovec here = {&byte, 1}, there = {(void *)arguments, 1};
  refused("process_vm_readv", syscall(SYS_process_vm_readv, harness, &here, 1, &there, 1, 0));
  refused("pidfd_open", syscall(SYS_pidfd_open, harness, 0));
  refused("ptrace", ptrace(PTRACE_SEIZE, harness, NULL, NULL));
  /* A signal that is ignored where nobody waits for it; 0 asks only whether one could be sent. */
  refused("a signal to the harness", kill(harness, SIGURG));
  for (pid_t pid = 32; pid < 70000; pid++)
    if (kill(pid, 0) == 0 || errno == EPERM) leak("a process", "of the host");
  /* The harness's end of our pipes. */
  for (int file = 0; file < 3; file++) {
    snprintf(path, sizeof path, "/proc/1/fd/%d", file);
    refused(path, open(path, O_RDWR));
  }
  return CAME_TO_ITS_END;
}
