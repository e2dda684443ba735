#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aprscope {

/// Threads that computations use: what set_thread_count() said, else the cores of this machine.
int thread_count();

/// Sets the number of threads of every computation that starts after this call; 0 = all cores.
void set_thread_count(int threads);

/// Lets other threads go before the calling one, and before those that it starts from now on:
/// `steps` as in nice(1). Does nothing where the system has no such thing.
void lower_thread_priority(int steps);

/// Bytes of memory this process holds now / held at most (resident set). 0 where unknown.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

/// Measures the most memory that the process takes beyond what it holds when the meter is made,
/// e.g. during one step of a recipe. It is the whole process that is measured: one meter at a time,
/// and what other threads take meanwhile counts too. peak_resident_bytes() stays as it is.
class PeakMeter {
 public:
  PeakMeter();
  /// Bytes beyond those of the beginning; none where the system does not tell.
  [[nodiscard]] std::optional<std::uint64_t> extra() const;

 private:
  std::uint64_t before_ = 0;
  bool works_ = false;
};

/// Bytes of address space this process has taken. 0 where unknown.
std::uint64_t virtual_bytes();

/// Bytes of memory that the system could still give to this process, within its limit on address
/// space (ulimit -v). 0 where unknown.
std::uint64_t available_bytes();

/// The processor's name, for reports.
std::string cpu_name();

/// True when this machine can run the program: AVX2, FMA and BMI2 on x86-64.
bool cpu_supported();

/// True when the AVX-512 kernels (x86-64-v4) can run and are not switched off by the environment
/// variable APRSCOPE_ISA=avx2.
bool use_avx512();

/// "12.3 MB" (decimal units, as file managers show them).
std::string format_bytes(std::uint64_t bytes);

}  // namespace aprscope
