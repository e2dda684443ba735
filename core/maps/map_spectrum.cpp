#include "core/maps/map_spectrum.hpp"

#include <new>
#include <string>
#include <utility>

namespace aprscope {
namespace {

Error no_memory(std::int64_t side) {
  const std::string n = std::to_string(side);
  return {"not enough memory to transform a map of " + n + "³ voxels", "Fourier transform",
          "close other data or crop the map"};
}

}  // namespace

Result<MapSpectrum> MapSpectrum::of(std::span<const float> map, std::int64_t side,
                                    const JobContext& context) {
  if (side < 1 || static_cast<std::int64_t>(map.size()) != side * side * side) {
    return Error{"a map of side " + std::to_string(side) + " has no " + std::to_string(map.size()) +
                     " values",
                 "Fourier transform", "use a cubic map"};
  }
  auto made = zeros(side);
  if (!made) return made;
  try {
    if (Status ok = made->fill(map, context); !ok) return ok.error();
  } catch (const std::bad_alloc&) {
    return no_memory(side);
  }
  return made;
}

Status MapSpectrum::fill(std::span<const float> map, const JobContext& context) {
  const std::int64_t side = side_;
  const std::int64_t pitch = fft_->row();
  parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
    for (std::int64_t y = z * side; y < (z + 1) * side; ++y) {
      std::copy_n(map.data() + y * side, side, buffer_.data() + y * pitch);
    }
  });
  return fft_->forward(buffer_, context);
}

Result<MapSpectrum> MapSpectrum::zeros(std::int64_t side) {
  auto fft = Fft3::create({side, side, side});
  if (!fft) return fft.error();
  try {
    MapSpectrum made;
    made.side_ = side;
    made.fft_ = std::move(*fft);
    made.buffer_.resize(static_cast<std::size_t>(made.fft_->buffer_count()));
    return made;
  } catch (const std::bad_alloc&) {
    return no_memory(side);
  }
}

Result<MapSpectrum> MapSpectrum::copy() const {
  auto fft = Fft3::create({side_, side_, side_});
  if (!fft) return fft.error();
  try {
    MapSpectrum made;
    made.side_ = side_;
    made.fft_ = std::move(*fft);
    made.buffer_ = buffer_;
    return made;
  } catch (const std::bad_alloc&) {
    return no_memory(side_);
  }
}

Result<std::vector<float>> MapSpectrum::to_map(const JobContext& context) && {
  if (Status ok = fft_->inverse(buffer_, context); !ok) return ok.error();
  try {
    std::vector<float> map(static_cast<std::size_t>(side_ * side_ * side_));
    const std::int64_t pitch = fft_->row();
    parallel_for(side_, threads_for(side_ * side_ * side_), [&](std::int64_t z) {
      for (std::int64_t y = z * side_; y < (z + 1) * side_; ++y) {
        std::copy_n(buffer_.data() + y * pitch, side_, map.data() + y * side_);
      }
    });
    buffer_ = {};
    return map;
  } catch (const std::bad_alloc&) {
    return no_memory(side_);
  }
}

}  // namespace aprscope
