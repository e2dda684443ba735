#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cells/correction.hpp"
#include "core/cells/correction_points.hpp"
#include "core/cells/label_change.hpp"
#include "core/cells/label_patch.hpp"
#include "core/cells/label_records.hpp"
#include "core/cells/label_window.hpp"

namespace aprscope {

/// The labels that a correction of pixels looks at, and how it reports what it changes. All
/// arguments must outlive it.
class CorrectionFrame {
 public:
  CorrectionFrame(const LabelWindow& in, const Correction& asked, const VoxelSize& voxel,
                  const LabelRecords* records, const JobContext& context)
      : asked_(asked), in_(in), voxel_(voxel), records_(records), context_(context) {}

  [[nodiscard]] const Correction& asked() const { return asked_; }
  [[nodiscard]] const Labels& labels() const { return in_.labels; }
  [[nodiscard]] const AnyPixels& pixels() const { return in_.pixels; }
  /// Size of the image, which may be larger than the box.
  [[nodiscard]] const Size3& size() const { return in_.size; }
  [[nodiscard]] const Region& box() const { return in_.box; }
  [[nodiscard]] const VoxelSize& voxel() const { return voxel_; }
  [[nodiscard]] const JobContext& context() const { return context_; }

  /// The number of a pixel among those of the box.
  [[nodiscard]] std::size_t at(std::int64_t z, std::int64_t x, std::int64_t y) const {
    const Index3& from = in_.box.begin;
    const Size3 n = in_.box.size();
    return static_cast<std::size_t>(((z - from.z) * n.x + x - from.x) * n.y + y - from.y);
  }
  [[nodiscard]] std::uint32_t label_at(const Index3& p) const {
    return in_.labels.values[at(p.z, p.x, p.y)];
  }

  /// The label at each point.
  [[nodiscard]] std::vector<std::uint32_t> at_points() const;
  /// The labels at the points, each once, in the order of the points. Errors: see labels_meant().
  [[nodiscard]] Result<std::vector<std::uint32_t>> meant() const {
    return labels_meant(asked_.points, at_points());
  }
  /// The boxes of labels / one box of all of them. Errors: cancelled.
  [[nodiscard]] Result<std::vector<Region>> boxes_of(
      const std::vector<std::uint32_t>& wanted) const;
  [[nodiscard]] Result<Region> box_of(const std::vector<std::uint32_t>& wanted) const;
  /// The mask of a label in a box of the image. Errors: cancelled.
  [[nodiscard]] Result<BoxMask> mask_of(std::uint32_t label, const Region& box) const;

  /// The change of labels in a box of the image to after(z, x, y, label there). Errors: nothing
  /// changes, with `nothing` as advice; cancelled.
  template <class After>
  Result<LabelChange> changed(const Region& box, const char* nothing, const After& after) const {
    LabelChangeBuilder builder(in_.labels, in_.box);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      if (context_.stop_requested()) return cancelled_error();
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          builder.set(z, x, y, after(z, x, y, in_.labels.values[at(z, x, y)]));
        }
      }
    }
    return unless_empty(builder.take(), nothing);
  }

  /// The same where it depends on the label alone.
  template <class After>
  Result<LabelChange> renamed(const Region& box, const char* nothing, const After& after) const {
    LabelChangeBuilder builder(in_.labels, in_.box);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      if (context_.stop_requested()) return cancelled_error();
      context_.report(static_cast<double>(z - box.begin.z) / static_cast<double>(box.size().z),
                      "labels");
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        const std::uint32_t* const row = in_.labels.values.data() + at(z, x, box.begin.y);
        const std::int64_t length = box.end.y - box.begin.y;
        for (std::int64_t y = 0; y < length;) {
          const std::int64_t begin = y;
          while (++y < length && row[y] == row[begin]) {
          }
          builder.set_run(z, x, box.begin.y + begin, box.begin.y + y, after(row[begin]));
        }
      }
    }
    return unless_empty(builder.take(), nothing);
  }

 private:
  static Result<LabelChange> unless_empty(LabelChange change, const char* nothing);

  const Correction& asked_;
  const LabelWindow& in_;
  const VoxelSize& voxel_;
  const LabelRecords* records_;
  const JobContext& context_;
};

}  // namespace aprscope
