#include "core/cells/particle_records.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/cells/label_records.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/particle_neighbours.hpp"
#include "core/cells/vertex_masks.hpp"

namespace aprscope {
namespace {

constexpr std::uint32_t kSelf = 1U << kNoStep;
// Steps to cells that are before a cell in the order z, x, y.
constexpr std::uint32_t kBefore = kSelf - 1;

// A face, edge or corner of a cell, by the step to what lies beyond it: the cells round it, and
// which of them the eight voxels round a vertex within it belong to (see VertexCounts).
struct CellFace {
  std::uint32_t cells = 0;
  std::array<std::uint8_t, 8> at{};
};

constexpr std::array<CellFace, kStepCount> cell_faces() {
  std::array<CellFace, kStepCount> out{};
  for (int i = 0; i < kStepCount; ++i) {
    const Step& s = kSteps.step[i];
    for (int bit = 0; bit < 8; ++bit) {
      // Beyond it on one side, the cell on the other; along it the cell on both.
      const auto side = [](int step, int high) {
        return step == 0 ? 0 : step > 0 ? high : high - 1;
      };
      const int z = side(s.z, bit >> 2 & 1);
      const int x = side(s.x, bit >> 1 & 1);
      const int y = side(s.y, bit & 1);
      const int cell = (z + 1) * 9 + (x + 1) * 3 + y + 1;
      out[static_cast<std::size_t>(i)].at[static_cast<std::size_t>(bit)] =
          static_cast<std::uint8_t>(cell);
      out[static_cast<std::size_t>(i)].cells |= 1U << cell;
    }
  }
  return out;
}
constexpr std::array<CellFace, kStepCount> kFaces = cell_faces();

// What a layer of cells adds to objects, in the order in which they were met.
struct LayerSums {
  std::vector<LabelSums> sums;
  std::vector<std::array<std::int64_t, 24>> counted;
  std::vector<std::vector<IntensitySums>> intensities;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::int64_t, 3>> contacts;
};

struct Inputs {
  const AprAccess& access;
  std::span<const std::uint32_t> labels;
  std::uint32_t largest = 0;
  std::span<const FieldValues* const> channels;
};

// Adds the particles of layers; one a thread.
class LayerCounter {
 public:
  LayerCounter(const Inputs& in, std::vector<std::uint8_t>& walls)
      : in_(in), cells_(in.access.particles()), walls_(walls), slots_(in.largest) {}

  void open(const CellLayer& layer) {
    z_ = layer.z;
    side_ = std::int64_t{1} << (cells_.level_max() - layer.level);
    slots_.clear();
    out_ = {};
    out_.intensities.resize(in_.channels.size());
    run_label_ = 0;
    last_x_ = -1;
    last_contact_ = nullptr;
  }
  LayerSums take() {
    end_run();
    return std::move(out_);
  }

  void add(std::uint32_t i, const ParticleRound& round, std::int64_t x, std::int64_t y) {
    const std::uint32_t own = in_.labels[i];
    const Region box = box_of(x, y);
    if (own != 0) add_cell(own, box, i);
    const std::uint32_t there = round.same | round.larger;
    const std::uint32_t differ = look_round(own, round, there, x, y);
    // What is divided differs, as far as is known here.
    if (((differ | ~there) & kEveryStep) == 0) return;
    mark_walls(i, round, differ & there & kFaceSteps);
    count_faces(round, box.size());
  }

 private:
  // Of 27 steps, and of some more that nothing is asked of, so that all can be compared at once.
  static constexpr std::size_t kLanes = 32;

  // Finds the labels round a cell, and which differ from its own; of cells side by side each adds
  // one column.
  std::uint32_t look_round(std::uint32_t own, const ParticleRound& round, std::uint32_t there,
                           std::int64_t x, std::int64_t y) {
    const auto find = [&](std::size_t step) {
      around_[step] =
          (there >> step & 1U) != 0 ? in_.labels[round.particle(static_cast<int>(step))] : 0;
    };
    if (x == last_x_ && y == last_y_ + 1) {
      for (std::size_t row = 0; row < 27; row += 3) {
        around_[row] = around_[row + 1];
        around_[row + 1] = around_[row + 2];
        find(row + 2);
      }
    } else {
      for (std::size_t step = 0; step < 27; ++step) find(step);
    }
    last_x_ = x;
    last_y_ = y;
    around_[kNoStep] = own;
    std::uint32_t differ = 0;
    for (std::uint32_t step = 0; step < kLanes; ++step) {
      differ |= static_cast<std::uint32_t>(around_[step] != own) << step;
    }
    return differ & (kEveryStep | kSelf);
  }

  [[nodiscard]] Region box_of(std::int64_t x, std::int64_t y) const {
    const Size3& n = cells_.size();
    const auto end = [&](std::int64_t at, std::int64_t extent) {
      return std::min((at + 1) * side_, extent);
    };
    return {{z_ * side_, x * side_, y * side_}, {end(z_, n.z), end(x, n.x), end(y, n.y)}};
  }

  std::uint32_t slot_of(std::uint32_t label) {
    const std::uint32_t slot = slots_.find_or_add(label);
    if (slot == out_.sums.size()) {
      out_.sums.emplace_back();
      out_.sums.back().label = label;
      out_.counted.emplace_back();
      for (auto& channel : out_.intensities) channel.emplace_back();
    }
    return slot;
  }

  // Cells side by side are one box.
  void add_cell(std::uint32_t label, const Region& box, std::uint32_t i) {
    if (label == run_label_ && box.begin.x == run_.begin.x && box.begin.y == run_.end.y) {
      run_.end.y = box.end.y;
    } else {
      end_run();
      run_label_ = label;
      run_slot_ = slot_of(label);
      run_ = box;
    }
    const std::int64_t n = box.size().count();
    for (std::size_t c = 0; c < in_.channels.size(); ++c) {
      std::visit(
          [&](const auto& values) { add_value(values[i], n, out_.intensities[c][run_slot_]); },
          *in_.channels[c]);
    }
  }
  void end_run() {
    if (run_label_ != 0) out_.sums[run_slot_].add_box(run_);
    run_label_ = 0;
  }
  template <class T>
  static void add_value(T value, std::int64_t n, IntensitySums& to) {
    if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t>) {
      to.sum += value * n;
      to.squares += Int128{value} * value * n;
    } else {
      // As f32, which an image of them has.
      const auto real = static_cast<double>(static_cast<float>(value));
      to.real_sum += real * static_cast<double>(n);
      to.real_squares += real * real * static_cast<double>(n);
    }
    to.minimum = std::min(to.minimum, static_cast<float>(value));
    to.maximum = std::max(to.maximum, static_cast<float>(value));
  }

  void mark_walls(std::uint32_t i, const ParticleRound& round, std::uint32_t faces) {
    if (in_.channels.empty() || faces == 0) return;
    const auto mark = [&](std::uint32_t particle) {
      std::atomic_ref(walls_[particle]).store(1, std::memory_order_relaxed);
    };
    mark(i);
    for (; faces != 0; faces &= faces - 1) {
      const int step = std::countr_zero(faces);
      if ((round.larger >> step & 1U) != 0) mark(round.particle(step));
    }
  }

  // Each face counts at the finest level of what is round it, by the first cell of that level.
  void count_faces(const ParticleRound& round, const Size3& n) {
    const std::uint32_t known = round.same | round.larger | round.outside | kSelf;
    for (int step = 0; step < kStepCount; ++step) {
      const CellFace& face = kFaces[static_cast<std::size_t>(step)];
      if (step == kNoStep || (face.cells & ~known) != 0 ||
          (face.cells & kBefore & round.same) != 0) {
        continue;
      }
      const Step& s = kSteps.step[step];
      const std::int64_t vertices =
          (s.z != 0 ? 1 : n.z - 1) * (s.x != 0 ? 1 : n.x - 1) * (s.y != 0 ? 1 : n.y - 1);
      std::array<std::uint32_t, 8> labels{};
      for (std::size_t bit = 0; bit < 8; ++bit) labels[bit] = around_[face.at[bit]];
      if (vertices > 0) count_vertices(labels, vertices);
      if ((kFaceSteps >> step & 1U) != 0) {
        const std::size_t axis = s.y != 0 ? 0 : s.x != 0 ? 1 : 2;
        add_contact(around_[kNoStep], around_[static_cast<std::size_t>(step)], axis,
                    n.count() / (axis == 0   ? n.y
                                 : axis == 1 ? n.x
                                             : n.z));
      }
    }
  }

  void count_vertices(const std::array<std::uint32_t, 8>& labels, std::int64_t vertices) {
    for (unsigned left = 0xFF; left != 0;) {
      const std::uint32_t label = labels[static_cast<std::size_t>(std::countr_zero(left))];
      unsigned mask = 0;
      for (unsigned bit = 0; bit < 8; ++bit) mask |= labels[bit] == label ? 1U << bit : 0U;
      left &= ~mask;
      // Where all are alike nothing is counted, see LabelScan.
      if (label == 0 || mask == 0xFF) continue;
      auto& counted = out_.counted[slot_of(label)];
      const auto& more = kVertexCounts[mask];
      for (std::size_t k = 0; k < counted.size(); ++k) counted[k] += vertices * more[k];
    }
  }

  void add_contact(std::uint32_t a, std::uint32_t b, std::size_t axis, std::int64_t faces) {
    if (a == b || a == 0 || b == 0) return;
    const std::pair pair{std::min(a, b), std::max(a, b)};
    // The same two mostly touch again soon.
    if (last_contact_ == nullptr || last_contact_->first != pair) {
      last_contact_ = &*out_.contacts.try_emplace(pair).first;
    }
    last_contact_->second[axis] += faces;
  }

  const Inputs& in_;
  const LinearAccess& cells_;
  // Whether a particle's cell shares a face with one of another label.
  std::vector<std::uint8_t>& walls_;
  LabelSlots slots_;
  std::int64_t z_ = 0;
  std::int64_t side_ = 1;
  LayerSums out_;
  // Labels of the steps round the cell that was looked at last, and where it is; 0: none is known.
  std::array<std::uint32_t, kLanes> around_{};
  std::int64_t last_x_ = -1;
  std::int64_t last_y_ = -1;
  // Cells of one label whose box is not added yet; 0: there are none.
  Region run_{};
  std::uint32_t run_label_ = 0;
  std::uint32_t run_slot_ = 0;
  decltype(LayerSums::contacts)::value_type* last_contact_ = nullptr;
};

// Pixels of walls, once it is known which cells have any: of these the pixels of the surface are
// looked at one by one.
class WallCounter {
 public:
  explicit WallCounter(const Inputs& in) : in_(in), size_(in.access.size()) {}

  [[nodiscard]] std::int64_t pixels(const Region& box, std::uint32_t label) const {
    if (box.size().count() == 1) return 1;
    std::int64_t found = 0;
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        const bool ends_row =
            z == box.begin.z || z + 1 == box.end.z || x == box.begin.x || x + 1 == box.end.x;
        const std::int64_t step = ends_row ? 1 : std::max<std::int64_t>(1, box.size().y - 1);
        for (std::int64_t y = box.begin.y; y < box.end.y; y += step) {
          found += is_wall(box, {z, x, y}, label) ? 1 : 0;
        }
      }
    }
    return found;
  }

 private:
  [[nodiscard]] bool is_wall(const Region& box, const Index3& p, std::uint32_t label) const {
    const auto differs = [&](bool at_face, const Index3& q) {
      return at_face && q.z >= 0 && q.x >= 0 && q.y >= 0 && q.z < size_.z && q.x < size_.x &&
             q.y < size_.y && in_.labels[in_.access.find(q).index] != label;
    };
    return differs(p.z == box.begin.z, {p.z - 1, p.x, p.y}) ||
           differs(p.z + 1 == box.end.z, {p.z + 1, p.x, p.y}) ||
           differs(p.x == box.begin.x, {p.z, p.x - 1, p.y}) ||
           differs(p.x + 1 == box.end.x, {p.z, p.x + 1, p.y}) ||
           differs(p.y == box.begin.y, {p.z, p.x, p.y - 1}) ||
           differs(p.y + 1 == box.end.y, {p.z, p.x, p.y + 1});
  }

  const Inputs& in_;
  Size3 size_;
};

// What layers add up to, in their order.
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
  RecordMaker(const Inputs& in, const JobContext& context)
      : in_(in),
        context_(context),
        cells_(in.access.particles()),
        near_(in.access, Connectivity::corners),
        all_(in.largest, in.channels.size()) {
    if (!in.channels.empty()) walls_.assign(in.labels.size(), 0);
  }

  Result<LabelRecords> run() {
    const std::size_t count = near_.layers().size();
    std::vector<LayerSums> layers(count);
    const bool walked = near_.each_layer(
        context_.part(0.0, 0.8), "cells", [&](std::int64_t item, int, RoundWalk& walk) {
          const CellLayer& layer = near_.layers()[static_cast<std::size_t>(item)];
          LayerCounter counter(in_, walls_);
          counter.open(layer);
          for (std::int64_t x = 0; x < cells_.grid(layer.level).x; ++x) {
            const ParticleRange row = cells_.row(layer.level, layer.z, x);
            if (row.empty()) continue;
            if (context_.stop_requested()) return;
            walk.open_row(layer.level, layer.z, x);
            for (std::uint64_t i = row.begin; i < row.end; ++i) {
              const std::int64_t y = cells_.y()[i];
              counter.add(static_cast<std::uint32_t>(i), walk.look(y), x, y);
            }
          }
          layers[static_cast<std::size_t>(item)] = counter.take();
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
  // Counts walls of all layers at once, then adds them in the order of particles.
  bool add_walls() {
    const auto layers = static_cast<std::int64_t>(near_.layers().size());
    struct Wall {
      std::uint32_t particle = 0;
      std::int64_t pixels = 0;
    };
    std::vector<std::vector<Wall>> found(near_.layers().size());
    const WallCounter counter(in_);
    const bool done = parallel_items(
        layers, near_.threads(), context_.part(0.8, 1.0), "walls", [&](std::int64_t item, int) {
          const CellLayer& layer = near_.layers()[static_cast<std::size_t>(item)];
          const LayerGeometry g(cells_, layer);
          const auto end = [&](std::int64_t at, std::int64_t n) {
            return std::min((at + 1) * g.side, n);
          };
          for (std::int64_t x = 0; x < g.grid.x && !context_.stop_requested(); ++x) {
            const ParticleRange row = cells_.row(layer.level, layer.z, x);
            for (std::uint64_t i = row.begin; i < row.end; ++i) {
              if (walls_[i] == 0 || in_.labels[i] == 0) continue;
              const std::int64_t y = cells_.y()[i];
              const Region box{{g.z * g.side, x * g.side, y * g.side},
                               {end(g.z, g.size.z), end(x, g.size.x), end(y, g.size.y)}};
              found[static_cast<std::size_t>(item)].push_back(
                  {static_cast<std::uint32_t>(i), counter.pixels(box, in_.labels[i])});
            }
          }
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

  const Inputs& in_;
  const JobContext& context_;
  const LinearAccess& cells_;
  ParticleNeighbours near_;
  AllLayers all_;
  std::vector<std::uint8_t> walls_;
};

Error wrong_number(std::uint64_t have, std::uint64_t need, const char* what) {
  return Error{"there are " + std::to_string(have) + " " + what + " for " + std::to_string(need) +
                   " particles",
               "particles", "use those of the same APR"};
}

}  // namespace

Result<LabelRecords> particle_records(const AprAccess& access,
                                      std::span<const std::uint32_t> labels, std::uint32_t largest,
                                      std::span<const FieldValues* const> channels,
                                      const JobContext& context) {
  if (Status ok = check_cell_count(access.count()); !ok) return ok.error();
  const Size3& size = access.size();
  if (std::max({size.z, size.x, size.y}) > kLongestSide) {
    return Error{"is longer than " + std::to_string(kLongestSide) + " pixels along one side",
                 "particles", "measure parts of it"};
  }
  if (labels.size() != access.count()) {
    return wrong_number(labels.size(), access.count(), "labels");
  }
  for (const FieldValues* channel : channels) {
    const std::uint64_t count = std::visit([](const auto& v) { return v.size(); }, *channel);
    if (count != access.count()) return wrong_number(count, access.count(), "values");
  }
  const Inputs in{access, labels, largest, channels};
  return RecordMaker(in, context).run();
}

}  // namespace aprscope
