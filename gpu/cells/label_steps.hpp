#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "gpu/cells/component_labels.hpp"

// The steps of labelling, each enqueued in the order of a stream.
namespace aprscope::gpu::labelling {

/// Whose labels these are, in messages.
constexpr const char* kWhat = "labels on the GPU";

/// A mask, and what is known of it on the way to labels. A word holds 32 pixels of a row.
struct LabelJob {
  const std::uint8_t* mask;
  /// What is not set is labelled.
  bool inverted;
  Int3 size;
  std::uint32_t row_words;
  /// Of all rows.
  std::uint32_t words;
  /// A pixel's parent with a flag, then its number. Rows are whole words.
  std::uint32_t* labels;
  /// A bit a pixel, words of each: what is labelled, the first pixels of components of tiles, those
  /// of components, and of what touches the border (null: nothing is outside).
  std::uint32_t* bits;
  std::uint32_t* nodes;
  std::uint32_t* firsts;
  std::uint32_t* outside;
  /// Components before each word; one more: of all.
  std::uint32_t* ranks;
  cudaStream_t stream;
};

/// Bits and nodes, and labels that lead to the first pixel of their component. Throws a Failure.
void find_components(const LabelJob& job, Connectivity connectivity);
/// What touches the border, from labels of find_components(). Throws a Failure.
void find_outside(const LabelJob& job);
/// First pixels of components, and how many each word has, in ranks. Throws a Failure.
void count_components(const LabelJob& job);
/// Numbers in the place of parents, once ranks are sums. `out`: rows as long as they are; null:
/// labels are. Throws a Failure.
void number_components(const LabelJob& job, std::uint32_t* out);

}  // namespace aprscope::gpu::labelling
