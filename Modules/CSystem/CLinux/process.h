// Child processes, descriptor passing, memory files and confinement.
#ifndef COURIER_CLINUX_PROCESS_H
#define COURIER_CLINUX_PROCESS_H

// Headers that declare `struct timespec` and the like are left out: Swift would take this module for
// the home of those types and hide them from files that import Glibc alone.
#include "shim.h"
#include <stddef.h>

// memfd_create(2), behind _GNU_SOURCE. The file may be sealed and is closed on exec.
static inline int clinux_memfd(const char *_Nonnull name) {
  return (int)syscall(SYS_memfd_create, name, 3u /* MFD_CLOEXEC | MFD_ALLOW_SEALING */);
}

// F_ADD_SEALS and the seals are behind _GNU_SOURCE.
#define CLINUX_SEAL_SEAL 1
#define CLINUX_SEAL_SHRINK 2
#define CLINUX_SEAL_GROW 4
#define CLINUX_SEAL_WRITE 8
static inline int clinux_add_seals(int fd, int seals) { return fcntl(fd, 1033, seals); }
static inline int clinux_get_seals(int fd) { return fcntl(fd, 1034); }

// eventfd2(2) with EFD_CLOEXEC and EFD_NONBLOCK, whose values are those of the open(2) flags.
static inline int clinux_eventfd(void) {
  return (int)syscall(SYS_eventfd2, 0u, O_CLOEXEC | O_NONBLOCK);
}

static inline int clinux_pipe(int *_Nonnull pair) {
  return (int)syscall(SYS_pipe2, pair, O_CLOEXEC);
}

// What sendmsg(2) and recvmsg(2) exchange with the kernel, one part and one descriptor at most.
struct clinux_message {
  void *_Nullable name;
  uint32_t name_length;
  struct {
    void *_Nullable base;
    size_t count;
  } *_Nullable parts;
  size_t part_count;
  void *_Nullable control;
  size_t control_length;
  uint32_t flags;
};
struct clinux_control {
  size_t length;
  int level;  // SOL_SOCKET, 1
  int type;   // SCM_RIGHTS, 1
  int descriptor;
  int padding;
};
#define CLINUX_CONTROL_LENGTH (sizeof(size_t) + 3 * sizeof(int))

// socketpair(2) with AF_UNIX and SOCK_SEQPACKET: connected sockets that keep message boundaries.
static inline int clinux_message_pair(int *_Nonnull pair) {
  return (int)syscall(SYS_socketpair, 1, 5 | O_CLOEXEC, 0, pair);
}

// Sends one message, with one descriptor unless it is -1 (unix(7)). Never SIGPIPE.
static inline ssize_t clinux_send(
    int socket, const void *_Nonnull bytes, size_t count, int descriptor, int wait) {
  struct { void *base; size_t count; } part = {(void *)bytes, count};
  struct clinux_control control = {CLINUX_CONTROL_LENGTH, 1, 1, descriptor, 0};
  struct clinux_message message = {.parts = (void *)&part, .part_count = 1};
  if (descriptor >= 0) {
    message.control = &control;
    message.control_length = sizeof control;
  }
  return syscall(SYS_sendmsg, socket, &message, 0x4000 | (wait ? 0 : 0x40));
}

// Receives one message and the descriptor that came with it, or -1 in its place.
static inline ssize_t clinux_receive(
    int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor) {
  struct { void *base; size_t count; } part = {bytes, count};
  struct clinux_control control = {0, 0, 0, -1, 0};
  struct clinux_message message = {
      .parts = (void *)&part, .part_count = 1, .control = &control,
      .control_length = sizeof control};
  *descriptor = -1;
  ssize_t got = syscall(SYS_recvmsg, socket, &message, 0x40000000 /* MSG_CMSG_CLOEXEC */);
  if (got >= 0 && message.control_length >= CLINUX_CONTROL_LENGTH && control.level == 1 &&
      control.type == 1 && control.length == CLINUX_CONTROL_LENGTH)
    *descriptor = control.descriptor;
  return got;
}

// Closes every descriptor from `least` on in the program to start; behind _GNU_SOURCE in <spawn.h>.
// The actions are a posix_spawn_file_actions_t.
int posix_spawn_file_actions_addclosefrom_np(void *_Nonnull actions, int least);

// fork(2), which Swift does not offer; for a process with one thread.
static inline int clinux_fork(void) { return fork(); }

// Forks a child of this process's own parent (CLONE_PARENT), for a process with one thread. What
// pthread_atfork(3) arranges does not happen, and the C library goes on to take the new process's thread
// for the old one where it compares numbers of its own.
static inline int clinux_fork_sibling(void) {
  return (int)syscall(SYS_clone, 0x8000ul | 17 /* CLONE_PARENT | SIGCHLD */, 0ul, 0ul, 0ul, 0ul);
}

// close_range(2): every descriptor from `least` on.
static inline int clinux_close_from(int least) {
  return (int)syscall(SYS_close_range, least, ~0u, 0u);
}

// The environment; Swift does not import the variable.
extern char *_Nullable *_Nullable environ;
static inline char *_Nullable *_Nullable clinux_environment(void) { return environ; }

// prctl(2) is variadic.
static inline int clinux_prctl(int option, unsigned long argument) {
  return (int)syscall(SYS_prctl, option, argument, 0ul, 0ul, 0ul);
}
#define CLINUX_PR_SET_PDEATHSIG 1
#define CLINUX_PR_SET_DUMPABLE 4
#define CLINUX_PR_SET_NO_NEW_PRIVS 38

// The resource constants are an enumeration that Swift sees as a type of its own.
#define CLINUX_LIMIT_CPU 0
#define CLINUX_LIMIT_FILE_SIZE 1
#define CLINUX_LIMIT_CORE 4
#define CLINUX_LIMIT_PROCESSES 6
#define CLINUX_LIMIT_FILES 7
#define CLINUX_LIMIT_ADDRESS_SPACE 9
// Sets the soft limit, and the hard one too where asked; another process by its number, 0 for this.
static inline int clinux_set_limit(pid_t pid, int resource, uint64_t soft, int hard) {
  uint64_t old[2] = {0, 0};
  if (syscall(SYS_prlimit64, pid, resource, (void *)0, old) != 0) return -1;
  uint64_t limit[2] = {soft < old[1] ? soft : old[1], hard && soft < old[1] ? soft : old[1]};
  return (int)syscall(SYS_prlimit64, pid, resource, limit, (void *)0);
}

// seccomp(2) with SECCOMP_GET_ACTION_AVAIL: 0 when the kernel filters calls and can kill a process.
static inline int clinux_seccomp_available(void) {
  uint32_t kill_process = 0x80000000u;
  return (int)syscall(SYS_seccomp, 2u, 0u, &kill_process);
}

// Landlock (landlock(7)); the structures are as in Linux 6.12, shorter ones for older kernels.
#define CLINUX_LANDLOCK_EXECUTE (1ull << 0)
#define CLINUX_LANDLOCK_READ_FILE (1ull << 2)
#define CLINUX_LANDLOCK_READ_DIRECTORY (1ull << 3)
struct clinux_landlock_ruleset {
  uint64_t file_system;
  uint64_t network;
  uint64_t scopes;
};
// The version of the interface, 1 and up; -1 where the kernel has none or it is switched off.
static inline int clinux_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, (void *)0, 0ul, 1u);
}
static inline int clinux_landlock_create(
    const struct clinux_landlock_ruleset *_Nonnull ruleset, size_t size) {
  return (int)syscall(SYS_landlock_create_ruleset, ruleset, size, 0u);
}
static inline int clinux_landlock_allow(int ruleset, uint64_t access, int directory) {
  struct {
    uint64_t access;
    int32_t directory;
  } __attribute__((packed)) rule = {access, directory};
  return (int)syscall(SYS_landlock_add_rule, ruleset, 1u /* PATH_BENEATH */, &rule, 0u);
}
static inline int clinux_landlock_restrict(int ruleset) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0u);
}
#endif
