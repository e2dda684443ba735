#pragma once

#include <string>

#include "core/base/result.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// A region from "Z0:Z1,X0:X1,Y0:Y1" in whole pixels, each from the first to before the second.
/// Errors: a text of another form.
Result<Region> region_from_text(const std::string& text);

/// The text of a box.
std::string region_text(const Region& box);

/// region_from_text(), for an image of this size; empty: all of it. Errors: it reaches out of the
/// image.
Result<Region> region_in(const std::string& text, const Size3& size);

}  // namespace aprscope
