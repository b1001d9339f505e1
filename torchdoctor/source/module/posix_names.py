"""Names that modules of the standard library have on Linux and lack on Windows.

They are what `dir()` of a module gives for CPython 3.11.7 on Linux and does not give for CPython 3.11.9 of
python.org on Windows. Left out are names that begin with "_", constants that only functions of the list take,
and `get_blocking`, `set_blocking` and `fchmod`, which Windows has since Python 3.12 and 3.13. Added are
`unshare`, `setns`, `timerfd_create` and the functions for pseudo-terminals, which came later, to Linux alone
("Availability" in https://docs.python.org/3/library/os.html). Of `socket`, what programs use.
"""

_NAMES = {
    "os": """
        EX_CANTCREAT EX_CONFIG EX_DATAERR EX_IOERR EX_NOHOST EX_NOINPUT EX_NOPERM EX_NOUSER EX_OSERR
        EX_OSFILE EX_PROTOCOL EX_SOFTWARE EX_TEMPFAIL EX_UNAVAILABLE EX_USAGE O_ACCMODE O_ASYNC O_CLOEXEC
        O_DIRECT O_DIRECTORY O_DSYNC O_FSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW
        O_NONBLOCK O_PATH O_RSYNC O_SYNC O_TMPFILE RTLD_DEEPBIND RTLD_GLOBAL RTLD_LAZY RTLD_LOCAL
        RTLD_NODELETE RTLD_NOLOAD RTLD_NOW SEEK_DATA SEEK_HOLE WCONTINUED WCOREDUMP WEXITED WEXITSTATUS
        WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG
        WUNTRACED chown chroot confstr copy_file_range ctermid environb eventfd eventfd_read
        eventfd_write fchdir fchown fdatasync fork forkpty fpathconf fstatvfs fwalk getegid getenvb
        geteuid getgid getgrouplist getgroups getloadavg getpgid getpgrp getpriority getrandom getresgid
        getresuid getsid getuid getxattr grantpt initgroups killpg lchown listxattr lockf login_tty major
        makedev memfd_create minor mkfifo mknod nice openpty pathconf pidfd_open pipe2 posix_fadvise
        posix_fallocate posix_openpt posix_spawn posix_spawnp pread preadv ptsname pwrite pwritev readv
        register_at_fork removexattr sched_get_priority_max sched_get_priority_min sched_getaffinity
        sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam
        sched_setscheduler sched_yield sendfile setegid seteuid setgid setgroups setns setpgid setpgrp
        setpriority setregid setresgid setresuid setreuid setsid setuid setxattr spawnlp spawnlpe spawnvp
        spawnvpe splice statvfs sync sysconf tcgetpgrp tcsetpgrp timerfd_create ttyname uname unlockpt
        unshare wait wait3 wait4 waitid writev
    """,
    "signal": """
        SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGHUP SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR
        SIGQUIT SIGRTMAX SIGRTMIN SIGSTKFLT SIGSTOP SIGSYS SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1
        SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ alarm getitimer pause pidfd_send_signal pthread_kill
        pthread_sigmask setitimer siginterrupt sigpending sigtimedwait sigwait sigwaitinfo
    """,
    "time": """
        clock_getres clock_gettime clock_gettime_ns clock_settime clock_settime_ns pthread_getcpuclockid
        tzset
    """,
    "select": "PIPE_BUF epoll poll",
    "mmap": """
        MADV_DODUMP MADV_DOFORK MADV_DONTDUMP MADV_DONTFORK MADV_DONTNEED MADV_FREE MADV_HUGEPAGE
        MADV_HWPOISON MADV_MERGEABLE MADV_NOHUGEPAGE MADV_NORMAL MADV_RANDOM MADV_REMOVE MADV_SEQUENTIAL
        MADV_UNMERGEABLE MADV_WILLNEED MAP_ANON MAP_ANONYMOUS MAP_DENYWRITE MAP_EXECUTABLE MAP_POPULATE
        MAP_PRIVATE MAP_SHARED MAP_STACK PROT_EXEC PROT_READ PROT_WRITE
    """,
    "socket": "AF_UNIX SO_REUSEPORT",
}

POSIX_NAMES = frozenset(f"{module}.{name}" for module, names in _NAMES.items() for name in names.split())

# Those that `importlib.util.find_spec` does not find on Windows, and `pty` and `tty`, which import `termios`.
# Left out is what a package brings there (`curses`), and what newer releases of Python have nowhere.
POSIX_MODULES = frozenset({"resource", "fcntl", "termios", "pwd", "grp", "pty", "tty", "readline", "syslog"})
