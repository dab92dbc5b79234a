/*
 * Makes system calls on some files fail, for tests of what the store does then. Built by the tests where there is a C compiler, and
 * loaded with LD_PRELOAD:
 *
 *   RESILIN_FAULT_CALL   the calls: pwrite, writev, fdatasync, fsync; several with commas between
 *   RESILIN_FAULT_PATH   a part of the path of the files
 *   RESILIN_FAULT_FROM   writes that begin before this place in a file don't fail
 *   RESILIN_FAULT_FLAG   a file: calls fail as long as it is there; its text is the errno
 *   RESILIN_FAULT_TRACE  a file that syncs and renames are written to, a line each, in their order; a write to a file that was opened to
 *                        sync each one (O_DSYNC) is a sync of the name dsync
 *
 * Or one call of all that a process makes to change files:
 *
 *   RESILIN_FAULT_NTH    which one fails, counted from 1; 0 is none
 *   RESILIN_FAULT_PATH   a part of the paths of the files that count
 *   RESILIN_FAULT_CALL   the calls that count, with commas between; all of them without
 *   RESILIN_FAULT_ERRNO  with which error; 0: a write ends after half of its bytes, other calls don't fail
 *   RESILIN_FAULT_COUNT  a file that each of them is written to, a line each
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static void trace(const char *call, const char *path) {
  const char *name = getenv("RESILIN_FAULT_TRACE");
  FILE *file = name ? fopen(name, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s %s\n", call, path);
  fclose(file);
}

static void traceOf(const char *call, int fd) {
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return;
  target[length] = 0;
  trace(call, target);
}

static int fails(int fd, const char *call, off_t at) {
  const char *from = getenv("RESILIN_FAULT_FROM");
  if (from && at < atoll(from)) return 0;
  const char *wanted = getenv("RESILIN_FAULT_CALL");
  const char *path = getenv("RESILIN_FAULT_PATH");
  const char *flag = getenv("RESILIN_FAULT_FLAG");
  if (!wanted || !path || !flag || !strstr(wanted, call)) return 0;
  char link[64], target[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  if (!strstr(target, path)) return 0;
  FILE *file = fopen(flag, "r");
  if (!file) return 0;
  int code = EIO;
  if (fscanf(file, "%d", &code) != 1) code = EIO;
  fclose(file);
  errno = code;
  return 1;
}

/* Whether this call of those that change files is the one that fails: 0 no, 1 yes, 2 it is a write that ends early. */
static int isNth(const char *call, const char *path) {
  static long count = 0;
  const char *nth = getenv("RESILIN_FAULT_NTH");
  const char *part = getenv("RESILIN_FAULT_PATH");
  const char *wanted = getenv("RESILIN_FAULT_CALL");
  if (!nth || !part || !strstr(path, part) || (wanted && !strstr(wanted, call))) return 0;
  long n = __sync_add_and_fetch(&count, 1);
  const char *name = getenv("RESILIN_FAULT_COUNT");
  FILE *file = name ? fopen(name, "a") : NULL;
  if (file) {
    fprintf(file, "%s %s\n", call, path);
    fclose(file);
  }
  if (n != atol(nth)) return 0;
  const char *given = getenv("RESILIN_FAULT_ERRNO");
  int code = given ? atoi(given) : EIO;
  if (!code) return 2;
  errno = code;
  return 1;
}

static int isNthOf(const char *call, int fd) {
  char link[64], target[4096];
  if (!getenv("RESILIN_FAULT_NTH")) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return isNth(call, target);
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

int rename(const char *from, const char *to) {
  REAL(rename);
  trace("rename", to);
  return isNth("rename", to) == 1 ? -1 : real(from, to);
}

int unlink(const char *path) {
  REAL(unlink);
  return isNth("unlink", path) == 1 ? -1 : real(path);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return isNth("mkdir", path) == 1 ? -1 : real(path, mode);
}

int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  return isNthOf("ftruncate", fd) == 1 ? -1 : real(fd, length);
}

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  return isNthOf("ftruncate", fd) == 1 ? -1 : real(fd, length);
}

int msync(void *at, size_t length, int flags) {
  REAL(msync);
  return isNth("msync", getenv("RESILIN_FAULT_PATH") ? getenv("RESILIN_FAULT_PATH") : "") == 1 ? -1 : real(at, length, flags);
}

#define OPENS(name)                                                                     \
  int name(const char *path, int flags, ...) {                                          \
    REAL(name);                                                                         \
    va_list rest;                                                                       \
    va_start(rest, flags);                                                              \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                           \
    va_end(rest);                                                                       \
    if ((flags & (O_WRONLY | O_RDWR)) && isNth("open", path) == 1) return -1;           \
    return real(path, flags, mode);                                                     \
  }
OPENS(open)
OPENS(open64)

int fdatasync(int fd) {
  REAL(fdatasync);
  traceOf("fdatasync", fd);
  return fails(fd, "fdatasync", INT64_MAX) || isNthOf("fdatasync", fd) == 1 ? -1 : real(fd);
}

int fsync(int fd) {
  REAL(fsync);
  traceOf("fsync", fd);
  return fails(fd, "fsync", INT64_MAX) || isNthOf("fsync", fd) == 1 ? -1 : real(fd);
}

ssize_t write(int fd, const void *bytes, size_t n) {
  REAL(write);
  switch (isNthOf("write", fd)) {
    case 1: return -1;
    case 2: return real(fd, bytes, (n + 1) / 2);
    default: return real(fd, bytes, n);
  }
}

#define PWRITES(name, offset)                                                           \
  ssize_t name(int fd, const void *bytes, size_t n, offset at) {                        \
    REAL(name);                                                                         \
    if (fcntl(fd, F_GETFL) & O_DSYNC) traceOf("dsync", fd);                             \
    if (fails(fd, "pwrite", at)) return -1;                                             \
    switch (isNthOf("pwrite", fd)) {                                                    \
      case 1: return -1;                                                                \
      case 2: return real(fd, bytes, (n + 1) / 2, at);                                  \
      default: return real(fd, bytes, n, at);                                           \
    }                                                                                   \
  }
PWRITES(pwrite, off_t)
PWRITES(pwrite64, off64_t)

/* Vectors end early behind their first part. */
ssize_t writev(int fd, const struct iovec *parts, int n) {
  REAL(writev);
  if (fails(fd, "writev", lseek(fd, 0, SEEK_CUR))) return -1;
  switch (isNthOf("writev", fd)) {
    case 1: return -1;
    case 2: return real(fd, parts, 1);
    default: return real(fd, parts, n);
  }
}

#define PWRITEVS(name, offset)                                                          \
  ssize_t name(int fd, const struct iovec *parts, int n, offset at) {                   \
    REAL(name);                                                                         \
    switch (isNthOf("pwritev", fd)) {                                                   \
      case 1: return -1;                                                                \
      case 2: return real(fd, parts, 1, at);                                            \
      default: return real(fd, parts, n, at);                                           \
    }                                                                                   \
  }
PWRITEVS(pwritev, off_t)
PWRITEVS(pwritev64, off64_t)
