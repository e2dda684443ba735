#include "core/projections/whole_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace aprscope {

namespace {

// Most passes over the images; more would take too long to be worth it.
constexpr std::int64_t kMostPasses = 64;

std::uint64_t tile_bytes(const InsertionPlan& plan) {
  return static_cast<std::uint64_t>(plan.tiles.stride() * plan.halves) * sizeof(float);
}
std::int64_t least_tiles(const InsertionPlan& plan) {
  return (plan.tiles.count() + kMostPasses - 1) / kMostPasses;
}

}  // namespace

std::uint64_t batch_bytes(const ReconstructionPlan& plan) {
  const InsertionPlan& p = plan.insertion;
  const std::int64_t plane = 4 * (p.image_reach + 3) * (2 * p.image_reach + 5);
  const std::int64_t images = std::min<std::int64_t>(cpu_batch(plane, p.tiles.floats()),
                                                     static_cast<std::int64_t>(plan.rows.size()));
  return static_cast<std::uint64_t>(images * (plane + 2 * p.side * p.side)) * sizeof(float);
}

std::int64_t slab_tiles(const ReconstructionPlan& plan, std::uint64_t bytes) {
  const InsertionPlan& p = plan.insertion;
  const std::uint64_t others = batch_bytes(plan) + kTableBytes;
  const std::uint64_t room = bytes > others ? (bytes - others) / tile_bytes(p) : 0;
  const auto fits = static_cast<std::int64_t>(
      std::min<std::uint64_t>(room, static_cast<std::uint64_t>(p.tiles.count())));
  return std::max(fits, least_tiles(p));
}

std::uint64_t least_slab_bytes(const ReconstructionPlan& plan) {
  return batch_bytes(plan) + kTableBytes +
         static_cast<std::uint64_t>(least_tiles(plan.insertion)) * tile_bytes(plan.insertion);
}

Result<WholeSums> WholeSums::create(const InsertionPlan& plan, bool scratch) {
  WholeSums whole;
  whole.stride = plan.tiles.stride();
  for (int half = 0; half < plan.halves; ++half) {
    if (!scratch) {
      whole.in_memory.emplace_back(static_cast<std::size_t>(plan.tiles.floats()));
      continue;
    }
    auto made = ScratchFloats::create(static_cast<std::uint64_t>(plan.tiles.floats()));
    if (!made) return made.error();
    whole.in_scratch.push_back(*std::move(made));
  }
  return whole;
}

Status WholeSums::collect(Inserter& inserter, TileRange tiles) {
  for (std::size_t half = 0; half < in_memory.size(); ++half) {
    const auto some = inserter.take(static_cast<int>(half));
    if (!some) return some.error();
    std::copy(some->begin(), some->end(),
              in_memory[half].begin() + static_cast<std::ptrdiff_t>(tiles.begin * stride));
  }
  // Sums go directly to the file: where memory is short there is no room for a copy.
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(tiles.size()));
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(tiles.begin));
  for (std::size_t half = 0; half < in_scratch.size(); ++half) {
    const auto to =
        in_scratch[half].values().subspan(static_cast<std::size_t>(tiles.begin * stride),
                                          static_cast<std::size_t>(tiles.size() * stride));
    if (Status ok = inserter.sums(static_cast<int>(half), numbers, to); !ok) return ok;
  }
  return {};
}

std::vector<std::unique_ptr<HeldSums>> WholeSums::held() {
  std::vector<std::unique_ptr<HeldSums>> out;
  for (ScratchFloats& half : in_scratch) out.push_back(hold_scratch(std::move(half)));
  in_scratch.clear();
  return out;
}

}  // namespace aprscope
