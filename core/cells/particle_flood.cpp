#include "core/cells/particle_flood.hpp"

#include "core/cells/correction_points.hpp"

namespace aprscope {
namespace {

ParticleCell cell_at(const AprAccess& access, const ParticleAt& found, const Index3& p) {
  const int shift = access.level_max() - found.level;
  return {{found.level, p.z >> shift, p.x >> shift}, found.index};
}

class ParticleFlood {
 public:
  ParticleFlood(const AprAccess& access, std::span<const std::uint32_t> labels)
      : access_(access),
        cells_(access.particles()),
        labels_(labels),
        seen_(static_cast<std::size_t>(access.count())) {}

  Result<std::vector<ParticleCell>> from(const Index3& p, const JobContext& context) {
    reach(cell_at(access_, access_.find(p), p));
    std::vector<ParticleCell> taken;
    for (std::uint64_t steps = 0; !ways_.empty(); ++steps) {
      if (steps % 65536 == 0 && context.stop_requested()) return cancelled_error();
      const ParticleCell one = ways_.back();
      ways_.pop_back();
      const Region box = cell_box(cells_, one.row, one.index);
      if (is_on_border(box, cells_.size())) return open_background(p);
      taken.push_back(one);
      for (std::size_t side = 0; side < kSides; ++side) {
        const Region layer = layer_beyond(box, side, cells_.size());
        if (layer.size().count() > 0) cross(one.row.level, layer);
      }
    }
    return taken;
  }

 private:
  void cross(int level, const Region& layer) {
    const Index3& first = layer.begin;
    const ParticleAt found = access_.find(first);
    if (found.level <= level) {
      reach(cell_at(access_, found, first));
      return;
    }
    each_row_in(cells_, layer, [&](const CellRow& row, const ParticleRange& some) {
      for (std::uint64_t i = some.begin; i < some.end; ++i) reach({row, i});
    });
  }
  void reach(const ParticleCell& one) {
    const auto i = static_cast<std::size_t>(one.index);
    if (labels_[i] != 0 || seen_[i]) return;
    seen_[i] = true;
    ways_.push_back(one);
  }

  const AprAccess& access_;
  const LinearAccess& cells_;
  std::span<const std::uint32_t> labels_;
  std::vector<bool> seen_;
  std::vector<ParticleCell> ways_;
};

}  // namespace

Result<std::vector<ParticleCell>> enclosed_background(const AprAccess& access,
                                                      std::span<const std::uint32_t> labels,
                                                      const Index3& from,
                                                      const JobContext& context) {
  return ParticleFlood(access, labels).from(from, context);
}

}  // namespace aprscope
