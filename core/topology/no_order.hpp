#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// An error that says of how many values there is no saying what is more and what is less, and
/// where the first of them is.
inline Error no_order(std::uint64_t count, const Index3& first, const std::string& name) {
  return {"holds " + std::to_string(count) + " values that are no numbers (NaN), the first at z " +
              std::to_string(first.z) + ", x " + std::to_string(first.x) + ", y " +
              std::to_string(first.y),
          name.empty() ? "image" : name, "replace them first"};
}

}  // namespace aprscope
