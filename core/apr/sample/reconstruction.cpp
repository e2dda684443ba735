#include "core/apr/sample/reconstruction.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/apr/sample/row_painter.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kBoxRows = 16;

Error wrong_count(std::size_t have, std::uint64_t need, const char* of) {
  return Error{
      "there are " + std::to_string(have) + " values for " + std::to_string(need) + " " + of,
      "reconstruction", "use values of the same APR"};
}

std::string text(const Size3& s) {
  return std::to_string(s.z) + " × " + std::to_string(s.x) + " × " + std::to_string(s.y);
}

Result<Pixels<float>> allocate(const Size3& size) {
  try {
    Pixels<float> pixels;
    pixels.size = size;
    make_zeros(pixels.values, size.count());
    return pixels;
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for an image of " + text(size) + " pixels (" +
                     format_bytes(static_cast<std::uint64_t>(size.count()) * sizeof(float)) + ")",
                 "reconstruction", "take a smaller region or a coarser level"};
  }
}

}  // namespace

Result<Pixels<float>> reconstruct(const AprAccess& access, std::span<const float> values,
                                  std::span<const float> tree, ReconstructionMode mode,
                                  const Region& region, const JobContext& context) {
  const Size3& size = access.size();
  const Size3 extent = region.size();
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > size.z ||
      region.end.x > size.x || region.end.y > size.y || extent.z < 0 || extent.x < 0 ||
      extent.y < 0) {
    return Error{"the region reaches beyond the image of " + text(size) + " pixels",
                 "reconstruction", "choose a region inside the image"};
  }
  if (mode != ReconstructionMode::level && values.size() != access.count()) {
    return wrong_count(values.size(), access.count(), "particles");
  }
  if (mode == ReconstructionMode::smooth && tree.size() != access.tree().count()) {
    return wrong_count(tree.size(), access.tree().count(), "tree cells");
  }
  auto out = allocate(extent);
  if (!out || extent.count() == 0) return out;
  const detail::PaintSource source{access, values, tree, mode};
  const std::int64_t boxes_z = (extent.z + kBoxRows - 1) / kBoxRows;
  const std::int64_t boxes_x = (extent.x + kBoxRows - 1) / kBoxRows;
  const std::int64_t boxes = boxes_z * boxes_x;
  std::atomic<std::int64_t> done{0};
  std::atomic<bool> no_memory{false};
  parallel_each(boxes, extent.count() > 4096 ? thread_count() : 1, [&](std::int64_t i, int) {
    if (context.stop_requested() || no_memory.load(std::memory_order_relaxed)) return;
    const std::int64_t z = i / boxes_x * kBoxRows;
    const std::int64_t x = i % boxes_x * kBoxRows;
    const Region box{{region.begin.z + z, region.begin.x + x, region.begin.y},
                     {region.begin.z + std::min(z + kBoxRows, extent.z),
                      region.begin.x + std::min(x + kBoxRows, extent.x), region.end.y}};
    try {
      detail::paint_box(source, box, {&out->at(z, x, 0), extent.x * extent.y, extent.y});
    } catch (const std::bad_alloc&) {
      no_memory = true;
    }
    const std::int64_t n = ++done;
    if (n % 64 == 0) {
      context.report(static_cast<double>(n) / static_cast<double>(boxes), "reconstruct");
    }
  });
  if (context.stop_requested()) return cancelled_error();
  if (no_memory) {
    return Error{"not enough memory", "reconstruction", "close other data first"};
  }
  return out;
}

Result<Pixels<float>> reconstruct(const AprAccess& access, std::span<const float> values,
                                  ReconstructionMode mode, const Region& region,
                                  const JobContext& context) {
  std::vector<float> tree;
  if (mode == ReconstructionMode::smooth) {
    auto filled = fill_tree(access, values, Reduction::mean, context);
    if (!filled) return filled.error();
    tree = std::move(*filled);
  }
  return reconstruct(access, values, tree, mode, region, context);
}

Result<Pixels<float>> reconstruct_at_level(const AprAccess& access, std::span<const float> values,
                                           std::span<const float> tree, int level,
                                           const JobContext& context) {
  if (level < 1 || level > access.level_max()) {
    return Error{"level " + std::to_string(level) + " does not exist", "reconstruction",
                 "choose a level from 1 to " + std::to_string(access.level_max())};
  }
  if (values.size() != access.count()) {
    return wrong_count(values.size(), access.count(), "particles");
  }
  if (level < access.level_max() && tree.size() != access.tree().count()) {
    return wrong_count(tree.size(), access.tree().count(), "tree cells");
  }
  const Size3 grid = access.particles().grid(level);
  auto out = allocate(grid);
  if (!out) return out;
  const detail::PaintSource source{access, values, tree, ReconstructionMode::constant};
  parallel_rows({grid.z, grid.x, 1}, grid.count() > 4096 ? thread_count() : 1,
                JobContext(context.stop_token()), {}, [&](std::int64_t z, std::int64_t x, int) {
                  detail::fill_patch_row(source, level, z, x, &out->at(z, x, 0));
                });
  if (context.stop_requested()) return cancelled_error();
  context.report(1.0, "reconstruct");
  return out;
}

}  // namespace aprscope
