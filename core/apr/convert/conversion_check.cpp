#include "core/apr/convert/conversion_check.hpp"

#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/base/system.hpp"

namespace aprscope {

Status check_conversion(const Size3& size, const ConversionParameters& p) {
  for (const std::int64_t n : {size.z, size.x, size.y}) {
    if (n < 1 || n > 65536) {
      return Error{"the image size " + std::to_string(size.z) + " × " + std::to_string(size.x) +
                       " × " + std::to_string(size.y) + " is not between 1 and 65536 a dimension",
                   "conversion", "convert a part of the image"};
    }
  }
  const auto bad = [](const char* name, const char* rule) {
    return Error{std::string(name) + " must be " + rule, "conversion", "correct the parameter"};
  };
  for (const auto& [name, value] :
       {std::pair("rel_error", p.rel_error), std::pair("psfz", p.psfz), std::pair("psfx", p.psfx),
        std::pair("psfy", p.psfy), std::pair("dz", p.dz), std::pair("dx", p.dx),
        std::pair("dy", p.dy)}) {
    if (!(value > 0.0F) || !std::isfinite(value)) return bad(name, "a positive number");
  }
  if (!(p.lambda >= 0.0F && p.lambda <= 1e6F)) return bad("lambda", "between 0 and 1000000");
  for (const auto& [name, value] :
       {std::pair("sigma_th", p.sigma_th), std::pair("sigma_th_max", p.sigma_th_max),
        std::pair("grad_th", p.grad_th), std::pair("intensity_th", p.intensity_th)}) {
    if (!std::isfinite(value)) return bad(name, "a finite number");
  }
  return {};
}

std::uint64_t conversion_bytes(const Size3& size, std::size_t bytes_a_sample) {
  // Gradient and scale of each 2×2×2 pixels, a block of coefficients, and what an APR of few
  // particles takes.
  const auto pixels = static_cast<std::uint64_t>(size.count());
  const auto plane = static_cast<std::uint64_t>(size.x * size.y);
  return pixels * (bytes_a_sample + 1) + pixels / 4 + plane * 26 * sizeof(float);
}

Error not_enough_memory(const Size3& size) {
  return {"not enough memory to convert " + std::to_string(size.z) + " × " +
              std::to_string(size.x) + " × " + std::to_string(size.y) +
              " pixels, which takes about " + format_bytes(conversion_bytes(size, sizeof(float))),
          "conversion", "close other data, or convert slice by slice (--stream)"};
}

}  // namespace aprscope
