#include "core/cells/particle_components.hpp"

#include "core/cells/particle_pieces.hpp"
#include "core/cells/particle_runs.hpp"

namespace aprscope {

Result<Labels> label_particles(const AprAccess& access, std::span<const std::uint8_t> mask,
                               Connectivity connectivity, const JobContext& context) {
  const auto runs = ParticleRuns::find(access, mask, true, context.part(0.0, 0.2));
  if (!runs) return runs.error();
  const auto pieces = find_pieces(access, *runs, connectivity, false, context.part(0.2, 0.9));
  if (!pieces) return pieces.error();
  Labels out;
  make_zeros(out.values, static_cast<std::int64_t>(access.count()));
  out.largest = static_cast<std::uint32_t>(pieces->pixels.size() - 1);
  const auto same = [](std::uint32_t piece) { return piece; };
  if (!paint_pieces(*runs, *pieces, out.values, context.part(0.9, 1.0), same)) {
    return cancelled_error();
  }
  return out;
}

}  // namespace aprscope
