#pragma once

#include <cstdint>

// Rows of masks as bits, and rows of labels from them, compiled for AVX2 and for AVX-512;
// run_kernels() picks at run time. Integers only.
namespace aprscope {

/// Pixels of a row that get the label of the run of `runs` that they lie in: those of `row`, which
/// all lie in one. Bit i of word w is pixel 64 w + i.
struct RowOfRuns {
  const std::uint64_t* row = nullptr;
  const std::uint64_t* runs = nullptr;
  std::int64_t words = 0;
  /// The label of each run, in order.
  const std::uint32_t* labels = nullptr;
  std::uint32_t* out = nullptr;
};

struct RunKernels {
  /// Sets a bit for each of `count` pixels that is not zero; bits beyond are cleared.
  void (*pack)(const std::uint8_t* mask, std::int64_t count, std::uint64_t* words) = nullptr;
  /// Pixels that have no label stay as they are.
  void (*paint)(const RowOfRuns& row) = nullptr;
};

/// The kernels for this machine.
const RunKernels& run_kernels();

}  // namespace aprscope
