#pragma once

#include <string>

#include "core/image/volume.hpp"

namespace aprscope {

/// "13 × 13 × 7", or "13³" where the three agree.
inline std::string extent_text(const Size3& n) {
  if (n.z == n.x && n.x == n.y) return std::to_string(n.z) + "³";
  return std::to_string(n.z) + " × " + std::to_string(n.x) + " × " + std::to_string(n.y);
}

}  // namespace aprscope
