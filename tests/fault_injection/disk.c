/* Preloaded into a program (LD_PRELOAD): writes down all that it does to files below $DISK_ROOT, in order, into
 * $DISK_LOG, and makes chosen calls fail on demand. tests/fault_injection/disk.py reads the log and works the controls.
 *
 * A record is: kind (1 byte), inode, number, length of the data (8 bytes each, this machine's order), the data.
 *   C inode 0 path          a file was opened that may be written (made, or there already)
 *   W inode offset bytes    written
 *   T inode length          truncated, or made longer
 *   S inode                 fsync or fdatasync came back
 *   M 0 0 path              a folder was made
 *   D 0 0 path              a folder's fsync came back
 *   R 0 0 from NUL to       renamed
 *   L 0 0 from NUL to       given a second name (link)
 *   U 0 0 path              removed
 *   A 0 number text         disk_ack(): the program says that something is safe now
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FDS 4096
#define SHORT (-1)               /* in place of an errno: a write that takes only half of the data */
#define REAL(name) ((__typeof__(&name))real(#name))

static ino_t inode_of[FDS];       /* 0: none of ours */
static char *folder_of[FDS];      /* path of a folder that is open */
static char is_file[FDS];         /* a file below the root, open in any way */
static char root[PATH_MAX];
static int log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls, fail_from = -1, fail_count;
static int fail_with;
static long read_failures;        /* that many reads are still to fail */

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("DISK_ROOT"), *path = getenv("DISK_LOG");
    if (!folder || !realpath(folder, root)) root[0] = 0;
    if (path && root[0]) log_fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Whether the path lies below the root. Relative ones do not occur: the journal's are absolute. */
static int ours(const char *path)
{
    size_t n = strlen(root);
    return n && path && !strncmp(path, root, n) && (path[n] == '/' || !path[n]);
}

static void note(char kind, uint64_t inode, uint64_t number, const void *data, uint64_t length)
{
    if (log_fd < 0) return;
    char head[25];
    head[0] = kind;
    memcpy(head + 1, &inode, 8);
    memcpy(head + 9, &number, 8);
    memcpy(head + 17, &length, 8);
    pthread_mutex_lock(&lock);
    if (syscall(SYS_write, log_fd, head, sizeof head) < 0) abort();
    if (length && syscall(SYS_write, log_fd, data, length) < 0) abort();
    pthread_mutex_unlock(&lock);
}

/* One more call that changes the disk: the errno with which it is to fail, or SHORT, or 0. */
static int next_fault(void)
{
    long number = __sync_fetch_and_add(&calls, 1);
    if (fail_from < 0 || number < fail_from || (fail_count && number >= fail_from + fail_count)) return 0;
    return fail_with;
}

/* Whether a call other than a write is to fail: nothing else can be done by half. */
static int fails(void)
{
    int fault = next_fault();
    if (!fault || fault == SHORT) return 0;
    errno = fault;
    return 1;
}

/* The controls, called through ctypes. */
void disk_fail(long in, long count, int error) { fail_count = count; fail_with = error; fail_from = in < 0 ? -1 : calls + in; }
void disk_fail_reads(long count) { read_failures = count; }
void disk_ack(uint64_t number, const char *text) { note('A', 0, number, text, strlen(text)); }

static int opened(int fd, const char *path, int flags)
{
    struct stat about;
    if (fd < 0 || fd >= FDS || !ours(path) || fstat(fd, &about)) return fd;
    if (S_ISDIR(about.st_mode)) {
        free(folder_of[fd]);
        folder_of[fd] = strdup(path);
        return fd;
    }
    is_file[fd] = 1;
    if ((flags & O_ACCMODE) != O_RDONLY) {
        inode_of[fd] = about.st_ino;
        note('C', about.st_ino, 0, path, strlen(path));
        if (flags & O_TRUNC) note('T', about.st_ino, 0, 0, 0);
    }
    return fd;
}

static int open_at(int at, const char *path, int flags, va_list rest)
{
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    if (ours(path) && flags & O_CREAT && access(path, F_OK) && fails()) return -1;
    return opened((int)syscall(SYS_openat, at, path, flags, mode), path, flags);
}

#define OPEN(name)                                            \
    int name(const char *path, int flags, ...)                \
    {                                                         \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        int fd = open_at(AT_FDCWD, path, flags, rest);        \
        va_end(rest);                                         \
        return fd;                                            \
    }
#define OPENAT(name)                                          \
    int name(int at, const char *path, int flags, ...)        \
    {                                                         \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        int fd = open_at(at, path, flags, rest);              \
        va_end(rest);                                         \
        return fd;                                            \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int close(int fd)
{
    if (fd >= 0 && fd < FDS) {
        inode_of[fd] = is_file[fd] = 0;
        free(folder_of[fd]);
        folder_of[fd] = 0;
    }
    return (int)syscall(SYS_close, fd);
}

/* A read that fails as a bad sector does. */
static int read_fails(int fd)
{
    if (fd < 0 || fd >= FDS || !is_file[fd] || read_failures <= 0) return 0;
    read_failures--;
    errno = EIO;
    return 1;
}
ssize_t read(int fd, void *data, size_t length) { return read_fails(fd) ? -1 : syscall(SYS_read, fd, data, length); }
static ssize_t read_at(int fd, void *data, size_t length, off64_t at)
{
    return read_fails(fd) ? -1 : syscall(SYS_pread64, fd, data, length, at);
}
ssize_t pread(int fd, void *data, size_t length, off_t at) { return read_at(fd, data, length, at); }
ssize_t pread64(int fd, void *data, size_t length, off64_t at) { return read_at(fd, data, length, at); }

static ino_t is_ours(int fd) { return fd >= 0 && fd < FDS ? inode_of[fd] : 0; }

/* Writes at an offset, or where the file stands. */
#define AT_POSITION (-1)
static ssize_t put(int fd, const void *data, size_t length, off64_t at)
{
    return at == AT_POSITION ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, at);
}

/* Where a write began that took so much. One to a file that was opened to append goes to its end, pwrite as well. */
static off64_t find_start(int fd, off64_t at, ssize_t done)
{
    if (fcntl(fd, F_GETFL) & O_APPEND) return lseek(fd, 0, SEEK_END) - done;
    return at == AT_POSITION ? lseek(fd, 0, SEEK_CUR) - done : at;
}

static ssize_t written(int fd, const void *data, size_t length, off64_t at)
{
    ino_t inode = is_ours(fd);
    if (!inode) return put(fd, data, length, at);
    int fault = next_fault();
    size_t taken = length;
    /* A short write takes half and says so; a disk that fills up takes what still fits, and says nothing of it. */
    if (fault == SHORT) taken = length - length / 2;
    else if (fault == ENOSPC && length > 512) taken = 512;
    else if (fault) taken = 0;
    ssize_t done = taken || !length ? put(fd, data, taken, at) : 0;
    if (done > 0) note('W', inode, find_start(fd, at, done), data, done);
    if (!fault || fault == SHORT) return done;
    if (done > 0 && at == AT_POSITION) lseek(fd, -done, SEEK_CUR);
    errno = fault;
    return -1;
}
ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, AT_POSITION); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return written(fd, data, length, at); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) { return written(fd, data, length, at); }

/* Joins the pieces, so that one record and one fault stand for one call. */
static ssize_t written_pieces(int fd, const struct iovec *pieces, int count, off64_t at)
{
    size_t length = 0, end = 0;
    for (int i = 0; i < count; i++) length += pieces[i].iov_len;
    char *data = malloc(length + 1);
    if (!data) abort();
    for (int i = 0; i < count; end += pieces[i++].iov_len) memcpy(data + end, pieces[i].iov_base, pieces[i].iov_len);
    ssize_t done = written(fd, data, length, at);
    int error = errno;
    free(data);
    errno = error;
    return done;
}
ssize_t writev(int fd, const struct iovec *pieces, int count) { return written_pieces(fd, pieces, count, AT_POSITION); }
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t at) { return written_pieces(fd, pieces, count, at); }
ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t at)
{
    return written_pieces(fd, pieces, count, at);
}
ssize_t pwritev2(int fd, const struct iovec *pieces, int count, off_t at, int flags)
{
    (void)flags; /* they change no content */
    return written_pieces(fd, pieces, count, at);
}
ssize_t pwritev64v2(int fd, const struct iovec *pieces, int count, off64_t at, int flags)
{
    (void)flags;
    return written_pieces(fd, pieces, count, at);
}

static int truncated(int fd, off64_t length)
{
    ino_t inode = is_ours(fd);
    if (inode && fails()) return -1;
    int bad = (int)syscall(SYS_ftruncate, fd, length);
    if (inode && !bad) note('T', inode, length, 0, 0);
    return bad;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

static int synced(int fd, long call)
{
    ino_t inode = is_ours(fd);
    char *folder = fd >= 0 && fd < FDS ? folder_of[fd] : 0;
    if ((inode || folder) && fails()) return -1;
    int bad = (int)syscall(call, fd);
    if (inode && !bad) note('S', inode, 0, 0, 0);
    if (folder && !bad) note('D', 0, 0, folder, strlen(folder));
    return bad;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

static int named(char kind, int (*call)(const char *, const char *), const char *from, const char *to)
{
    if (!ours(from)) return call(from, to);
    if (fails()) return -1;
    int bad = call(from, to);
    char both[2 * PATH_MAX];
    int length = snprintf(both, sizeof both, "%s%c%s", from, 0, to);
    if (!bad) note(kind, 0, 0, both, length);
    return bad;
}
int rename(const char *from, const char *to) { return named('R', REAL(rename), from, to); }
int link(const char *from, const char *to) { return named('L', REAL(link), from, to); }

static int removed(const char *path, int bad)
{
    if (!bad && ours(path)) note('U', 0, 0, path, strlen(path));
    return bad;
}
int unlink(const char *path)
{
    if (ours(path) && !access(path, F_OK) && fails()) return -1;
    return removed(path, REAL(unlink)(path));
}
int unlinkat(int at, const char *path, int flags)
{
    if (ours(path) && !access(path, F_OK) && fails()) return -1;
    return removed(path, REAL(unlinkat)(at, path, flags));
}

int mkdir(const char *path, mode_t mode)
{
    if (ours(path) && access(path, F_OK) && fails()) return -1;
    int bad = REAL(mkdir)(path, mode);
    if (!bad && ours(path)) note('M', 0, 0, path, strlen(path));
    return bad;
}
