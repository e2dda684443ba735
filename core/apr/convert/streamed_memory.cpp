#include "core/apr/convert/streamed_memory.hpp"

#include <algorithm>
#include <string>

#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/half_planes.hpp"
#include "core/apr/convert/smoother_plan.hpp"
#include "core/base/memory_limit.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// The cells take two bits for each 2×2×2 pixels at the finest level, those of all coarser ones a
// seventh of that, and while they are chosen a little more.
constexpr std::uint64_t kPixelsPerByteOfCells = 16;
// What readers keep of a file, a TIFF's up to 64 MB, and the program itself.
constexpr std::uint64_t kBeside = 100'000'000;

}  // namespace

std::uint64_t streamed_conversion_bytes(const Size3& size, SampleKind kind,
                                        const ConversionParameters& parameters) {
  const SmootherPlan plan(size, static_cast<double>(parameters.lambda));
  std::int64_t slices = 0;
  for (const SmootherPlan::Block& block : plan.blocks) {
    slices = std::max(slices, block.raw_end - block.raw_begin);
  }
  // Coefficients of a block and of the two slices before it; sums that wait for the next one.
  const std::int64_t planes = std::min(SmootherPlan::kSlices + 2, size.z) + 2 * plan.pairs;
  const Size3 half = half_size(size);
  // Gradient and scale, and what they are made of.
  const std::int64_t halves = 2 * half_slots(size, parameters) +
                              HalfStrip::planes_held(half_options(size, kind, parameters));
  const auto area = static_cast<std::uint64_t>(size.x * size.y);
  return area * static_cast<std::uint64_t>(slices) * sample_bytes(kind) +
         (area * static_cast<std::uint64_t>(planes) +
          static_cast<std::uint64_t>(half.x * half.y * halves)) *
             sizeof(float) +
         static_cast<std::uint64_t>(size.count()) / kPixelsPerByteOfCells;
}

Status check_streamed_memory(const SliceSource& source, const ConversionParameters& parameters,
                             std::uint64_t memory) {
  const Size3 size = source.size();
  const std::uint64_t takes = streamed_conversion_bytes(size, source.kind(), parameters) + kBeside;
  const std::uint64_t given = memory != 0 ? memory : available_bytes();
  const std::uint64_t most = most_within(given);
  if (most == 0 || takes <= most) return {};
  return Error{"takes about " + format_bytes(takes) + " of memory for " + std::to_string(size.z) +
                   " slices of " + std::to_string(size.x) + " × " + std::to_string(size.y) +
                   " pixels, also slice by slice, and " + format_bytes(given) +
                   (memory != 0 ? " are allowed" : " are free"),
               "conversion",
               memory != 0 ? "allow more, or convert a crop of the image"
                           : "close other data, or convert a crop of the image"};
}

}  // namespace aprscope
