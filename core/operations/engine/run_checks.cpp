#include "core/operations/engine/run_checks.hpp"

#include "core/base/system.hpp"

namespace aprscope {

Error too_little_memory(const Dataset& input, std::uint64_t needed) {
  return {"needs about " + format_bytes(needed) + " of memory, but only " +
              format_bytes(available_bytes()) + " are free",
          input.name(), "close other data or use a smaller image"};
}

Status check_memory(std::uint64_t needed, const Dataset& input) {
  const std::uint64_t left = available_bytes();
  if (left == 0 || needed <= left) return {};
  return too_little_memory(input, needed);
}

Status check_finite(const Dataset& input) {
  const NonFinite bad = input.values().non_finite();
  if (bad.count == 0) return {};
  return Error{non_finite_text(bad), input.name(), "replace them, or scale the image, first"};
}

std::string made_by_cpu(const Operation& complete) { return describe(complete) + " [cpu]"; }

}  // namespace aprscope
