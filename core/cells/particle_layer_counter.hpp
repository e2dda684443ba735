#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/label_sums.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/cells/vertex_masks.hpp"
#include "core/topology/particle_round.hpp"

namespace aprscope {

inline constexpr std::uint32_t kSelfStep = 1U << kNoStep;
/// Steps to cells that are before a cell in the order z, x, y.
inline constexpr std::uint32_t kStepsBefore = kSelfStep - 1;

/// A face, edge or corner of a cell, by the step to what lies beyond it: the cells round it, and
/// which of them the eight voxels round a vertex within it belong to (see VertexCounts).
struct CellFace {
  std::uint32_t cells = 0;
  std::array<std::uint8_t, 8> at{};
};

constexpr std::array<CellFace, kStepCount> cell_faces() {
  std::array<CellFace, kStepCount> out{};
  for (int i = 0; i < kStepCount; ++i) {
    const Step& s = kSteps.step[i];
    for (int bit = 0; bit < 8; ++bit) {
      // A voxel beyond the face is in the other cell; along the face both voxels are in one cell.
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
inline constexpr std::array<CellFace, kStepCount> kCellFaces = cell_faces();

/// What a layer of cells adds to the sums of objects, in the order in which they were met.
struct LayerSums {
  std::vector<LabelSums> sums;
  std::vector<std::array<std::int64_t, 24>> counted;
  std::vector<std::vector<IntensitySums>> intensities;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<std::int64_t, 3>> contacts;
};

/// Objects on particles, and the channels that are measured in them.
struct ParticleObjects {
  const AprAccess& access;
  std::span<const std::uint32_t> labels;
  std::uint32_t largest = 0;
  std::span<const FieldValues* const> channels;
  /// Objects that are looked at, in ascending order; empty: all. Contacts are counted of pairs with
  /// at least one of these.
  std::span<const std::uint32_t> only = {};

  [[nodiscard]] bool looks_at(std::uint32_t label) const {
    // Mostly there are two or three.
    constexpr std::size_t kFew = 8;
    if (only.empty()) return true;
    if (only.size() > kFew) return std::binary_search(only.begin(), only.end(), label);
    bool found = false;
    for (const std::uint32_t one : only) found = found || one == label;
    return found;
  }
};

/// Adds the particles of layers; each thread has its own.
class LayerCounter {
 public:
  LayerCounter(const ParticleObjects& in, std::vector<std::uint8_t>& walls)
      : in_(in),
        cells_(in.access.particles()),
        walls_(walls),
        // A table of all labels is too large for some of them.
        slots_(in.only.empty() ? in.largest : std::numeric_limits<std::uint32_t>::max()) {}

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
    if (own != 0 && in_.looks_at(own)) add_cell(own, box, i);
    const std::uint32_t there = round.same | round.larger;
    const std::uint32_t differ = look_round(own, round, there, x, y);
    // Cells that are divided further count as different, since their labels are not known here.
    if (((differ | ~there) & kEveryStep) == 0) return;
    if (!in_.only.empty() && (looked_at_ & (kEveryStep | kSelfStep)) == 0) return;
    mark_walls(i, round, differ & there & kFaceSteps);
    count_faces(round, box.size());
  }

 private:
  // Number of labels compared at once: 27 steps and unused ones up to a full vector.
  static constexpr std::size_t kLanes = 32;

  // Finds the labels round a cell, and which differ from its own; of cells side by side each adds
  // one column.
  std::uint32_t look_round(std::uint32_t own, const ParticleRound& round, std::uint32_t there,
                           std::int64_t x, std::int64_t y) {
    const auto find = [&](std::size_t step) {
      const std::uint32_t label =
          (there >> step & 1U) != 0 ? in_.labels[round.particle(static_cast<int>(step))] : 0;
      around_[step] = label;
      if (in_.only.empty() || label == 0) return;
      looked_at_ |= static_cast<std::uint32_t>(in_.looks_at(label)) << step;
    };
    const bool goes_on = x == last_x_ && y == last_y_ + 1;
    // Of 27 steps, the ones with another step behind them in their row.
    constexpr std::uint32_t kNotLast = 0b011011011011011011011011011U;
    looked_at_ = goes_on ? looked_at_ >> 1U & kNotLast : 0;
    if (goes_on) {
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
    if (!in_.only.empty() && in_.looks_at(own)) looked_at_ |= kSelfStep;
    std::uint32_t differ = 0;
    for (std::uint32_t step = 0; step < kLanes; ++step) {
      differ |= static_cast<std::uint32_t>(around_[step] != own) << step;
    }
    return differ & (kEveryStep | kSelfStep);
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
      // Rounded to f32, since the image of these particles holds f32.
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

  // A face counts at the finest level of the cells round it, by their first cell of that level.
  void count_faces(const ParticleRound& round, const Size3& n) {
    const std::uint32_t known = round.same | round.larger | round.outside | kSelfStep;
    for (int step = 0; step < kStepCount; ++step) {
      const CellFace& face = kCellFaces[static_cast<std::size_t>(step)];
      if (step == kNoStep || (face.cells & ~known) != 0 ||
          (face.cells & kStepsBefore & round.same) != 0) {
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
      // Eight equal labels add nothing here, see LabelScan.
      if (label == 0 || mask == 0xFF || !in_.looks_at(label)) continue;
      auto& counted = out_.counted[slot_of(label)];
      const auto& more = kVertexCounts[mask];
      for (std::size_t k = 0; k < counted.size(); ++k) counted[k] += vertices * more[k];
    }
  }

  void add_contact(std::uint32_t a, std::uint32_t b, std::size_t axis, std::int64_t faces) {
    if (a == b || a == 0 || b == 0) return;
    if (!in_.looks_at(a) && !in_.looks_at(b)) return;
    const std::pair pair{std::min(a, b), std::max(a, b)};
    // The same two mostly touch again soon.
    if (last_contact_ == nullptr || last_contact_->first != pair) {
      last_contact_ = &*out_.contacts.try_emplace(pair).first;
    }
    last_contact_->second[axis] += faces;
  }

  const ParticleObjects& in_;
  const LinearAccess& cells_;
  // Whether a particle's cell shares a face with one of another label.
  std::vector<std::uint8_t>& walls_;
  LabelSlots slots_;
  std::int64_t z_ = 0;
  std::int64_t side_ = 1;
  LayerSums out_;
  // Labels at the steps round the last cell, and the position of that cell; 0: no label known.
  std::array<std::uint32_t, kLanes> around_{};
  // Bits of the steps whose labels are in `only`, if it is not empty.
  std::uint32_t looked_at_ = 0;
  std::int64_t last_x_ = -1;
  std::int64_t last_y_ = -1;
  // A run of cells of one label whose box is not added yet; label 0: none.
  Region run_{};
  std::uint32_t run_label_ = 0;
  std::uint32_t run_slot_ = 0;
  decltype(LayerSums::contacts)::value_type* last_contact_ = nullptr;
};

}  // namespace aprscope
