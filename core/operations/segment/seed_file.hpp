#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basins.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// Markers for the pixels of an image, or those that particles stand for, from a file: a table of
/// points (see points_from_table()), numbered from 1 in their order, or an image of labels of the
/// same size, all pixels of which are markers that keep their number. Sorted by pixel. Errors:
/// those of points_from_table(), markers_of() and read_labels(); an image without a label, or with
/// numbers beyond 2^26.
Result<std::vector<FloodMarker>> markers_from_file(const std::string& path, const Dataset& input,
                                                   const JobContext& context = {});

}  // namespace aprscope
