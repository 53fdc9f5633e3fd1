// System calls and variadic C functions that Swift's Glibc module does not offer.
#ifndef COURIER_CLINUX_SHIM_H
#define COURIER_CLINUX_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLINUX_RESOLVE_BENEATH RESOLVE_BENEATH
#define CLINUX_RESOLVE_NO_SYMLINKS RESOLVE_NO_SYMLINKS
#define CLINUX_RESOLVE_NO_MAGICLINKS RESOLVE_NO_MAGICLINKS

// openat2(2) has no glibc wrapper.
static inline int clinux_openat2(
    int directory, const char *_Nonnull path, uint64_t flags, uint64_t mode, uint64_t resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// open(2) is variadic, which Swift cannot call.
static inline int clinux_openat(int directory, const char *_Nonnull path, int flags, mode_t mode) {
  return openat(directory, path, flags, mode);
}

// renameat2(2); the flags are those of <stdio.h>, named again because they are behind _GNU_SOURCE.
#define CLINUX_RENAME_NOREPLACE (1u << 0)
#define CLINUX_RENAME_EXCHANGE (1u << 1)
static inline int clinux_renameat2(
    int from_directory, const char *_Nonnull from, int to_directory, const char *_Nonnull to,
    unsigned flags) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

// ioctl(2) is variadic. Returns 0 and fills columns and rows, or -1 with errno.
static inline int clinux_window_size(int fd, uint16_t *_Nonnull columns, uint16_t *_Nonnull rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

// The size of the window in pixels; 0 where the terminal does not tell.
static inline int clinux_window_pixels(int fd, uint16_t *_Nonnull width, uint16_t *_Nonnull height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
  return 0;
}

// GNU functions that the Glibc module hides; declared here as the C library declares them.
extern const char *_Nullable strerrordesc_np(int number);
extern int pthread_setname_np(pthread_t thread, const char *_Nonnull name);

static inline const char *_Nullable clinux_error_text(int number) {
  return strerrordesc_np(number);
}

static inline int clinux_name_thread(pthread_t thread, const char *_Nonnull name) {
  return pthread_setname_np(thread, name);
}

static inline int clinux_set_window_size(int fd, uint16_t columns, uint16_t rows) {
  struct winsize size = {.ws_col = columns, .ws_row = rows};
  return ioctl(fd, TIOCSWINSZ, &size);
}

// A new pseudo-terminal: the master, and through it the slave. Neither becomes the controlling
// terminal; both close on exec.
static inline int clinux_open_pseudo_terminal(int *_Nonnull master, int *_Nonnull slave) {
  int unlock = 0;
  *master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (*master < 0) return -1;
  // TIOCGPTPEER (Linux 4.13) needs no path below /dev/pts; its number is from <asm-generic/ioctls.h>.
  *slave = ioctl(*master, TIOCSPTLCK, &unlock) == 0
      ? ioctl(*master, _IO('T', 0x41), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (*slave >= 0) return 0;
  close(*master);
  return -1;
}

// <sys/xattr.h> is not part of Swift's Glibc module.
extern int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
extern ssize_t fgetxattr(int fd, const char *name, void *value, size_t size);
static inline int clinux_set_attribute(
    int fd, const char *_Nonnull name, const void *_Nullable value, size_t size) {
  return fsetxattr(fd, name, value, size, 0);
}
static inline ssize_t clinux_get_attribute(
    int fd, const char *_Nonnull name, void *_Nullable value, size_t size) {
  return fgetxattr(fd, name, value, size);
}

// fcntl(2) is variadic.
static inline int clinux_fcntl_int(int fd, int command, int argument) {
  return fcntl(fd, command, argument);
}

// sync_file_range(2) is behind _GNU_SOURCE; this is SYNC_FILE_RANGE_WRITE for the whole file.
static inline int clinux_start_write_back(int fd) {
  return sync_file_range(fd, 0, 0, 2);
}

// syncfs(2) is behind _GNU_SOURCE.
static inline int clinux_sync_file_system(int fd) { return syncfs(fd); }

// fallocate(2) is behind _GNU_SOURCE. Keeps the length of the file.
static inline int clinux_reserve(int fd, off_t length) {
  return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, length);
}
#endif
