#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Points from "z,x,y; z,x,y; …" in whole pixels; empty: none. `where`: the parameter that holds
/// the text. Errors: a piece that is no point.
Result<std::vector<Index3>> points_from_text(const std::string& text, const std::string& where);
std::string points_to_text(const std::vector<Index3>& points);

}  // namespace aprscope
