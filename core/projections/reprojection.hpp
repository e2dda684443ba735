#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/project.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

/// An image beside what a map says that it should be; side × side values each, rows of x
/// contiguous.
struct Reprojection {
  std::int64_t side = 0;
  /// The image as it lies in the stack.
  std::vector<float> image;
  /// The map along the image's orientation, moved, mirrored and with the CTF as the image is.
  std::vector<float> projection;
  /// Correlation of image and projection, see disc_correlation().
  double correlation = 0.0;
};

/// Pearson's correlation of two images of side² values inside the projection of the map's ball: the
/// disc of diameter `side` round (side/2 − dx, side/2 − dy), x and y of its centre in pixels. NaN
/// where one of them is flat there or has a value that is no number.
double disc_correlation(std::span<const float> a, std::span<const float> b, std::int64_t side,
                        double dx, double dy);

/// The image of a row of the table (from 0) and the projection of a map of side³ values, with the
/// CTF where the row has one. Errors: another side, no such row, angles that are not numbers, those
/// of reading and of project(), cancelled.
Result<Reprojection> reproject(std::span<const float> map, std::int64_t side,
                               const Projections& projections, std::size_t row,
                               const JobContext& context = {});

/// The same of a map that was prepared by default ProjectSettings, which saves its transform.
Result<Reprojection> reproject(const PreparedMap& map, const Projections& projections,
                               std::size_t row, const JobContext& context = {});

/// Reprojection::correlation of every row; NaN for those that are disabled or cannot be used. The
/// same bits for any number of threads. Errors: as reproject().
Result<std::vector<double>> reprojection_correlations(std::span<const float> map, std::int64_t side,
                                                      const Projections& projections,
                                                      const JobContext& context = {});

/// Bytes that reprojection_correlations() takes at most beyond its arguments.
std::uint64_t reprojection_bytes(std::int64_t side, std::int64_t rows);

}  // namespace aprscope
