#include "core/io/common/confine.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define APRSCOPE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define APRSCOPE_SANITIZED 1
#endif
#endif

namespace aprscope {
namespace {

void close_all_but(unsigned first, unsigned second) {
  const unsigned low = first < second ? first : second;
  const unsigned high = first < second ? second : first;
  const auto close_range = [](unsigned from, unsigned to) {
    if (from > to) return;
    if (::syscall(SYS_close_range, from, to, 0U) == 0) return;
    // Linux before 5.9 has no close_range(): close one by one.
    const long most = ::sysconf(_SC_OPEN_MAX);
    const auto limit = most > 0 ? static_cast<unsigned>(most) : 65536U;
    for (unsigned fd = from; fd <= to && fd < limit; ++fd) ::close(static_cast<int>(fd));
  };
  if (low > 0) close_range(0, low - 1);
  close_range(low + 1, high - 1);
  close_range(high + 1, ~0U);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  // A terminal sends these to all processes of a group; the program decides what they mean.
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP}) ::signal(number, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void limit(__rlimit_resource_t what, rlim_t most) {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  now.rlim_cur = now.rlim_max = most;
  ::setrlimit(what, &now);
}

#ifndef APRSCOPE_SANITIZED
#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kMachine = 0;
#endif

// Bytes of address space that the kernel counts for this process; 0 when it does not say.
std::uint64_t mapped_bytes() {
  std::array<char, 128> text{};
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t got = ::read(fd, text.data(), text.size() - 1);
  ::close(fd);
  if (got <= 0) return 0;
  return std::strtoull(text.data(), nullptr, 10) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// System calls that the library, the C++ runtime and malloc need between two messages.
constexpr std::array kAllowed = {
    SYS_read,   SYS_write,       SYS_pread64,       SYS_lseek,          SYS_fstat,
    SYS_brk,    SYS_munmap,      SYS_mremap,        SYS_madvise,        SYS_futex,
    SYS_exit,   SYS_exit_group,  SYS_rt_sigreturn,  SYS_rt_sigprocmask, SYS_sched_yield,
    SYS_getpid, SYS_gettid,      SYS_clock_gettime, SYS_gettimeofday,   SYS_setitimer,
    SYS_tgkill, SYS_rt_sigaction};

constexpr sock_filter statement(unsigned code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}
constexpr sock_filter jump(unsigned code, std::uint32_t value, unsigned yes, unsigned no) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(yes),
          static_cast<std::uint8_t>(no), value};
}

void allow_few_calls() {
  if (kMachine == 0) return;
  // The third argument of mmap and mprotect: what may be done with the memory. Machine order is
  // little-endian on all machines of kMachine.
  constexpr std::uint32_t kThird = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
  constexpr std::uint32_t kExecutable = 4;
  constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  std::array<sock_filter, 16 + 2 * kAllowed.size()> code{};
  std::size_t n = 0;
  const auto add = [&](const sock_filter& line) { code[n++] = line; };
  add(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0));
  add(statement(BPF_RET | BPF_K, kRefuse));
  add(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const auto call : kAllowed) {
    add(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 2, 0));
  add(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0));
  add(statement(BPF_RET | BPF_K, kRefuse));
  add(statement(BPF_LD | BPF_W | BPF_ABS, kThird));
  add(jump(BPF_JMP | BPF_JSET | BPF_K, kExecutable, 0, 1));
  add(statement(BPF_RET | BPF_K, kRefuse));
  add(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(n), code.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#endif

}  // namespace

void confine(int first, int second, [[maybe_unused]] std::uint64_t more_bytes) {
  reset_signals();
  limit(RLIMIT_CORE, 0);
#ifndef APRSCOPE_SANITIZED
  if (const std::uint64_t mapped = mapped_bytes(); mapped > 0)
    limit(RLIMIT_AS, mapped + more_bytes);
#endif
  close_all_but(static_cast<unsigned>(first), static_cast<unsigned>(second));
#ifndef APRSCOPE_SANITIZED
  // Fills new memory, so that uninitialised memory, which a damaged file may make the library read,
  // is always the same and never old contents of the program.
  ::mallopt(M_PERTURB, 0xA5);
  allow_few_calls();
#endif
}

void end_after(double seconds) {
  const double whole = std::floor(seconds);
  itimerval time{};
  time.it_value.tv_sec = static_cast<time_t>(whole);
  time.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  ::setitimer(ITIMER_PROF, &time, nullptr);
}

}  // namespace aprscope
