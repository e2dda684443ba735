#include "core/cells/correction_points.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace aprscope {

Error refused_correction(std::string what, std::string advice) {
  return {std::move(what), "the correction", std::move(advice)};
}

std::string place_text(const Index3& p) {
  return "z " + std::to_string(p.z) + ", x " + std::to_string(p.x) + ", y " + std::to_string(p.y);
}

bool is_on_border(const Region& box, const Size3& size) {
  const auto touches = [](std::int64_t begin, std::int64_t end, std::int64_t n) {
    return begin == 0 || end == n;
  };
  return (size.z > 1 && touches(box.begin.z, box.end.z, size.z)) ||
         touches(box.begin.x, box.end.x, size.x) || touches(box.begin.y, box.end.y, size.y);
}

Error open_background(const Index3& from) {
  return refused_correction(
      "finds the background at " + place_text(from) + " open: it reaches the border of the image",
      "give a radius, or close the gap by painting");
}

Error cell_there(const Index3& p) {
  return refused_correction("has a cell at " + place_text(p) + " already",
                            "choose a point in the background, or divide that cell");
}

Status numbers_left(std::uint64_t wanted, std::uint32_t largest) {
  if (wanted <= std::numeric_limits<std::uint32_t>::max() - largest) return {};
  return refused_correction("finds no number left for a new cell",
                            "number the cells from 1 on first");
}

Status check_correction(const Correction& asked, const Size3& size) {
  for (std::size_t i = 0; i < asked.points.size(); ++i) {
    const Index3& p = asked.points[i];
    if (p.z >= 0 && p.z < size.z && p.x >= 0 && p.x < size.x && p.y >= 0 && p.y < size.y) {
      continue;
    }
    return refused_correction("has point " + std::to_string(i + 1) + " (" + place_text(p) +
                                  ") outside of the image of " + std::to_string(size.z) + " × " +
                                  std::to_string(size.x) + " × " + std::to_string(size.y) +
                                  " pixels",
                              "choose one inside");
  }
  if (asked.points.empty() && asked.action != CorrectionAction::relabel) {
    return refused_correction("has no point", "choose one in the cell that is meant");
  }
  const bool by_radius =
      asked.action == CorrectionAction::grow || asked.action == CorrectionAction::shrink;
  if (by_radius && !(asked.radius > 0.0)) {
    return refused_correction("has no radius", "give one above 0");
  }
  return {};
}

Result<std::vector<std::uint32_t>> labels_meant(std::span<const Index3> points,
                                                std::span<const std::uint32_t> labels) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (labels[i] == 0) {
      return refused_correction("has no cell at " + place_text(points[i]) + ", but background",
                                "choose a point in a cell");
    }
    if (std::find(found.begin(), found.end(), labels[i]) == found.end()) {
      found.push_back(labels[i]);
    }
  }
  return found;
}

Result<std::vector<std::uint32_t>> labels_to_merge(std::span<const Index3> points,
                                                   std::span<const std::uint32_t> labels) {
  auto all = labels_meant(points, labels);
  if (all && all->size() < 2) {
    return refused_correction("has all its points in one cell",
                              "choose one in each of the cells that belong together");
  }
  return all;
}

}  // namespace aprscope
