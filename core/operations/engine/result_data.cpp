#include "core/operations/engine/result_data.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aprscope {

Data with_field(const Apr& apr, std::vector<float> values, std::string history) {
  Apr out = apr;
  const std::string field = out.main_field()->name;
  out.fields = {std::make_shared<const Field>(Field{field, std::move(values)})};
  out.tree_fields.clear();
  out.history.push_back(std::move(history));
  return out;
}

Data filtered_image(const Dataset& input, std::vector<float> values) {
  const Volume& image = input.volume();
  Pixels<float> pixels;
  pixels.size = image.size();
  pixels.values = std::move(values);
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = image.voxel;
  out.origin = image.origin;
  out.name = image.name;
  out.channel = image.channel;
  out.channel_index = image.channel_index;
  out.time = image.time;
  out.labels = input.labels();
  return out;
}

Data with_labels(const Dataset& input, Labels labels, std::string history) {
  Data out = input.data();
  const auto shared = std::make_shared<const Labels>(std::move(labels));
  std::visit([&](auto& one) { one.labels = shared; }, out);
  if (auto* apr = std::get_if<Apr>(&out)) apr->history.push_back(std::move(history));
  return out;
}

Volume image_like(const Apr& apr, AnyPixels pixels) {
  Volume out;
  out.pixels = std::move(pixels);
  out.voxel = apr.voxel;
  out.name = apr.name;
  out.channel = apr.channel;
  out.channel_index = apr.channel_index;
  out.time = apr.time;
  return out;
}

template <class T>
AnyPixels typed(Pixels<float> pixels) {
  Pixels<T> to(pixels.size);
  std::transform(pixels.values.begin(), pixels.values.end(), to.values.begin(),
                 [](float v) { return static_cast<T>(std::lround(v)); });
  return to;
}
template AnyPixels typed<std::uint8_t>(Pixels<float> pixels);
template AnyPixels typed<std::uint16_t>(Pixels<float> pixels);

AnyPixels typed_as(const Field& field, Pixels<float> pixels) {
  if (std::holds_alternative<std::vector<std::uint8_t>>(field.values)) {
    return typed<std::uint8_t>(std::move(pixels));
  }
  if (std::holds_alternative<std::vector<std::uint16_t>>(field.values)) {
    return typed<std::uint16_t>(std::move(pixels));
  }
  return pixels;
}

std::vector<std::uint64_t> particles_in(const AprAccess& access, const Region& region) {
  std::vector<std::uint64_t> found;
  const LinearAccess& cells = access.particles();
  for (int l = 1; l <= access.level_max(); ++l) {
    const int shift = access.level_max() - l;
    const auto last = [&](std::int64_t end) { return (end - 1) >> shift; };
    for (std::int64_t z = region.begin.z >> shift; z <= last(region.end.z); ++z) {
      for (std::int64_t x = region.begin.x >> shift; x <= last(region.end.x); ++x) {
        const ParticleRange row = cells.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          const std::int64_t y = cells.y()[i];
          if (y >= region.begin.y >> shift && y <= last(region.end.y)) found.push_back(i);
        }
      }
    }
  }
  return found;
}

void copy_particles(const AprAccess& access, const Region& region, const std::vector<float>& from,
                    std::vector<float>& to) {
  for (const std::uint64_t i : particles_in(access, region)) to[i] = from[i];
}

void copy_pixels(const Size3& n, const Region& region, const std::vector<float>& from,
                 std::vector<float>& to) {
  for (std::int64_t z = region.begin.z; z < region.end.z; ++z) {
    for (std::int64_t x = region.begin.x; x < region.end.x; ++x) {
      const std::int64_t row = (z * n.x + x) * n.y;
      std::copy(from.begin() + row + region.begin.y, from.begin() + row + region.end.y,
                to.begin() + row + region.begin.y);
    }
  }
}

}  // namespace aprscope
