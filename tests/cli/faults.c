// A library that is loaded before the C library, and makes the program's calls to the file system fail.
//
// Calls that change files are counted: opening to write, writing to a file, syncing, cutting, renaming,
// linking, removing, locking. At call number FAULT_AT, from 1, happens what FAULT says:
//
//   die     the process is killed before the call
//   half    a write writes half of its bytes, then the process is killed; other calls as with `die`
//   stop    the process is stopped before the call, until somebody lets it go on
//   press   Ctrl-C is pressed before the call, which goes on
//   ERRNO   the call fails with this number, and so do all that write or sync after it
//
// The call's name is then written to the file FAULT_TOLD: if that file is not there, there were fewer calls.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

static void tell(const char *call) {
    const char *path = getenv("FAULT_TOLD");
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    syscall(SYS_write, file, call, strlen(call));
    syscall(SYS_close, file);
}

static void die(void) {
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    for (;;) pause();
}

// Whether this call fails; `needs_room` calls go on failing. A death does not return, but for that of a write:
// `half`, if not null, is then set.
static int fails(const char *call, int needs_room, int *half) {
    const char *at = getenv("FAULT_AT"), *what = getenv("FAULT");
    if (!at || !what) return 0;
    int number = atomic_fetch_add(&calls, 1) + 1, first = atoi(at);
    if (number < first) return 0;
    int error = atoi(what);
    if (number > first) {
        if (error && needs_room) errno = error;
        return error && needs_room;
    }
    tell(call);
    if (error) {
        errno = error;
        return 1;
    }
    if (!strcmp(what, "stop")) {
        syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
        return 0;
    }
    if (!strcmp(what, "press")) {
        syscall(SYS_kill, syscall(SYS_getpid), SIGINT);
        return 0;
    }
    if (half && !strcmp(what, "half")) {
        *half = 1;
        return 0;
    }
    die();
    return 0;
}

static int is_file(int fd) {
    struct stat found;
    return fd > 2 && !fstat(fd, &found) && S_ISREG(found.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(const char *call, int at, const char *path, int flags, va_list rest) {
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    int writes = flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
    if (writes && strncmp(path, "/dev/", 5) && fails(call, 0, 0)) return -1;
    return syscall(SYS_openat, at, path, flags, mode);
}

#define OPEN(name)                                                  \
    int name(const char *path, int flags, ...) {                    \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        int file = opened(#name, AT_FDCWD, path, flags, rest);      \
        va_end(rest);                                               \
        return file;                                                \
    }
#define OPENAT(name)                                                \
    int name(int at, const char *path, int flags, ...) {            \
        va_list rest;                                               \
        va_start(rest, flags);                                      \
        int file = opened(#name, at, path, flags, rest);            \
        va_end(rest);                                               \
        return file;                                                \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *bytes, size_t length) {
    int half = 0;
    if (is_file(fd) && fails("write", 1, &half)) return -1;
    ssize_t written = syscall(SYS_write, fd, bytes, half ? length / 2 : length);
    if (half) die();
    return written;
}

#define CALL(name, needs_room, declared, given)                     \
    int name declared {                                             \
        if (fails(#name, needs_room, 0)) return -1;                 \
        return REAL(name) given;                                    \
    }
CALL(fsync, 1, (int fd), (fd))
CALL(fdatasync, 1, (int fd), (fd))
CALL(ftruncate, 1, (int fd, off_t length), (fd, length))
CALL(ftruncate64, 1, (int fd, off64_t length), (fd, length))
CALL(rename, 0, (const char *from, const char *to), (from, to))
CALL(renameat2, 0, (int at, const char *from, int into, const char *to, unsigned how), (at, from, into, to, how))
CALL(link, 0, (const char *from, const char *to), (from, to))
CALL(linkat, 0, (int at, const char *from, int into, const char *to, int how), (at, from, into, to, how))
CALL(unlink, 0, (const char *path), (path))
CALL(unlinkat, 0, (int at, const char *path, int how), (at, path, how))
CALL(mkdir, 0, (const char *path, mode_t mode), (path, mode))
CALL(rmdir, 0, (const char *path), (path))
CALL(flock, 0, (int fd, int how), (fd, how))
