#include "core/cells/closing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/component_runs.hpp"
#include "core/cells/distance.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

// Pixels on each side of the padded image: their outermost are farther than the radius from all.
Size3 padding_of(const Size3& size, const VoxelSize& voxel, double radius) {
  const auto pixels = [&](double side) { return static_cast<std::int64_t>(radius / side) + 2; };
  return {size.z == 1 ? 0 : pixels(voxel.z), pixels(voxel.x), pixels(voxel.y)};
}

Size3 padded_size(const Size3& n, const Size3& pad) {
  return {n.z + 2 * pad.z, n.x + 2 * pad.x, n.y + 2 * pad.y};
}

Pixels<std::uint8_t> padded(const Pixels<std::uint8_t>& image, const Size3& pad) {
  Pixels<std::uint8_t> out;
  out.size = padded_size(image.size, pad);
  make_zeros(out.values, out.size.count());
  for (std::int64_t z = 0; z < image.size.z; ++z) {
    for (std::int64_t x = 0; x < image.size.x; ++x) {
      std::copy_n(&image.at(z, x, 0), image.size.y, &out.at(z + pad.z, x + pad.x, pad.y));
    }
  }
  return out;
}

// The largest square of which the root is not above the radius, as distances are rounded.
float limit_of(double radius) { return static_cast<float>(radius * radius * (1.0 + 1e-6)); }

}  // namespace

Result<CellParts> close_and_fill(const Pixels<std::uint8_t>& membrane, const VoxelSize& voxel,
                                 double radius, Connectivity connectivity,
                                 const JobContext& context) {
  if (radius <= 0.0) return fill_from_outside(membrane, connectivity, context);
  constexpr double kMostPixels = 65536.0;
  if (radius / std::min({voxel.z, voxel.x, voxel.y}) > kMostPixels) {
    return Error{"has holes closed up to a radius of more than 65536 pixels", "the membrane",
                 "choose a smaller one"};
  }
  const Size3 pad = padding_of(membrane.size, voxel, radius);
  Pixels<std::uint8_t> mask = padded(membrane, pad);
  const float limit = limit_of(radius);
  const int threads = threads_for(mask.size.count());
  {
    const auto far = squared_distances(mask.values, mask.size, voxel, context.part(0.0, 0.4));
    if (!far) return far.error();
    // All that is farther from the membrane than the radius: E is a part of this.
    parallel_stretches(mask.size.count(), threads, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        mask.values[static_cast<std::size_t>(i)] = far->data()[i] > limit ? 1 : 0;
      }
    });
  }
  {
    const auto open = ComponentRuns::of(mask.values, mask.size, MaskSide::set,
                                        water_of(connectivity), context.part(0.4, 0.5));
    if (!open) return open.error();
    const std::vector<std::uint8_t> outside = open->at_border();
    const bool done = parallel_rows(
        mask.size, thread_count(), context.part(0.5, 0.55), "exterior",
        [&](std::int64_t z, std::int64_t x, int) {
          std::uint8_t* const row = &mask.at(z, x, 0);
          open->each_run(z, x, [&](std::int64_t begin, std::int64_t end, std::uint32_t label) {
            std::fill(row + begin, row + end, outside[label]);
          });
        });
    if (!done) return cancelled_error();
  }
  const auto far = squared_distances(mask.values, mask.size, voxel, context.part(0.55, 0.95));
  if (!far) return far.error();
  CellParts parts;
  parts.size = membrane.size;
  make_zeros(parts.values, membrane.size.count());
  const bool done = parallel_rows(membrane.size, thread_count(), context.part(0.95, 1.0),
                                  "exterior", [&](std::int64_t z, std::int64_t x, int) {
                                    const float* from =
                                        far->data() + mask.index(z + pad.z, x + pad.x, pad.y);
                                    const std::uint8_t* in = &membrane.at(z, x, 0);
                                    std::uint8_t* to = &parts.at(z, x, 0);
                                    for (std::int64_t y = 0; y < membrane.size.y; ++y) {
                                      const CellPart part = in[y] != 0         ? CellPart::membrane
                                                            : from[y] <= limit ? CellPart::exterior
                                                                               : CellPart::lumen;
                                      to[y] = static_cast<std::uint8_t>(part);
                                    }
                                  });
  if (!done) return cancelled_error();
  return parts;
}

Result<CellParts> close_and_fill_slices(const Pixels<std::uint8_t>& membrane,
                                        const VoxelSize& voxel, double radius,
                                        Connectivity connectivity, const JobContext& context) {
  if (radius <= 0.0) return fill_slices(membrane, connectivity, context);
  CellParts parts;
  parts.size = membrane.size;
  make_zeros(parts.values, membrane.size.count());
  const double slices = static_cast<double>(membrane.size.z);
  for (std::int64_t z = 0; z < membrane.size.z; ++z) {
    const auto at = static_cast<double>(z);
    const auto filled = close_and_fill(slice_of(membrane, z), voxel, radius, connectivity,
                                       context.part(at / slices, (at + 1.0) / slices));
    if (!filled) return filled.error();
    std::copy(filled->values.begin(), filled->values.end(), &parts.at(z, 0, 0));
  }
  return parts;
}

std::uint64_t closing_bytes(const Size3& size, const VoxelSize& voxel, double radius) {
  const auto pixels = static_cast<std::uint64_t>(size.count());
  if (radius <= 0.0) return 2 * pixels + pixels / 2;
  const auto room =
      static_cast<std::uint64_t>(padded_size(size, padding_of(size, voxel, radius)).count());
  return pixels + room * (1 + sizeof(float));
}

}  // namespace aprscope
