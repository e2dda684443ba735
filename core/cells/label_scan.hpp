#pragma once

#include <span>
#include <vector>

#include "core/cells/label_slots.hpp"
#include "core/cells/label_sums.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Labels of an image, one a pixel in memory order; no value is larger than `largest`.
struct LabelPixels {
  Size3 size{0, 0, 0};
  std::span<const std::uint32_t> values;
  std::uint32_t largest = 0;
};

/// What a slab of an image adds to the sums of the objects in it: its labels in the order in which
/// they were met, and the sums of each label.
struct SlabSums {
  std::vector<LabelSums> sums;
  std::vector<LabelContact> contacts;
  std::vector<std::vector<IntensitySums>> intensities;
};

/// Scans slabs of an image; each thread has its own. The corners of its voxels (*vertices*) lie in
/// (size.z + 1) · (size.x + 1) rows of size.y + 1; vertex (z, x, y) is the first corner of voxel
/// (z, x, y), so that a slab of vertex rows also stands for rows of voxels.
class LabelScan {
 public:
  /// `only`: the objects that are looked at, in any order; empty: all. Contacts are counted of
  /// pairs with at least one of these.
  LabelScan(const LabelPixels& labels, std::span<const AnyPixels* const> channels,
            std::span<const std::uint32_t> only);

  /// Scans rows [begin, end) of vertices, and of these only vertices inside `box`.
  SlabSums slab(std::int64_t begin, std::int64_t end, const Region& box);

 private:
  // Sums of one object in one slab: 64 bits suffice.
  struct Record {
    std::int64_t voxels = 0;
    std::array<std::int64_t, 3> first{};
    std::array<std::int64_t, 6> second{};
    Region box{};
    // Strata, then crossings, where they are not those of the inside.
    std::array<std::uint32_t, 24> counted{};
  };
  struct Run {
    std::uint32_t slot = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  std::uint32_t slot_of(std::uint32_t label);
  void find_runs(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1);
  void count_vertices(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1);
  void count_vertex(const std::uint32_t (&around)[8]);
  void count_contact(std::uint32_t a, std::uint32_t b, std::size_t axis);
  void find_wall(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1);
  template <class T>
  void add_values(const T* values, std::vector<IntensitySums>& to);
  [[nodiscard]] const std::uint32_t* row(std::int64_t z, std::int64_t x) const {
    return z < 0 || z >= size_.z || x < 0 || x >= size_.x
               ? nothing_.data()
               : labels_.data() + (z * size_.x + x) * size_.y;
  }

  Size3 size_;
  std::span<const std::uint32_t> labels_;
  std::span<const AnyPixels* const> channels_;
  std::vector<std::uint32_t> nothing_;
  // If closed, only labels given at the start are looked at, and `largest_` is their largest.
  bool closed_ = false;
  std::uint32_t largest_ = 0;
  LabelSlots slots_;
  std::uint32_t last_label_ = 0;
  std::uint32_t last_slot_ = LabelSlots::kNone;
  std::vector<Record> records_;
  std::vector<std::vector<IntensitySums>> intensities_;
  std::vector<Run> runs_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint8_t> active_;
  // Contacts by pairs of labels, in a table with open addressing; free where a is 0.
  std::vector<LabelContact> pairs_;
  std::size_t pair_count_ = 0;
};

}  // namespace aprscope
