#include "core/image/volume.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

namespace aprscope {

Size3 Volume::size() const {
  return std::visit([](const auto& p) { return p.size; }, pixels);
}

const char* Volume::dtype() const {
  constexpr const char* names[] = {"u8", "u16", "f32"};
  return names[pixels.index()];
}

std::uint64_t Volume::bytes() const {
  return std::visit(
      [](const auto& p) {
        return static_cast<std::uint64_t>(p.values.size() * sizeof(p.values[0]));
      },
      pixels);
}

float Volume::value(const Index3& p) const {
  return std::visit([&](const auto& v) { return static_cast<float>(v.at(p.z, p.x, p.y)); }, pixels);
}

Pixels<float> Volume::to_float() const {
  return std::visit(
      [](const auto& p) {
        Pixels<float> out;
        out.size = p.size;
        out.values.assign(p.values.begin(), p.values.end());
        return out;
      },
      pixels);
}

void plane_shape(const Size3& size, Axis axis, std::int64_t& rows, std::int64_t& cols) {
  rows = axis == Axis::z ? size.x : size.z;
  cols = axis == Axis::y ? size.x : size.y;
}

std::int64_t plane_count(const Size3& size, Axis axis) {
  return axis == Axis::z ? size.z : axis == Axis::x ? size.x : size.y;
}

Plane slice_pixels(const Volume& volume, Axis axis, std::int64_t index) {
  return std::visit(
      [&](const auto& p) {
        Plane plane;
        plane_shape(p.size, axis, plane.rows, plane.cols);
        plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
        index = std::clamp<std::int64_t>(index, 0, plane_count(p.size, axis) - 1);
        for (std::int64_t r = 0; r < plane.rows; ++r) {
          float* out = plane.values.data() + r * plane.cols;
          for (std::int64_t c = 0; c < plane.cols; ++c) {
            out[c] = static_cast<float>(axis == Axis::z   ? p.at(index, r, c)
                                        : axis == Axis::x ? p.at(r, index, c)
                                                          : p.at(r, c, index));
          }
        }
        return plane;
      },
      volume.pixels);
}

std::string non_finite_text(const NonFinite& found) {
  return "holds " + std::to_string(found.count) +
         " values that are not finite (NaN or infinity) or beyond ±1e18, the first at z " +
         std::to_string(found.first.z) + ", x " + std::to_string(found.first.x) + ", y " +
         std::to_string(found.first.y);
}

NonFinite count_non_finite(const Volume& volume) {
  NonFinite found;
  if (const auto* p = std::get_if<Pixels<float>>(&volume.pixels)) {
    for (std::size_t i = 0; i < p->values.size(); ++i) {
      if (is_usable(p->values[i])) continue;
      if (found.count++ == 0) {
        const auto n = static_cast<std::int64_t>(i);
        found.first = {n / (p->size.x * p->size.y), n / p->size.y % p->size.x, n % p->size.y};
      }
    }
  }
  return found;
}

}  // namespace aprscope
