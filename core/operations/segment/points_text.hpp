#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// "z,x,y; z,x,y; …" in whole pixels; empty: none. `where`: the parameter that holds the text.
/// Errors: what is no point, with it.
Result<std::vector<Index3>> points_from_text(const std::string& text, const std::string& where);
std::string points_to_text(const std::vector<Index3>& points);

}  // namespace aprscope
