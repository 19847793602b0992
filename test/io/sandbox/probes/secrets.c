/* secrets <canary> <path>...: opens the given paths, then reads everything there is, looking for the canary. */
#include "probe.h"
#include <ftw.h>

static const char *canary;
static char text[1 << 20];
static long seen;

static void search(const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  ssize_t size = read(file, text, sizeof text);
  close(file);
  if (size > 0 && memmem(text, (size_t)size, canary, strlen(canary)) != NULL) leak("canary in", path);
}

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where) {
  (void)about;
  (void)where;
  if (strstr(path, canary) != NULL) leak("canary in the name", path);
  /* The programs of the host are there to be read; our own arguments hold the canary. */
  if (strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/proc/sys/", 10) == 0) return FTW_SKIP_SUBTREE;
  if (kind == FTW_F && strstr(path, "/cmdline") == NULL && strcmp(path, "/proc/kmsg") != 0) search(path);
  return ++seen > 200000 ? FTW_STOP : FTW_CONTINUE;
}

int main(int count, char **arguments) {
  alarm(LIFETIME);
  canary = arguments[1];
  for (int index = 2; index < count; index++) {
    char way[4096];
    const char *roots[] = {"", "/proc/1/root", "/proc/self/root", "/job/../../..", "/proc/1/cwd/../../.."};
    for (size_t root = 0; root < sizeof roots / sizeof *roots; root++) {
      snprintf(way, sizeof way, "%s%s", roots[root], arguments[index]);
      if (access(way, F_OK) == 0) leak("there is", way);
    }
  }
  extern char **environ;
  for (char **variable = environ; *variable != NULL; variable++)
    if (strstr(*variable, canary) != NULL) leak("canary in the environment", *variable);
  nftw("/", visit, 32, FTW_PHYS | FTW_ACTIONRETVAL);
  /* What a careless harness left open. */
  for (int file = 3; file < 1024; file++) {
    struct stat about;
    if (fstat(file, &about) == 0) leak("an open descriptor", "beyond the three");
  }
  printf("looked at %ld files\n", seen);
  return seen > 100 ? CAME_TO_ITS_END : 1;
}
