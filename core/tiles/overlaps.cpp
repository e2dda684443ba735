#include "core/tiles/overlaps.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace aprscope {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

FlatPicture picture(std::int64_t row0, std::int64_t rows, std::int64_t col0, std::int64_t cols) {
  return {rows, cols, row0, col0,
          std::vector<float>(static_cast<std::size_t>(rows * cols), kLowest)};
}

template <class T>
void to_floats(const std::vector<char>& raw, std::vector<float>& out) {
  const T* const from = reinterpret_cast<const T*>(raw.data());
  std::transform(from, from + out.size(), out.begin(), [](T v) { return static_cast<float>(v); });
}

}  // namespace

Projector::Projector(const Size3& size, const Index3& at) : size_(size), at_(at) {}

std::size_t Projector::add(const Region& box) {
  const auto cut = [](std::int64_t v, std::int64_t at, std::int64_t n) {
    return std::clamp<std::int64_t>(v - at, 0, n);
  };
  const Region own{{cut(box.begin.z, at_.z, size_.z), cut(box.begin.x, at_.x, size_.x),
                    cut(box.begin.y, at_.y, size_.y)},
                   {cut(box.end.z, at_.z, size_.z), cut(box.end.x, at_.x, size_.x),
                    cut(box.end.y, at_.y, size_.y)}};
  const Size3 n = own.size();
  const Index3 first{own.begin.z + at_.z, own.begin.x + at_.x, own.begin.y + at_.y};
  boxes_.push_back(own);
  done_.push_back({picture(first.x, n.x, first.y, n.y), picture(first.z, n.z, first.y, n.y),
                   picture(first.z, n.z, first.x, n.x)});
  return boxes_.size() - 1;
}

Status Projector::run(SliceSource& source, const JobContext& context) {
  if (!(source.size() == size_)) {
    return Error{"is of another size than when it was opened", source.header().name,
                 "open the tiles again"};
  }
  const SampleKind kind = source.kind();
  const auto count = static_cast<std::size_t>(size_.x * size_.y);
  std::vector<char> raw(count * sample_bytes(kind));
  std::vector<float> slice(count);
  for (std::int64_t z = 0; z < size_.z; ++z) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(z) / static_cast<double>(size_.z), "overlaps");
    const auto touched = [&](const Region& box) { return z >= box.begin.z && z < box.end.z; };
    if (std::none_of(boxes_.begin(), boxes_.end(), touched)) continue;
    if (Status got = source.read(z, raw.data(), context); !got) return got;
    switch (kind) {
      case SampleKind::u8:
        to_floats<std::uint8_t>(raw, slice);
        break;
      case SampleKind::u16:
        to_floats<std::uint16_t>(raw, slice);
        break;
      case SampleKind::f32:
        to_floats<float>(raw, slice);
        break;
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (touched(boxes_[i])) add_slice(i, z, slice);
    }
  }
  return {};
}

void Projector::add_slice(std::size_t place, std::int64_t z, const std::vector<float>& slice) {
  const Region& box = boxes_[place];
  auto& [along_z, along_x, along_y] = done_[place];
  const Size3 n = box.size();
  float* const by_y = along_x.values.data() + (z - box.begin.z) * n.y;
  float* const by_x = along_y.values.data() + (z - box.begin.z) * n.x;
  for (std::int64_t x = 0; x < n.x; ++x) {
    const float* const from = slice.data() + (box.begin.x + x) * size_.y + box.begin.y;
    float* const whole = along_z.values.data() + x * n.y;
    float largest = kLowest;
    for (std::int64_t y = 0; y < n.y; ++y) {
      whole[y] = std::max(whole[y], from[y]);
      by_y[y] = std::max(by_y[y], from[y]);
      largest = std::max(largest, from[y]);
    }
    by_x[x] = largest;
  }
}

}  // namespace aprscope
