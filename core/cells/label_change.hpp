#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Pixels (or particles) that follow each other in memory, all with one label before and one after.
struct LabelRun {
  std::uint64_t begin = 0;
  std::uint64_t length = 0;
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  friend bool operator==(const LabelRun&, const LabelRun&) = default;
};

/// The change that an edit makes to labels of an image or of particles, with all that undo needs.
struct LabelChange {
  /// The smallest box with all pixels that change.
  Region box{};
  /// Labels that lose or gain a pixel or particle, in ascending order, without background.
  std::vector<std::uint32_t> labels;
  /// The runs that change, in ascending order, without overlap.
  std::vector<LabelRun> runs;
  std::uint32_t largest_before = 0;
  std::uint32_t largest_after = 0;
  /// Findings of all labels; nothing is known any more of labels that change.
  std::vector<LabelFinding> findings_before;
  std::vector<LabelFinding> findings_after;

  [[nodiscard]] bool empty() const { return runs.empty(); }
  [[nodiscard]] std::uint64_t bytes() const;
  /// Makes the change / takes it back, on the labels it was found on / applied to.
  void apply(Labels& labels) const;
  void revert(Labels& labels) const;
};

/// Collects a change in ascending order of what has the labels: pixel by pixel, or particle by
/// particle.
class LabelChangeBuilder {
 public:
  /// `labels`: those of the pixels of the box `of` in an image, or of particles; only read.
  LabelChangeBuilder(const Labels& labels, const Region& of);
  /// Pixel (z, x, y) gets this label; nothing happens where it has it.
  void set(std::int64_t z, std::int64_t x, std::int64_t y, std::uint32_t after);
  /// The same of pixels [y0, y1) of a row, which have one label.
  void set_run(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1,
               std::uint32_t after);
  /// The same of particles [at, at + length), which have one label, and whose cells lie in `box`.
  void put(std::uint64_t at, std::uint64_t length, const Region& box, std::uint32_t after);
  LabelChange take();

 private:
  const Labels& labels_;
  Region of_;
  LabelChange change_;
};

/// Gives the findings the new numbers of their objects when all are renumbered: `number` of a label
/// from 1 to the largest, 0 where there is none of it.
template <class Number>
void renumber_findings(const Labels& before, const Number& number, LabelChange& change) {
  change.findings_after.clear();
  for (LabelFinding one : before.findings) {
    if (one.label > before.largest) continue;
    one.label = number(one.label);
    if (one.label != 0) change.findings_after.push_back(one);
  }
  std::sort(change.findings_after.begin(), change.findings_after.end(),
            [](const LabelFinding& a, const LabelFinding& b) { return a.label < b.label; });
}

}  // namespace aprscope
