#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/cells/correction.hpp"
#include "core/image/region.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// An error of a correction.
Error refused_correction(std::string what, std::string advice);

/// "z 1, x 2, y 3".
std::string place_text(const Index3& p);

/// Whether a box touches the border of an image; along a dimension of one there is none.
bool is_on_border(const Region& box, const Size3& size);

/// Errors if a new cell cannot be made: the background is not enclosed / a cell is there.
Error open_background(const Index3& from);
Error cell_there(const Index3& p);

/// Whether so many cells more can be numbered.
Status numbers_left(std::uint64_t wanted, std::uint32_t largest);

/// Checks that all that a correction needs is given, for an image of this size. Errors: a point
/// outside of it, no point, no radius.
Status check_correction(const Correction& asked, const Size3& size);

/// The labels at the points (one each, in their order), each once. Errors: a point on background.
Result<std::vector<std::uint32_t>> labels_meant(std::span<const Index3> points,
                                                std::span<const std::uint32_t> labels);

/// The labels to merge into one, the one that stays first. Errors: those of labels_meant(), fewer
/// than two.
Result<std::vector<std::uint32_t>> labels_to_merge(std::span<const Index3> points,
                                                   std::span<const std::uint32_t> labels);

}  // namespace aprscope
