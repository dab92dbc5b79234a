/*
 * Tells of all that a process changes in a folder, in its order and with its bytes, for tests of what a power cut leaves of that. Built by
 * the tests where there is a C compiler, and loaded with LD_PRELOAD:
 *
 *   RESILIN_CHANGES_FOLDER   the folder, an absolute path without links
 *   RESILIN_CHANGES_LOG      the file that changes are written to, elsewhere
 *   RESILIN_CHANGES_MARKS    a file elsewhere: what is written to it comes into the log as a mark
 *
 * One call is made at a time, so that the order of the log is the one in which the calls were made: a sync has what stands before it, and a
 * mark that was written when a promise resolved stands behind what the promise waited for. A record, in the machine's order of bytes:
 *
 *     u32 kind, u32 flags, u64 inode, u64 place, u64 length, then so many bytes
 *
 *     create    inode, path           mkdir     inode, path         rename   inode, path, 0, new path; place: the inode it replaces
 *     write     inode, place, bytes; flag 1: of a file that syncs each write (O_DSYNC)
 *     truncate  inode, place: the new length                        unlink   inode, path         rmdir    inode, path
 *     sync      inode of a file or folder; flag 1: without times (fdatasync)
 *     map       inode, path: it may be changed by memory, which is not told of
 *     mark      bytes
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, MKDIR, WRITE, TRUNCATE, RENAME, UNLINK, RMDIR, SYNC, MAP, MARK };

struct record {
  uint32_t kind, flags;
  uint64_t inode, place, length;
};

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

static void append(const void *bytes, size_t n) {
  static int log = -1;
  if (log < 0) log = syscall(SYS_openat, AT_FDCWD, getenv("RESILIN_CHANGES_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  for (const char *at = bytes; n > 0;) {
    ssize_t written = syscall(SYS_write, log, at, n);
    if (written <= 0) abort();
    at += written;
    n -= written;
  }
}

static void tell(uint32_t kind, uint32_t flags, uint64_t inode, uint64_t place, const void *bytes, uint64_t length) {
  int error = errno;
  struct record record = {kind, flags, inode, place, length};
  append(&record, sizeof record);
  append(bytes, length);
  errno = error;
}

static int isWithin(const char *path) {
  const char *folder = getenv("RESILIN_CHANGES_FOLDER");
  size_t n = folder ? strlen(folder) : 0;
  return n > 0 && !strncmp(path, folder, n) && (path[n] == '/' || path[n] == 0);
}

/* The path of what a descriptor is of; empty if it has none. */
static void pathOf(int fd, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
}

/* A path from the root on. */
static void whole(int folder, const char *path, char out[PATH_MAX]) {
  char from[PATH_MAX] = "";
  if (*path != '/' && folder == AT_FDCWD) syscall(SYS_getcwd, from, sizeof from);
  else if (*path != '/') pathOf(folder, from);
  if (*path == '/') snprintf(out, PATH_MAX, "%s", path);
  else if (snprintf(out, PATH_MAX, "%s/%s", from, path) >= PATH_MAX) *out = 0;
  for (size_t n = strlen(out); n > 1 && out[n - 1] == '/'; n--) out[n - 1] = 0;
}

/* The inode of a path, 0 if there is none. */
static uint64_t inodeAt(const char *path) {
  struct stat found;
  int error = errno;
  uint64_t inode = syscall(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW) == 0 ? found.st_ino : 0;
  errno = error;
  return inode;
}

/* The inode of a file or folder that is told of; 0 of any other. @param isMarks set where it is the file of marks */
static uint64_t inodeOf(int fd, int *isMarks) {
  struct stat found;
  char path[PATH_MAX];
  int error = errno;
  uint64_t inode = 0;
  *isMarks = 0;
  if (fstat(fd, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))) {
    const char *marks = getenv("RESILIN_CHANGES_MARKS");
    pathOf(fd, path);
    *isMarks = marks && !strcmp(path, marks);
    if (isWithin(path)) inode = found.st_ino;
  }
  errno = error;
  return inode;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)
#define LOCK pthread_mutex_lock(&one)
#define UNLOCK pthread_mutex_unlock(&one)

/* ---- names */

static int told2(int done, const char *from, const char *to, uint64_t inode, uint64_t replaced) {
  char both[2 * PATH_MAX];
  if (done == 0 && (isWithin(from) || isWithin(to))) {
    int n = snprintf(both, PATH_MAX, "%s", from) + 1;
    n += snprintf(both + n, PATH_MAX, "%s", to);
    tell(RENAME, 0, inode, replaced, both, n);
  }
  return done;
}

int rename(const char *from, const char *to) {
  REAL(rename);
  char a[PATH_MAX], b[PATH_MAX];
  whole(AT_FDCWD, from, a);
  whole(AT_FDCWD, to, b);
  LOCK;
  uint64_t inode = inodeAt(a), replaced = inodeAt(b);
  int done = told2(real(from, to), a, b, inode, replaced);
  UNLOCK;
  return done;
}

static int told1(int done, uint32_t kind, const char *path, uint64_t inode) {
  if (done == 0 && isWithin(path)) tell(kind, 0, inode, 0, path, strlen(path));
  return done;
}

#define REMOVES(name, kind)                          \
  int name(const char *path) {                       \
    REAL(name);                                      \
    char a[PATH_MAX];                                \
    whole(AT_FDCWD, path, a);                        \
    LOCK;                                            \
    uint64_t inode = inodeAt(a);                     \
    int done = told1(real(path), kind, a, inode);    \
    UNLOCK;                                          \
    return done;                                     \
  }
REMOVES(unlink, UNLINK)
REMOVES(rmdir, RMDIR)

int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat);
  char a[PATH_MAX];
  whole(folder, path, a);
  LOCK;
  uint64_t inode = inodeAt(a);
  int done = told1(real(folder, path, flags), flags & AT_REMOVEDIR ? RMDIR : UNLINK, a, inode);
  UNLOCK;
  return done;
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  char a[PATH_MAX];
  whole(AT_FDCWD, path, a);
  LOCK;
  int done = real(path, mode);
  told1(done, MKDIR, a, inodeAt(a));
  UNLOCK;
  return done;
}

static int opened(int fd, const char *path, int flags, uint64_t before) {
  if (fd < 0 || !isWithin(path) || !(flags & (O_CREAT | O_TRUNC))) return fd;
  if (before == 0) tell(CREATE, 0, inodeAt(path), 0, path, strlen(path));
  else if (flags & O_TRUNC) tell(TRUNCATE, 0, before, 0, "", 0);
  return fd;
}

#define OPENS(name)                                                                     \
  int name(const char *path, int flags, ...) {                                          \
    REAL(name);                                                                         \
    va_list rest;                                                                       \
    va_start(rest, flags);                                                              \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                           \
    va_end(rest);                                                                       \
    if (!(flags & (O_CREAT | O_TRUNC))) return real(path, flags, mode);                 \
    char a[PATH_MAX];                                                                   \
    whole(AT_FDCWD, path, a);                                                           \
    LOCK;                                                                               \
    uint64_t before = inodeAt(a);                                                       \
    int fd = opened(real(path, flags, mode), a, flags, before);                         \
    UNLOCK;                                                                             \
    return fd;                                                                          \
  }
OPENS(open)
OPENS(open64)

/* ---- bytes */

#define TRUNCATES(name, offset)                                       \
  int name(int fd, offset length) {                                   \
    REAL(name);                                                       \
    int isMarks;                                                      \
    LOCK;                                                             \
    uint64_t inode = inodeOf(fd, &isMarks);                           \
    int done = real(fd, length);                                      \
    if (done == 0 && inode) tell(TRUNCATE, 0, inode, length, "", 0);  \
    UNLOCK;                                                           \
    return done;                                                      \
  }
TRUNCATES(ftruncate, off_t)
TRUNCATES(ftruncate64, off64_t)

/* What a write has written from `at` on; behind what is there where that is negative. */
static void wrote(int fd, uint64_t inode, int isMarks, const void *bytes, ssize_t n, off_t at) {
  if (n <= 0) return;
  if (isMarks) tell(MARK, 0, 0, 0, bytes, n);
  if (inode) tell(WRITE, fcntl(fd, F_GETFL) & O_DSYNC ? 1 : 0, inode, at < 0 ? lseek(fd, 0, SEEK_CUR) - n : at, bytes, n);
}

#define WRITES(call)                               \
  int isMarks;                                     \
  LOCK;                                            \
  uint64_t inode = inodeOf(fd, &isMarks);          \
  if (!inode && !isMarks) {                        \
    UNLOCK;                                        \
    return call;                                   \
  }                                                \
  ssize_t written = call

ssize_t write(int fd, const void *bytes, size_t n) {
  REAL(write);
  WRITES(real(fd, bytes, n));
  wrote(fd, inode, isMarks, bytes, written, -1);
  UNLOCK;
  return written;
}

#define PWRITES(name, offset)                             \
  ssize_t name(int fd, const void *bytes, size_t n, offset at) { \
    REAL(name);                                           \
    WRITES(real(fd, bytes, n, at));                       \
    wrote(fd, inode, isMarks, bytes, written, at);        \
    UNLOCK;                                               \
    return written;                                       \
  }
PWRITES(pwrite, off_t)
PWRITES(pwrite64, off64_t)

static void wroteParts(int fd, uint64_t inode, int isMarks, const struct iovec *parts, ssize_t written, off_t at) {
  if (written <= 0) return;
  if (at < 0) at = lseek(fd, 0, SEEK_CUR) - written;
  for (; written > 0; parts++) {
    ssize_t n = (ssize_t)parts->iov_len < written ? (ssize_t)parts->iov_len : written;
    wrote(fd, inode, isMarks, parts->iov_base, n, at);
    at += n;
    written -= n;
  }
}

ssize_t writev(int fd, const struct iovec *parts, int n) {
  REAL(writev);
  WRITES(real(fd, parts, n));
  wroteParts(fd, inode, isMarks, parts, written, -1);
  UNLOCK;
  return written;
}

#define PWRITEVS(name, offset)                                                          \
  ssize_t name(int fd, const struct iovec *parts, int n, offset at) {                   \
    REAL(name);                                                                         \
    WRITES(real(fd, parts, n, at));                                                     \
    wroteParts(fd, inode, isMarks, parts, written, at);                                 \
    UNLOCK;                                                                             \
    return written;                                                                     \
  }
PWRITEVS(pwritev, off_t)
PWRITEVS(pwritev64, off64_t)

/* ---- syncs */

#define SYNCS(name, flag)                                 \
  int name(int fd) {                                      \
    REAL(name);                                           \
    int isMarks;                                          \
    LOCK;                                                 \
    uint64_t inode = inodeOf(fd, &isMarks);               \
    int done = real(fd);                                  \
    if (done == 0 && inode) tell(SYNC, flag, inode, 0, "", 0); \
    UNLOCK;                                               \
    return done;                                          \
  }
SYNCS(fsync, 0)
SYNCS(fdatasync, 1)

/* ---- memory: of what changes by it nothing is told but that it may */

#define MAPS(name, offset)                                                              \
  void *name(void *at, size_t length, int protection, int flags, int fd, offset place) {\
    REAL(name);                                                                         \
    if (fd < 0 || !(flags & MAP_SHARED) || !(protection & PROT_WRITE))                  \
      return real(at, length, protection, flags, fd, place);                            \
    int isMarks;                                                                        \
    char path[PATH_MAX];                                                                \
    LOCK;                                                                               \
    uint64_t inode = inodeOf(fd, &isMarks);                                             \
    pathOf(fd, path);                                                                   \
    if (inode) tell(MAP, 0, inode, place, path, strlen(path));                          \
    UNLOCK;                                                                             \
    return real(at, length, protection, flags, fd, place);                              \
  }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)
