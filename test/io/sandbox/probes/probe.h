/*
 * What all probes share. A probe tries to get out; it prints a line "LEAK: ..." for everything that worked, and ends with
 * 42 when it came to its end. It bounds itself too (time, sizes, counts), so that a hole harms nobody's machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define CAME_TO_ITS_END 42
/* No probe lives longer than this, whatever the sandbox does. */
#define LIFETIME 20

static inline void leak(const char *what, const char *detail) {
  printf("LEAK: %s %s\n", what, detail);
  fflush(stdout);
}

/* For calls that give -1 when they are refused. */
static inline void refused(const char *what, long result) {
  if (result >= 0) leak(what, "worked");
}
