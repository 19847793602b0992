/* inputs <file> <folder>: changes what it was given to read, by every way there is. */
#include "probe.h"
#include <sys/mount.h>
#include <sys/syscall.h>
#include <utime.h>

static void spoil(const char *path) {
  refused("open for writing", open(path, O_WRONLY));
  refused("open for appending", open(path, O_WRONLY | O_APPEND));
  refused("truncate", truncate(path, 0));
  refused("chmod", chmod(path, 0777));
  refused("chown", chown(path, getuid(), getgid()));
  refused("utime", utime(path, NULL));
  refused("unlink", unlink(path));
  refused("rename", rename(path, "/job/taken"));
  refused("hard link", link(path, "/job/linked"));
  refused("hard link nearby", link(path, "/in/linked"));
}

int main(int count, char **arguments) {
  (void)count;
  alarm(LIFETIME);
  char way[4096];
  const char *roots[] = {"", "/proc/self/root", "/proc/1/root", "/proc/self/cwd/.."};
  for (size_t root = 0; root < sizeof roots / sizeof *roots; root++) {
    snprintf(way, sizeof way, "%s%s", roots[root], arguments[1]);
    spoil(way);
  }
  /* A descriptor for reading, opened again for writing. */
  int file = open(arguments[1], O_RDONLY);
  snprintf(way, sizeof way, "/proc/self/fd/%d", file);
  refused("open again", open(way, O_WRONLY));
  snprintf(way, sizeof way, "%s/new", arguments[2]);
  refused("a new file", open(way, O_CREAT | O_WRONLY, 0600));
  refused("a new folder", mkdir(way, 0700));
  refused("remount", mount(NULL, arguments[2], NULL, MS_REMOUNT | MS_BIND, NULL));
  refused("umount", umount2(arguments[2], MNT_DETACH));
  refused("a program", open("/usr/bin/env", O_WRONLY));
  refused("a preload", open("/etc/ld.so.preload", O_CREAT | O_WRONLY, 0600));
  return CAME_TO_ITS_END;
}
