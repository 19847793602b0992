/* privileges <setuid program>: becomes more than it is. "privileges who" tells who runs it. */
#include "probe.h"
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>

static void raise_limits(void) {
  const int kinds[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_CORE, RLIMIT_MEMLOCK};
  for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++) {
    struct rlimit limit;
    getrlimit((__rlimit_resource_t)kinds[index], &limit);
    if (limit.rlim_max == RLIM_INFINITY) leak("no limit", "at all");
    limit.rlim_max += 1;
    limit.rlim_cur = limit.rlim_max;
    refused("a higher limit", setrlimit((__rlimit_resource_t)kinds[index], &limit));
    if (prlimit(1, (__rlimit_resource_t)kinds[index], NULL, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) continue;
    limit.rlim_max += 1;
    refused("a higher limit of the first process", prlimit(1, (__rlimit_resource_t)kinds[index], &limit, NULL));
  }
  refused("a better priority", setpriority(PRIO_PROCESS, 0, -5));
  struct sched_param real_time = {.sched_priority = 1};
  refused("real time", sched_setscheduler(0, SCHED_FIFO, &real_time));
}

static void turn_clocks(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct timeval then = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  struct timex change = {.modes = 0};
  refused("clock_settime", clock_settime(CLOCK_REALTIME, &now));
  refused("settimeofday", settimeofday(&then, NULL));
  refused("adjtimex", adjtimex(&change));
}

static void leave_namespaces(void) {
  refused("unshare user", unshare(CLONE_NEWUSER));
  refused("unshare mount", unshare(CLONE_NEWNS));
  refused("unshare network", unshare(CLONE_NEWNET));
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  refused("clone user", child);
  refused("clone3", syscall(SYS_clone3, NULL, 0) < 0 && errno == ENOSYS ? -1 : 0);
  const char *names[] = {"/proc/1/ns/mnt", "/proc/1/ns/user", "/proc/1/ns/net", "/proc/1/ns/pid"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    int space = open(names[index], O_RDONLY);
    if (space >= 0) refused(names[index], setns(space, 0));
  }
  refused("chroot", chroot("/job"));
  refused("mount tmpfs", mount("none", "/job", "tmpfs", 0, NULL));
  refused("mount proc", mount("none", "/job", "proc", 0, NULL));
  refused("bind", mount("/proc/1/root", "/job", NULL, MS_BIND, NULL));
  refused("sethostname", sethostname("x", 1));
}

static void use_kernel(void) {
  refused("bpf", syscall(SYS_bpf, 0, NULL, 0) < 0 && errno == EPERM ? -1 : 0);
  refused("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) < 0 && errno == EPERM ? -1 : 0);
  refused("userfaultfd", syscall(SYS_userfaultfd, 0));
  refused("io_uring", syscall(SYS_io_uring_setup, 1, NULL) < 0 && errno == ENOSYS ? -1 : 0);
  refused("keyctl", syscall(SYS_keyctl, 0, -3, 1));
  refused("add_key", syscall(SYS_add_key, "user", "probe", "x", 1, -3));
  refused("memfd_create", syscall(SYS_memfd_create, "probe", 0));
  refused("syslog", syscall(SYS_syslog, 3, NULL, 0));
  const char *switches[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
                            "/proc/sys/vm/drop_caches",      "/proc/sys/user/max_user_namespaces"};
  for (size_t index = 0; index < sizeof switches / sizeof *switches; index++)
    refused(switches[index], open(switches[index], O_WRONLY));
  int score = open("/proc/self/oom_score_adj", O_WRONLY);
  if (score >= 0) refused("a better chance to survive", write(score, "-1000", 5));
  refused("TIOCSTI", ioctl(0, 0x5412, "x"));
}

int main(int count, char **arguments) {
  (void)count;
  alarm(LIFETIME);
  if (strcmp(arguments[1], "who") == 0) {
    if (geteuid() != getuid() || geteuid() == 0) leak("a setuid program", "gave its owner's rights");
    return 0;
  }
  refused("setuid", setuid(0));
  refused("setresuid", setresuid(0, 0, 0));
  refused("setgid", setgid(0));
  refused("setgroups", setgroups(0, NULL));
  if (fork() == 0) {
    execl(arguments[1], arguments[1], "who", NULL);
    _exit(1);
  }
  wait(NULL);
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct all[2] = {{1u << CAP_SYS_ADMIN, 1u << CAP_SYS_ADMIN, 0}, {0, 0, 0}};
  refused("capset", syscall(SYS_capset, &header, all));
  refused("new privileges again", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
  refused("ptrace the first process", ptrace(PTRACE_ATTACH, 1, NULL, NULL));
  refused("ptrace a parent", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
  raise_limits();
  turn_clocks();
  leave_namespaces();
  use_kernel();
  return CAME_TO_ITS_END;
}
