#include "core/cells/particle_exterior.hpp"

#include <numeric>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/cells/particle_components.hpp"
#include "core/cells/particle_pieces.hpp"
#include "core/cells/particle_runs.hpp"

namespace aprscope {

Result<ParticleWater> fill_particles(const AprAccess& access, std::span<const std::uint8_t> mask,
                                     Connectivity connectivity, const JobContext& context) {
  const auto runs = ParticleRuns::find(access, mask, false, context.part(0.0, 0.2));
  if (!runs) return runs.error();
  auto pieces = find_pieces(access, *runs, connectivity, true, context.part(0.2, 0.9));
  if (!pieces) return pieces.error();
  ParticleWater out;
  make_zeros(out.values, static_cast<std::int64_t>(access.count()));
  const auto of = [](std::uint32_t piece) { return piece == 0 ? ParticleWater::kExterior : piece; };
  if (!paint_pieces(*runs, *pieces, out.values, context.part(0.9, 1.0), of)) {
    return cancelled_error();
  }
  out.pixels = std::move(pieces->pixels);
  out.exterior_pixels = out.pixels[0];
  const auto all = static_cast<std::uint64_t>(access.size().count());
  out.pixels[0] = all - std::accumulate(out.pixels.begin(), out.pixels.end(), std::uint64_t{0});
  return out;
}

Result<Labels> cells_of(const AprAccess& access, const ParticleWater& water,
                        Connectivity connectivity, const JobContext& context) {
  std::vector<std::uint8_t> mask(water.values.size());
  parallel_for(static_cast<std::int64_t>(mask.size()), thread_count(), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    mask[at] = water.values[at] == ParticleWater::kExterior ? 0 : 1;
  });
  return label_particles(access, mask, connectivity, context);
}

}  // namespace aprscope
