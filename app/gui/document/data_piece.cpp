#include "app/gui/document/data_piece.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/part.hpp"

namespace aprscope::gui {
namespace {

// Particles are cut at cells of this side in pixels, 2^n; coarser ones are repeated as such cells.
constexpr int kCutLevels = 4;

// The smallest box around a region that particles can be cut at, and the coarsest level in it.
std::pair<Region, int> cut_box(const Region& region, const AprAccess& access) {
  const auto box_at = [&](int shift) {
    const auto down = [shift](std::int64_t v) { return v >> shift << shift; };
    const auto up = [shift](std::int64_t v, std::int64_t n) {
      return std::min(n, ((v - 1) >> shift << shift) + (std::int64_t{1} << shift));
    };
    const Size3& n = access.size();
    return Region{{down(region.begin.z), down(region.begin.x), down(region.begin.y)},
                  {up(region.end.z, n.z), up(region.end.x, n.x), up(region.end.y, n.y)}};
  };
  int shift = std::min(kCutLevels, access.level_max() - 1);
  while (shift > 0 && finest_level(box_at(shift).size()) <= shift) --shift;
  return {box_at(shift), access.level_max() - shift};
}

}  // namespace

Result<Volume> crop_pixels(const Dataset& data, const Region& region, const JobContext& context) {
  Volume out;
  out.voxel = data.voxel();
  if (data.is_apr()) {
    auto pixels = reconstruct(*data.apr().access, data.values().particles(),
                              ReconstructionMode::constant, region, context);
    if (!pixels) return pixels.error();
    out.pixels = *std::move(pixels);
    return out;
  }
  const Volume& from = data.volume();
  Pixels<float> pixels({region.end.z - region.begin.z, region.end.x - region.begin.x,
                        region.end.y - region.begin.y});
  std::size_t i = 0;
  for (std::int64_t z = region.begin.z; z < region.end.z; ++z) {
    for (std::int64_t x = region.begin.x; x < region.end.x; ++x) {
      for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
        pixels.values[i++] = from.value({z, x, y});
      }
    }
  }
  out.pixels = std::move(pixels);
  return out;
}

Region piece_box(const Region& region, const AprAccess& access) {
  return cut_box(region, access).first;
}

Result<DataPiece> cut_piece(const Dataset& data, const Region& region, const std::string& name,
                            const JobContext& context) {
  if (!data.is_apr()) {
    auto volume = crop_pixels(data, region, context);
    if (!volume) return volume.error();
    volume->name = name;
    return DataPiece{Dataset::create(*std::move(volume)), region};
  }
  const auto [box, coarsest] = cut_box(region, *data.apr().access);
  auto part = box_of(*data.apr().access, data.values().particles(), coarsest, box.begin, box.end);
  if (!part) return part.error();
  Apr apr;
  apr.access = part->access;
  apr.fields = {
      std::make_shared<const Field>(Field{data.apr().main_field()->name, std::move(part->values)})};
  apr.voxel = data.voxel();
  apr.name = name;
  return DataPiece{Dataset::create(std::move(apr)), box};
}

Result<Pixels<float>> piece_pixels(const DataPiece& piece, std::span<const float> values,
                                   const Region& region, const JobContext& context) {
  const Index3& o = piece.box.begin;
  const Region inside{{region.begin.z - o.z, region.begin.x - o.x, region.begin.y - o.y},
                      {region.end.z - o.z, region.end.x - o.x, region.end.y - o.y}};
  if (piece.data->is_apr()) {
    return reconstruct(*piece.data->apr().access, values, ReconstructionMode::constant, inside,
                       context);
  }
  const Size3 size = piece.data->size();
  Pixels<float> pixels(region.size());
  std::size_t i = 0;
  for (std::int64_t z = inside.begin.z; z < inside.end.z; ++z) {
    for (std::int64_t x = inside.begin.x; x < inside.end.x; ++x) {
      const auto row = (z * size.x + x) * size.y;
      for (std::int64_t y = inside.begin.y; y < inside.end.y; ++y) {
        pixels.values[i++] = values[static_cast<std::size_t>(row + y)];
      }
    }
  }
  return pixels;
}

Region reached_region(const Region& region, const Stencil& psf, const Size3& size) {
  const auto low = [](std::int64_t v, std::int64_t pad) {
    return std::max<std::int64_t>(0, v - pad);
  };
  Region out;
  out.begin = {low(region.begin.z, psf.size.z / 2), low(region.begin.x, psf.size.x / 2),
               low(region.begin.y, psf.size.y / 2)};
  out.end = {std::min(size.z, region.end.z + psf.size.z / 2),
             std::min(size.x, region.end.x + psf.size.x / 2),
             std::min(size.y, region.end.y + psf.size.y / 2)};
  return out;
}

}  // namespace aprscope::gui
