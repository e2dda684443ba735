#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "gpu/cells/component_labels.hpp"

// The steps of labelling, each enqueued in the order of a stream.
namespace aprscope::gpu::labelling {

/// The name of this memory in error messages.
constexpr const char* kWhat = "labels on the GPU";

/// A mask and the intermediate results on the way to its labels. A word holds 32 pixels of a row.
struct LabelJob {
  const std::uint8_t* mask;
  /// Label the pixels that are not set.
  bool inverted;
  Int3 size;
  std::uint32_t row_words;
  /// The number of words in all rows.
  std::uint32_t words;
  /// For each pixel its parent with a flag, later its number. Rows are whole words.
  std::uint32_t* labels;
  /// Bit masks, one bit a pixel: the pixels that are labelled; the first pixels of components of
  /// tiles; the first pixels of components; those that touch the border (null: nothing is outside).
  std::uint32_t* bits;
  std::uint32_t* nodes;
  std::uint32_t* firsts;
  std::uint32_t* outside;
  /// For each word the number of components before it; one word more for their total.
  std::uint32_t* ranks;
  cudaStream_t stream;
};

/// Fills bits and nodes, and makes labels lead to first pixels of components. Throws a Failure.
void find_components(const LabelJob& job, Connectivity connectivity);
/// Finds components that touch the border, from labels of find_components(). Throws a Failure.
void find_outside(const LabelJob& job);
/// Finds first pixels of components, and in ranks how many each word has. Throws a Failure.
void count_components(const LabelJob& job);
/// Replaces parents by numbers, once ranks are sums. `out`: rows without padding; null: the numbers
/// go to labels. Throws a Failure.
void number_components(const LabelJob& job, std::uint32_t* out);

}  // namespace aprscope::gpu::labelling
