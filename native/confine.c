/*
 * confine: takes rights away from itself and then becomes another program, which can't get them back.
 *
 *   confine [-r PATH]... [-w PATH]... [-d PATH]... [-l] [-s] [-t] -- PROGRAM [ARGUMENT]...
 *
 *   -r PATH  may be read and run, with all below it
 *   -w PATH  may be written too
 *   -d PATH  a device: may be read, written and controlled
 *   -l       no rules for files: only the list of system calls (for use inside namespaces, which hide files better)
 *   -s       sockets are allowed (for use inside a network namespace)
 *   -t       tries what must be refused and prints one line, "open NAME", for each that isn't
 *
 * What no option names is not to be reached at all. Every failure ends it with code 125 and a line on standard error, before the
 * program was started: there is no half of a sandbox. Needs Linux 6.2 (Landlock 3), because an older one lets files be truncated.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* From the kernel's user-space interface (linux/landlock.h, linux/seccomp.h, linux/filter.h), which a small C library doesn't bring. */
struct ruleset_attr { uint64_t fs, net, scoped; };
struct path_rule { uint64_t access; int32_t parent; } __attribute__((packed));
struct filter_line { uint16_t code; uint8_t yes, no; uint32_t value; };
struct filter_program { uint16_t length; struct filter_line *lines; };

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { OLDEST_LANDLOCK = 3 };

#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)
#define FS_MAKE_CHAR (1ULL << 6)
#define FS_MAKE_BLOCK (1ULL << 11)
#define FS_ALL_3 ((1ULL << 15) - 1)

#define READS (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
#define FILE_RIGHTS (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
/* All but devices: nobody makes one, and an existing one is granted by name. */
#define WRITES (FS_ALL_3 & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK))
#define DEVICE (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_READ_DIR | FS_IOCTL_DEV)

#if defined(__x86_64__)
#define THIS_MACHINE 0xC000003Eu
#elif defined(__aarch64__)
#define THIS_MACHINE 0xC00000B7u
#else
#error "not a known machine"
#endif

static void fail(const char *what, const char *name) {
  fprintf(stderr, "confine: %s %s: %s\n", what, name, strerror(errno));
  exit(125);
}

/* ---- files ---- */

static void allow(int ruleset, const char *path, uint64_t access) {
  int fd = open(path, O_PATH | O_CLOEXEC);
  /* What has gone since the list was made can't be reached anyway. */
  if (fd < 0) return;
  struct stat status;
  if (fstat(fd, &status) != 0) fail("can't look at", path);
  if (!S_ISDIR(status.st_mode)) access &= FILE_RIGHTS;
  struct path_rule rule = { .access = access, .parent = fd };
  if (access != 0 && syscall(ADD_RULE, ruleset, 1, &rule, 0) != 0) fail("can't allow", path);
  close(fd);
}

/* A ruleset that handles all that this kernel knows of the rights to files, of TCP, and of signals and sockets without a file. */
static int new_ruleset(uint64_t *handled) {
  long version = syscall(CREATE_RULESET, NULL, 0, 1);
  if (version < OLDEST_LANDLOCK) {
    if (version >= 0) errno = ENOSYS;
    fail("this kernel has no", "Landlock 3 (Linux 6.2)");
  }
  struct ruleset_attr attributes = {
    .fs = FS_ALL_3 | (version >= 5 ? FS_IOCTL_DEV : 0),
    .net = version >= 4 ? 3 : 0,
    .scoped = version >= 6 ? 3 : 0,
  };
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(CREATE_RULESET, &attributes, size, 0);
  if (ruleset < 0) fail("can't make", "a ruleset");
  *handled = attributes.fs;
  return ruleset;
}

/* ---- system calls ---- */

enum { LOAD = 0x20, EQUAL = 0x15, AT_LEAST = 0x35, ANY_BIT = 0x45, ANSWER = 0x06 };
#define ALLOWED 0x7fff0000u
#define REFUSED(error) (0x00050000u | (error))

enum { MOST_LINES = 400 };
static struct filter_line lines[MOST_LINES];
static int count;

static void line(uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
  if (count == MOST_LINES) { errno = E2BIG; fail("too many", "lines of the filter"); }
  lines[count++] = (struct filter_line){ code, yes, no, value };
}

/* The number of the call is loaded. */
static void refuse(uint32_t number, uint32_t error) {
  line(EQUAL, number, 0, 1);
  line(ANSWER, REFUSED(error), 0, 0);
}

/* Refuses a call by the low half of one argument: code is EQUAL to the value or has ANY_BIT of it. */
static void refuse_argument(uint32_t number, int argument, uint16_t code, uint32_t value) {
  line(EQUAL, number, 0, 4);
  line(LOAD, (uint32_t)(16 + 8 * argument), 0, 0);
  line(code, value, 0, 1);
  line(ANSWER, REFUSED(EPERM), 0, 0);
  line(LOAD, 0, 0, 0);
}

/* Mounts, namespaces, keys, programs in the kernel, the machine's clock, name and end, and further doors to what is refused here
 * (io_uring makes sockets, a handle opens files by number). Debuggers work: Landlock, or a namespace, keeps them from processes outside. */
static const uint32_t refused[] = {
  SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
  432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */, 467 /* open_tree_attr */,
  SYS_unshare, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
  425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
  SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_syslog, SYS_acct, SYS_quotactl, 443 /* quotactl_fd */, SYS_swapon, SYS_swapoff,
  SYS_reboot, SYS_kexec_load, 294 + (THIS_MACHINE == 0xC000003Eu ? 26 : 0) /* kexec_file_load */, SYS_init_module, SYS_finit_module,
  SYS_delete_module, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname,
  SYS_vhangup,
#if defined(__x86_64__)
  SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS__sysctl,
#endif
};

static void filter_calls(int sockets) {
  line(LOAD, 4, 0, 0);
  line(EQUAL, THIS_MACHINE, 1, 0);
  line(ANSWER, REFUSED(ENOSYS), 0, 0);
  line(LOAD, 0, 0, 0);
#if defined(__x86_64__)
  /* The same calls under other numbers. */
  line(AT_LEAST, 0x40000000u, 0, 1);
  line(ANSWER, REFUSED(ENOSYS), 0, 0);
#endif
  for (size_t index = 0; index < sizeof refused / sizeof *refused; index++) refuse(refused[index], EPERM);
  /* Its flags lie in memory, where a filter can't look; C libraries then use the older one. */
  refuse(435 /* clone3 */, ENOSYS);
  refuse(452 /* fchmodat2 */, ENOSYS);
  refuse_argument(SYS_clone, 0, ANY_BIT,
                  CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP);
  /* Typing into a terminal as if a person did. */
  refuse_argument(SYS_ioctl, 1, EQUAL, 0x5412 /* TIOCSTI */);
  refuse_argument(SYS_ioctl, 1, EQUAL, 0x541C /* TIOCLINUX */);
  /* A pair of connected sockets leads nowhere; it is another call. */
  if (!sockets) refuse(SYS_socket, EACCES);
  line(ANSWER, ALLOWED, 0, 0);
  struct filter_program program = { (uint16_t)count, lines };
  if (prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, &program) != 0) fail("can't limit", "system calls");
}

/* ---- rights ---- */

/* Only root has some; without them it is no more than the owner of its files. */
static void drop_capabilities(void) {
  for (int one = 0; one < 64; one++) prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct { uint32_t version; int pid; } header = { 0x20080522, 0 };
  struct { uint32_t effective, permitted, inheritable; } none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
  if (syscall(SYS_capset, &header, none) != 0) fail("can't give up", "capabilities");
}

/* When memory is short, the kernel takes commands before what started them. Afterwards this file is out of reach. */
static void go_first(void) {
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, "500", 3) != 3) errno = 0;
  close(fd);
}

static void try_refused(int sockets, int files) {
  if (!sockets && (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_INET6, SOCK_DGRAM, 0) >= 0)) puts("open network");
  if (!sockets && socket(AF_UNIX, SOCK_STREAM, 0) >= 0) puts("open sockets");
  if (files && syscall(SYS_ptrace, PTRACE_ATTACH, getppid(), 0, 0) == 0) puts("open ptrace");
  if (syscall(SYS_unshare, CLONE_NEWUSER) == 0) puts("open namespaces");
  if (syscall(425, 1, NULL) != -1 || errno != EPERM) puts("open io_uring");
  fflush(stdout);
}

int main(int argc, char **argv) {
  int sockets = 0, files = 1, tries = 0, option;
  for (; (option = getopt(argc, argv, "+r:w:d:lst")) != -1;) {
    if (option == 'l') files = 0;
    else if (option == 's') sockets = 1;
    else if (option == 't') tries = 1;
    else if (option == '?') return 125;
  }
  if (optind >= argc) { errno = EINVAL; fail("needs", "a program"); }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("can't forbid", "new rights");
  if (files) {
    /* What leaves its parent stays below this process, where it is found and ended. */
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    go_first();
    uint64_t handled;
    int ruleset = new_ruleset(&handled), first = optind;
    for (optind = 1; (option = getopt(argc, argv, "+r:w:d:lst")) != -1;) {
      if (option == 'r') allow(ruleset, optarg, READS & handled);
      if (option == 'w') allow(ruleset, optarg, WRITES & handled);
      if (option == 'd') allow(ruleset, optarg, DEVICE & handled);
    }
    optind = first;
    drop_capabilities();
    if (syscall(RESTRICT_SELF, ruleset, 0) != 0) fail("can't restrict", "itself");
    close(ruleset);
  }
  filter_calls(sockets);
  if (tries) try_refused(sockets, files);
  execvp(argv[optind], argv + optind);
  fail("can't run", argv[optind]);
}
