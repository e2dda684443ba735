#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Whether a file of this name is a table of points and no image: .csv, .tsv or .txt.
bool is_point_table(const std::string& path);

/// Points of a table, as pixels (z, x, y) of an image with this voxel size whose first pixel's
/// centre lies at `origin`: a point a line, with the separator of the first line: semicolons, tabs,
/// commas or blanks; cells may be quoted as in RFC 4180 (no line ends in them); lines that begin
/// with # are remarks, and one cell without a number above the table is its title. A head may name
/// the columns z, x and y, in any order, among others, with their unit as in "z (µm)" or "z / px",
/// or in a column "Unit"; without a unit they are pixels, but for "Position z". Without a head the
/// columns are z, x, y in pixels and no others. Positions between pixels go to the nearest; an
/// image of one slice (`flat`) needs no z. `where` names the file in errors, with the line: a value
/// that is no number, a column that is missing or has no name, more or fewer cells than in the
/// first line, a unit that is not the image's or not said, no point.
Result<std::vector<Index3>> points_from_table(const std::string& text, const VoxelSize& voxel,
                                              const std::array<double, 3>& origin, bool flat,
                                              const std::string& where);

}  // namespace aprscope
