#include "core/operations/filter/stencil_file.hpp"

#include <cmath>
#include <filesystem>

#include "core/base/atomic_file.hpp"
#include "core/base/memory_error.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/parameter_json.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kLargest = 1023;

Result<Stencil> from_image(const std::string& path) {
  const auto info = inspect(path);
  if (!info) return info.error();
  const auto odd = [](std::int64_t n) { return n % 2 == 1 && n <= kLargest; };
  const Size3& size = info->size;
  if (info->is_apr) {
    return Error{"holds particles, not the pixels of a PSF", path, "give a TIFF or HDF5 image"};
  }
  if (!odd(size.z) || !odd(size.x) || !odd(size.y)) {
    return Error{"is " + std::to_string(size.z) + "x" + std::to_string(size.x) + "x" +
                     std::to_string(size.y) + " pixels, which has no centre pixel to align with",
                 path,
                 "crop or pad each dimension (z, x, y) to an odd size of at most " +
                     std::to_string(kLargest)};
  }
  const auto data = load(*info);
  if (!data) return data.error();
  const auto& volume = std::get<Volume>(*data);
  if (const NonFinite bad = count_non_finite(volume); bad.count > 0) {
    return Error{non_finite_text(bad), path, "replace them, or scale the image, first"};
  }
  const Pixels<float> pixels = volume.to_float();
  Stencil stencil;
  stencil.size = size;
  stencil.weights.assign(pixels.values.begin(), pixels.values.end());
  stencil.name = std::filesystem::path(path).filename().string();
  double magnitude = 0.0;
  for (const double w : stencil.weights) magnitude += std::abs(w);
  if (!(std::abs(stencil.sum()) > 1e-12 * magnitude)) {
    return Error{"has pixels of sum 0, so they cannot be scaled to sum 1", path,
                 "check that this is the image of a PSF"};
  }
  stencil = stencil.normalized();
  if (Status ok = check(stencil); !ok) return ok.error();
  return stencil;
}

}  // namespace

std::string stencil_to_json(const Stencil& stencil) { return dump(stencil_json(stencil), -1); }

Result<Stencil> stencil_from_json(const std::string& text, const std::string& where) {
  const auto json = parse_json(text, where);
  if (!json) return json.error();
  auto stencil = stencil_from(*json);
  if (stencil) return stencil;
  Error error = stencil.error();
  error.where = where;
  return error;
}

Result<Stencil> load_stencil(const std::string& path) {
  return with_memory_errors(path, [&]() -> Result<Stencil> {
    if (std::filesystem::path(path).extension() != ".json") return from_image(path);
    const auto text = read_text(path);
    if (!text) return text.error();
    auto stencil = stencil_from_json(*text, path);
    if (stencil && stencil->name.empty()) {
      stencil->name = std::filesystem::path(path).filename().string();
    }
    return stencil;
  });
}

}  // namespace aprscope
