#pragma once

#include <cstdint>

// The innermost loops of filling a tree, compiled for AVX2 and for AVX-512; tree_kernels() picks at
// run time. Both join values in the same order, so that the bits agree.
namespace aprscope {

/// A row of interior cells with all four rows of children. Bits as in InteriorMap.
struct FamilyRow {
  const std::uint64_t* parent = nullptr;
  std::int64_t words = 0;
  std::int64_t count = 0;            // interior cells
  const std::uint64_t* own[4] = {};  // interior children; null where all are particles
  const float* particles[4] = {};    // values of each child row's particles
  const float* tree[4] = {};         // … and interior cells
  bool open = false;                 // at least 16 more values lie behind those of each
};

/// out[k] = the mean (smallest, largest) of the eight children of interior cell k of the row.
using JoinEight = void (*)(const FamilyRow& row, float* out);

struct TreeKernels {
  JoinEight mean = nullptr;
  JoinEight smallest = nullptr;
  JoinEight largest = nullptr;
};

/// The kernels for this machine.
const TreeKernels& tree_kernels();

}  // namespace aprscope
