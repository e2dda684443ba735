#pragma once

#include <string>

#include "core/filter/stencil.hpp"

namespace aprscope {

/// A stencil from a file: JSON {"size": [z, x, y], "weights": […]} as it stands (optional "name"),
/// or any readable pixel image (a measured PSF), whose pixels become weights of sum 1. Errors: the
/// file, an even size, a count that does not fit, weights that are not finite, a sum of 0.
Result<Stencil> load_stencil(const std::string& path);

/// The JSON form of a stencil, as load_stencil() reads it.
std::string stencil_to_json(const Stencil& stencil);

/// Parses the JSON form; `where` names the source in errors.
Result<Stencil> stencil_from_json(const std::string& text, const std::string& where);

}  // namespace aprscope
