#include "core/cells/particle_records.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/cells/label_patch.hpp"
#include "core/cells/label_records.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/particle_layer_counter.hpp"
#include "core/cells/particle_region.hpp"
#include "core/cells/particle_wall_pixels.hpp"
#include "core/cells/record_update.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {
namespace {

// Adds up the sums of layers, in their order.
class AllLayers {
 public:
  AllLayers(std::uint32_t largest, std::size_t channels)
      : slots_(largest), intensities_(channels) {}

  void add(const LayerSums& layer) {
    for (std::size_t i = 0; i < layer.sums.size(); ++i) {
      const std::uint32_t slot = slots_.find_or_add(layer.sums[i].label);
      if (slot == sums_.size()) {
        sums_.emplace_back();
        sums_.back().label = layer.sums[i].label;
        counted_.emplace_back();
        for (auto& channel : intensities_) channel.emplace_back();
      }
      sums_[slot].add(layer.sums[i]);
      for (std::size_t k = 0; k < 24; ++k) counted_[slot][k] += layer.counted[i][k];
      for (std::size_t c = 0; c < intensities_.size(); ++c) {
        intensities_[c][slot].add(layer.intensities[c][i]);
      }
    }
    for (const auto& [pair, faces] : layer.contacts) {
      auto& all = contacts_[pair];
      for (std::size_t k = 0; k < 3; ++k) all[k] += faces[k];
    }
  }
  IntensitySums& intensities(std::size_t channel, std::uint32_t label) {
    return intensities_[channel][slots_.find(label)];
  }

  LabelRecords sorted() {
    std::vector<std::size_t> order(sums_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return sums_[a].label < sums_[b].label; });
    LabelRecords out;
    out.intensities.resize(intensities_.size());
    for (const std::size_t i : order) {
      LabelSums one = sums_[i];
      // At each vertex that was not counted there is one stratum of each kind.
      const std::int64_t inside = one.voxels - counted_[i][7];
      for (std::size_t k = 0; k < 8; ++k) one.strata[k] = inside + counted_[i][k];
      for (std::size_t k = 0; k < 13; ++k) one.crossings[k] = counted_[i][8 + k];
      out.sums.push_back(one);
      for (std::size_t c = 0; c < intensities_.size(); ++c) {
        out.intensities[c].push_back(intensities_[c][i]);
      }
    }
    for (const auto& [pair, faces] : contacts_) {
      out.contacts.push_back({pair.first, pair.second, faces});
    }
    return out;
  }

 private:
  LabelSlots slots_;
  std::vector<LabelSums> sums_;
  std::vector<std::array<std::int64_t, 24>> counted_;
  std::vector<std::vector<IntensitySums>> intensities_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::int64_t, 3>> contacts_;
};

class RecordMaker {
 public:
  /// Looks at particles in `where`, which must hold all that touches the objects looked at.
  RecordMaker(const ParticleObjects& in, const Region& where, const JobContext& context)
      : in_(in),
        where_(where),
        context_(context),
        cells_(in.access.particles()),
        places_(in.access.count(), 0),
        threads_(growth_threads(in.access.count())),
        all_(in.only.empty() ? in.largest : std::numeric_limits<std::uint32_t>::max(),
             in.channels.size()) {
    for (const CellLayer& layer : layers_of(cells_)) {
      const Region some = cells_in(cells_, layer.level, where);
      if (layer.z >= some.begin.z && layer.z < some.end.z) layers_.push_back(layer);
    }
    if (!in.channels.empty()) walls_.assign(in.labels.size(), 0);
  }

  Result<LabelRecords> run() {
    std::vector<LayerSums> layers(layers_.size());
    std::vector<std::optional<LayerCounter>> counters(static_cast<std::size_t>(threads_));
    const bool walked =
        parallel_items(static_cast<std::int64_t>(layers_.size()), threads_, context_.part(0.0, 0.8),
                       "cells", [&](std::int64_t item, int thread) {
                         const CellLayer& layer = layers_[static_cast<std::size_t>(item)];
                         auto& counter = counters[static_cast<std::size_t>(thread)];
                         if (!counter) counter.emplace(in_, walls_);
                         counter->open(layer);
                         RoundWalk walk(in_.access, places_);
                         each_row(layer, [&](std::int64_t x, const ParticleRange& row) {
                           walk.open_row(layer.level, layer.z, x, cells_.y()[row.begin]);
                           for (std::uint64_t i = row.begin; i < row.end; ++i) {
                             const std::int64_t y = cells_.y()[i];
                             counter->add(static_cast<std::uint32_t>(i), walk.look(y), x, y);
                           }
                         });
                         layers[static_cast<std::size_t>(item)] = counter->take();
                       });
    if (!walked) return cancelled_error();
    for (LayerSums& layer : layers) {
      all_.add(layer);
      layer = {};
    }
    if (!in_.channels.empty() && !add_walls()) return cancelled_error();
    return all_.sorted();
  }

 private:
  // Calls work(x, particles) for the rows of a layer that have any.
  template <class Work>
  void each_row(const CellLayer& layer, const Work& work) const {
    const Region some = cells_in(cells_, layer.level, where_);
    for (std::int64_t x = some.begin.x; x < some.end.x && !context_.stop_requested(); ++x) {
      const ParticleRange row =
          particles_between(cells_, {layer.level, layer.z, x}, some.begin.y, some.end.y);
      if (!row.empty()) work(x, row);
    }
  }

  // Counts walls of all layers at once, then adds them in the order of particles.
  bool add_walls() {
    struct Wall {
      std::uint32_t particle = 0;
      std::int64_t pixels = 0;
    };
    std::vector<std::vector<Wall>> found(layers_.size());
    const bool done = parallel_items(
        static_cast<std::int64_t>(layers_.size()), threads_, context_.part(0.8, 1.0), "walls",
        [&](std::int64_t item, int) {
          const CellLayer& layer = layers_[static_cast<std::size_t>(item)];
          FaceWalk walk(in_.access);
          WallPixels counter(in_.access, in_.labels);
          each_row(layer, [&](std::int64_t x, const ParticleRange& row) {
            walk.open_row(layer.level, layer.z, x, cells_.y()[row.begin]);
            for (std::uint64_t i = row.begin; i < row.end; ++i) {
              const std::uint32_t label = in_.labels[i];
              if (walls_[i] == 0 || label == 0 || !in_.looks_at(label)) continue;
              const Region box = cell_box(cells_, {layer.level, layer.z, x}, i);
              // The one pixel of a smallest cell is known to be at a wall.
              const std::int64_t pixels =
                  box.size().count() == 1 ? 1 : counter.count(box, label, walk.look(i));
              found[static_cast<std::size_t>(item)].push_back(
                  {static_cast<std::uint32_t>(i), pixels});
            }
          });
        });
    if (!done) return false;
    for (std::size_t c = 0; c < in_.channels.size(); ++c) {
      std::visit(
          [&](const auto& values) {
            for (const auto& layer : found) {
              for (const Wall& wall : layer) {
                add_wall(values[wall.particle], wall.pixels,
                         all_.intensities(c, in_.labels[wall.particle]));
              }
            }
          },
          *in_.channels[c]);
    }
    return true;
  }
  template <class T>
  static void add_wall(T value, std::int64_t pixels, IntensitySums& to) {
    to.wall_voxels += pixels;
    if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t>) {
      to.wall_sum += value * pixels;
    } else {
      to.real_wall_sum +=
          static_cast<double>(static_cast<float>(value)) * static_cast<double>(pixels);
    }
  }

  const ParticleObjects& in_;
  Region where_;
  const JobContext& context_;
  const LinearAccess& cells_;
  // A dummy: all places are equal, as no order is needed.
  std::vector<std::uint16_t> places_;
  std::vector<CellLayer> layers_;
  int threads_;
  AllLayers all_;
  // Whether a particle's cell shares a face with one of another label.
  std::vector<std::uint8_t> walls_;
};

Error wrong_number(std::uint64_t have, std::uint64_t need, const char* what) {
  return Error{"there are " + std::to_string(have) + " " + what + " for " + std::to_string(need) +
                   " particles",
               "particles", "use those of the same APR"};
}

Status check_objects(const ParticleObjects& in) {
  const AprAccess& access = in.access;
  if (Status ok = check_cell_count(access.count()); !ok) return ok.error();
  const Size3& size = access.size();
  if (std::max({size.z, size.x, size.y}) > kLongestSide) {
    return Error{"is longer than " + std::to_string(kLongestSide) + " pixels along one side",
                 "particles", "measure parts of it"};
  }
  if (in.labels.size() != access.count()) {
    return wrong_number(in.labels.size(), access.count(), "labels");
  }
  for (const FieldValues* channel : in.channels) {
    const std::uint64_t count = std::visit([](const auto& v) { return v.size(); }, *channel);
    if (count != access.count()) return wrong_number(count, access.count(), "values");
  }
  return {};
}

}  // namespace

Result<LabelRecords> particle_records(const AprAccess& access,
                                      std::span<const std::uint32_t> labels, std::uint32_t largest,
                                      std::span<const FieldValues* const> channels,
                                      const JobContext& context) {
  const ParticleObjects in{access, labels, largest, channels};
  if (Status ok = check_objects(in); !ok) return ok.error();
  return RecordMaker(in, whole(access.size()), context).run();
}

Result<LabelRecords> updated_particle_records(
    LabelRecords before, const AprAccess& access, std::span<const std::uint32_t> labels,
    std::uint32_t largest, std::span<const FieldValues* const> channels, const Region& box,
    std::span<const std::uint32_t> changed, const JobContext& context) {
  const std::vector<std::uint32_t> which = labels_in_order(changed);
  if (which.empty()) return before;
  // If more than half of the objects changed, looking at all particles takes no longer.
  if (2 * which.size() > before.sums.size()) {
    return particle_records(access, labels, largest, channels, context);
  }
  const ParticleObjects in{access, labels, largest, channels, which};
  if (Status ok = check_objects(in); !ok) return ok.error();
  // Faces of cells that touch the objects count, too: a margin of one pixel on all sides.
  const Region where =
      box_with_margin(box_of_changed(before, box, which), {1, 1, 1}, access.size());
  auto found = RecordMaker(in, where, context).run();
  if (!found) return found;
  return with_changed(std::move(before), *found, which);
}

}  // namespace aprscope
