#include "core/projections/inserted_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/projections/aberrations.hpp"

namespace aprscope {

double pixel_size_of(const ProjectionTable& table, const OpticsGroup& group) {
  return std::isfinite(group.pixel_size) && group.pixel_size > 0.0   ? group.pixel_size
         : std::isfinite(table.pixel_size) && table.pixel_size > 0.0 ? table.pixel_size
                                                                     : 1.0;
}

std::string place_of(const ProjectionTable& table, const Projection& row) {
  return table.path.filename().string() + ", line " + std::to_string(row.line);
}

std::vector<GroupOptics> group_optics(const ProjectionTable& table, CtfUse ctf) {
  std::vector<GroupOptics> all;
  bool any = false;
  for (const OpticsGroup& group : table.optics) {
    GroupOptics& optics = all.emplace_back();
    // Groups that no row belongs to may lack values.
    if (!magnification_trouble(group).empty()) continue;
    optics.magnification = magnification_of(group);
    any = any || optics.magnification.any;
    if (ctf == CtfUse::none || !aberration_trouble(group).empty()) continue;
    optics.aberrated = has_aberrations(group) || optics.magnification.any;
    if (optics.aberrated) optics.plane = plane_optics_of(group);
    any = any || optics.aberrated;
  }
  if (!any) all.clear();
  return all;
}

ImageTerms image_terms(const ProjectionTable& table, const Projection& row,
                       const InsertionPlan& plan, bool invert) {
  const OpticsGroup& group = table.optics[row.optics];
  ImageTerms terms;
  terms.sign = invert ? -1.0F : 1.0F;
  terms.shift_x = static_cast<float>(centring_shift_x(row));
  terms.shift_y = static_cast<float>(row.shift_y);
  terms.weight = static_cast<float>(row.weight);
  terms.pixel_size = pixel_size_of(table, group);
  terms.scale = static_cast<float>(terms.pixel_size / plan.pixel_size);
  if (plan.ctf != CtfUse::none) terms.ctf = ctf_of(row, group);
  if (!plan.optics.empty()) terms.optics = static_cast<std::int32_t>(row.optics);
  return terms;
}

Rotation magnified(Rotation rotation, const Magnification& magnification) {
  if (!magnification.any) return rotation;
  const auto& m = magnification.to_image;
  for (std::size_t j = 0; j < 3; ++j) {
    const double x = rotation.rows[0][j];
    const double y = rotation.rows[1][j];
    rotation.rows[0][j] = m[0] * x + m[1] * y;
    rotation.rows[1][j] = m[2] * x + m[3] * y;
  }
  return rotation;
}

void add_samples(const ReconstructionPlan& plan, const Projection& row, const ImageTerms& terms,
                 std::int32_t image, std::int32_t half, std::vector<InsertionSample>& samples) {
  const Rotation orientation = orientation_of(row);
  const auto most = static_cast<float>(plan.insertion.image_reach + 1);
  Magnification magnification;
  if (terms.optics >= 0) {
    magnification = plan.insertion.optics[static_cast<std::size_t>(terms.optics)].magnification;
  }
  for (const Rotation& coset : plan.symmetry.cosets) {
    const Rotation rotation = magnified(orientation * coset, magnification);
    InsertionSample sample;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const auto entry = static_cast<float>(rotation.rows[i][j]);
        sample.rows[3 * i + j] = i < 2 ? terms.scale * entry : entry;
      }
    }
    sample.radius = std::min(terms.scale * static_cast<float>(magnification.largest) *
                                 static_cast<float>(plan.insertion.tiles.reach() + 1),
                             most);
    sample.image = image;
    sample.half = half;
    samples.push_back(sample);
  }
}

void count_directions(const SymmetryGroup& symmetry, const Projection& row,
                      DirectionHistogram& histogram) {
  const Rotation orientation = orientation_of(row);
  histogram.counts.resize(static_cast<std::size_t>(histogram.rows * histogram.columns));
  for (const Rotation& copy : symmetry.rotations) {
    const Vector3 v = (orientation * copy).rows[2];
    const double band = 0.5 * (1.0 - v[2]) * histogram.rows;
    const double turn =
        (std::atan2(v[1], v[0]) / (2.0 * std::numbers::pi) + 0.5) * histogram.columns;
    const int i = std::clamp(static_cast<int>(band), 0, histogram.rows - 1);
    const int j = std::clamp(static_cast<int>(turn), 0, histogram.columns - 1);
    histogram.counts[static_cast<std::size_t>(i * histogram.columns + j)] += 1.0;
  }
}

}  // namespace aprscope
