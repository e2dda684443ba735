#include "core/base/system.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

namespace aprscope {
namespace {

std::atomic<int> chosen_threads{0};
// The highest peak that the system reported before a PeakMeter reset its mark.
std::atomic<std::uint64_t> highest_before{0};

// A value in kB from a "Name:   123 kB" line of a file under /proc.
std::uint64_t proc_kilobytes(const char* file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, name.size(), name) == 0) {
      return std::strtoull(line.c_str() + name.size(), nullptr, 10);
    }
  }
  return 0;
}

}  // namespace

int thread_count() {
  const int chosen = chosen_threads.load();
  if (chosen > 0) return chosen;
  const unsigned cores = std::thread::hardware_concurrency();
  return cores > 0 ? static_cast<int>(cores) : 1;
}

void set_thread_count(int threads) { chosen_threads.store(threads > 0 ? threads : 0); }

void lower_thread_priority(int steps) {
#if defined(__linux__)
  // On Linux, unlike in POSIX, a priority belongs to one thread; threads it starts inherit it.
  const int now = getpriority(PRIO_PROCESS, 0);
  setpriority(PRIO_PROCESS, 0, now + steps);
#else
  static_cast<void>(steps);
#endif
}

std::uint64_t resident_bytes() { return proc_kilobytes("/proc/self/status", "VmRSS:") * 1024; }

std::uint64_t peak_resident_bytes() {
  return std::max(highest_before.load(), proc_kilobytes("/proc/self/status", "VmHWM:") * 1024);
}

PeakMeter::PeakMeter() {
#if defined(__GLIBC__)
  // Memory that the C library keeps for reuse would hide the first allocations: give it back.
  malloc_trim(0);
#endif
  std::uint64_t known = highest_before.load();
  const std::uint64_t now = peak_resident_bytes();
  while (known < now && !highest_before.compare_exchange_weak(known, now)) {
  }
  // "5" sets the mark back to what the process holds now (Linux, proc(5)).
  std::ofstream reset("/proc/self/clear_refs");
  reset << "5" << std::flush;
  works_ = static_cast<bool>(reset);
  before_ = resident_bytes();
}

std::optional<std::uint64_t> PeakMeter::extra() const {
  const std::uint64_t highest = proc_kilobytes("/proc/self/status", "VmHWM:") * 1024;
  if (!works_ || highest == 0) return std::nullopt;
  return highest > before_ ? highest - before_ : 0;
}

std::uint64_t virtual_bytes() { return proc_kilobytes("/proc/self/status", "VmSize:") * 1024; }

std::uint64_t available_bytes() {
  std::uint64_t free = proc_kilobytes("/proc/meminfo", "MemAvailable:") * 1024;
  if (const char* const text = std::getenv("APRSCOPE_MEMORY_MB"); text != nullptr) {
    if (const std::uint64_t most = std::strtoull(text, nullptr, 10) * 1'000'000; most != 0) {
      free = free == 0 ? most : std::min(free, most);
    }
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return free;
  const std::uint64_t used = virtual_bytes();
  // 1, as 0 means unknown.
  const std::uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 1;
  return free == 0 ? left : std::min(free, left);
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, 10, "model name") == 0) {
      const auto colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

bool cpu_supported() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

bool use_avx512() {
#if defined(__x86_64__)
  static const bool usable = [] {
    const char* isa = std::getenv("APRSCOPE_ISA");
    if (isa != nullptr && std::string_view(isa) == "avx2") return false;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }();
  return usable;
#else
  return false;
#endif
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 || value >= 99.5 ? "%.0f %s" : "%.1f %s", value,
                units[unit]);
  return text.data();
}

}  // namespace aprscope
