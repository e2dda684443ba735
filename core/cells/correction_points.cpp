#include "core/cells/correction_points.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {

Error refused_correction(std::string what, std::string advice) {
  return {std::move(what), "the correction", std::move(advice)};
}

std::string place_text(const Index3& p) {
  return "z " + std::to_string(p.z) + ", x " + std::to_string(p.x) + ", y " + std::to_string(p.y);
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
