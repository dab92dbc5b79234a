/*
 * Makes system calls on some files fail, for tests of what the store does then. Built by the tests where there is a C compiler, and
 * loaded with LD_PRELOAD:
 *
 *   RESILIN_FAULT_CALL   the calls: pwrite, writev, fdatasync, fsync; several with commas between
 *   RESILIN_FAULT_PATH   a part of the path of the files
 *   RESILIN_FAULT_FROM   writes that begin before this place in a file don't fail
 *   RESILIN_FAULT_FLAG   a file: calls fail as long as it is there; its text is the errno
 *   RESILIN_FAULT_TRACE  a file that syncs and renames are written to, a line each, in their order
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

int rename(const char *from, const char *to) {
  REAL(rename);
  trace("rename", to);
  return real(from, to);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  traceOf("fdatasync", fd);
  return fails(fd, "fdatasync", INT64_MAX) ? -1 : real(fd);
}

int fsync(int fd) {
  REAL(fsync);
  traceOf("fsync", fd);
  return fails(fd, "fsync", INT64_MAX) ? -1 : real(fd);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
  REAL(pwrite);
  return fails(fd, "pwrite", at) ? -1 : real(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
  REAL(pwrite64);
  return fails(fd, "pwrite", at) ? -1 : real(fd, bytes, n, at);
}

ssize_t writev(int fd, const struct iovec *parts, int n) {
  REAL(writev);
  return fails(fd, "writev", lseek(fd, 0, SEEK_CUR)) ? -1 : real(fd, parts, n);
}
