#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Whether a pixel is outside of membranes, membrane, or enclosed by membranes.
enum class CellPart : std::uint8_t { exterior = 0, membrane = 1, lumen = 2 };

/// The CellPart of each pixel, as its number.
using CellParts = Pixels<std::uint8_t>;

/// How water is connected beside a membrane that is connected so: the opposite, else it would leak
/// through diagonals of the membrane.
Connectivity water_of(Connectivity membrane);

/// Fills from outside: exterior is what is not membrane (not zero) and connected to the border of
/// the image; the rest is lumen. In an image of one slice, only borders along x and y count.
/// Errors: cancelled. Throws std::bad_alloc.
Result<CellParts> fill_from_outside(const Pixels<std::uint8_t>& membrane, Connectivity connectivity,
                                    const JobContext& context = {});

/// The same of each z slice by itself.
Result<CellParts> fill_slices(const Pixels<std::uint8_t>& membrane, Connectivity connectivity,
                              const JobContext& context = {});

/// A slice of pixels, as an image of one slice.
Pixels<std::uint8_t> slice_of(const Pixels<std::uint8_t>& pixels, std::int64_t z);

/// Components of what is not exterior, connected as the membrane is: single cells, or islands of
/// them. Errors and throws: as connected_components().
Result<Labels> label_objects(const CellParts& parts, Connectivity membrane,
                             const JobContext& context = {});
/// Components of the lumen, connected as water is.
Result<Labels> label_lumens(const CellParts& parts, Connectivity membrane,
                            const JobContext& context = {});

}  // namespace aprscope
