#include "core/cells/label_scan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/cells/vertex_masks.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace aprscope {
namespace {

constexpr std::size_t kFirstPairs = 1U << 10U;

// The labels round a vertex, to be compared with one of them all at once.
class Around {
 public:
#if defined(__AVX2__)
  explicit Around(const std::uint32_t (&labels)[8])
      : all_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(labels))) {}
  [[nodiscard]] unsigned equal_to(std::uint32_t label) const {
    const __m256i same = _mm256_cmpeq_epi32(all_, _mm256_set1_epi32(static_cast<int>(label)));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
  }

 private:
  __m256i all_;
#else
  explicit Around(const std::uint32_t (&labels)[8]) : all_(labels) {}
  [[nodiscard]] unsigned equal_to(std::uint32_t label) const {
    unsigned mask = 0;
    for (unsigned i = 0; i < 8; ++i) mask |= all_[i] == label ? 1U << i : 0U;
    return mask;
  }

 private:
  const std::uint32_t (&all_)[8];
#endif
};

std::int64_t sum_of_squares_below(std::int64_t n) { return (n - 1) * n * (2 * n - 1) / 6; }

}  // namespace

LabelScan::LabelScan(const LabelPixels& labels, std::span<const AnyPixels* const> channels,
                     std::span<const std::uint32_t> only)
    : size_(labels.size),
      labels_(labels.values),
      channels_(channels),
      nothing_(static_cast<std::size_t>(size_.y), 0),
      closed_(!only.empty()),
      slots_(only.empty() ? labels.largest : *std::max_element(only.begin(), only.end())),
      intensities_(channels.size()),
      bytes_(static_cast<std::size_t>(size_.y) + 9),
      active_(static_cast<std::size_t>(size_.y) + 9),
      pairs_(kFirstPairs) {
  for (const std::uint32_t label : only) slots_.find_or_add(label);
  largest_ = only.empty() ? labels.largest : *std::max_element(only.begin(), only.end());
}

std::uint32_t LabelScan::slot_of(std::uint32_t label) {
  if (label == last_label_) return last_slot_;
  last_label_ = label;
  if (closed_) return last_slot_ = label > largest_ ? LabelSlots::kNone : slots_.find(label);
  last_slot_ = slots_.find_or_add(label);
  if (last_slot_ == records_.size()) {
    records_.emplace_back();
    for (auto& channel : intensities_) channel.emplace_back();
  }
  return last_slot_;
}

SlabSums LabelScan::slab(std::int64_t begin, std::int64_t end, const Region& box) {
  if (!closed_) slots_.clear();
  last_label_ = 0;
  last_slot_ = LabelSlots::kNone;
  records_.assign(slots_.size(), {});
  for (auto& channel : intensities_) channel.assign(slots_.size(), {});
  const std::int64_t across = size_.x + 1;
  for (std::int64_t r = begin; r < end; ++r) {
    const std::int64_t z = r / across;
    const std::int64_t x = r % across;
    if (z < box.begin.z || z >= box.end.z || x < box.begin.x || x >= box.end.x) continue;
    count_vertices(z, x, box.begin.y, box.end.y);
    if (z == size_.z || x == size_.x) continue;
    const std::int64_t y1 = std::min(box.end.y, size_.y);
    find_runs(z, x, box.begin.y, y1);
    if (channels_.empty() || runs_.empty()) continue;
    find_wall(z, x, box.begin.y, y1);
    const std::int64_t at = (z * size_.x + x) * size_.y;
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      std::visit(
          [&](const auto& pixels) { add_values(pixels.values.data() + at, intensities_[c]); },
          *channels_[c]);
    }
  }
  SlabSums out;
  out.intensities.resize(channels_.size());
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Record& from = records_[i];
    // Objects of which only the corners of voxels lie in the slab have crossings and no voxels.
    const bool any = from.voxels > 0 || std::any_of(from.counted.begin(), from.counted.end(),
                                                    [](std::uint32_t n) { return n > 0; });
    if (!any) continue;
    LabelSums to;
    to.label = slots_.labels()[i];
    to.voxels = from.voxels;
    to.box = from.box;
    to.first = from.first;
    for (std::size_t k = 0; k < to.second.size(); ++k) to.second[k] = from.second[k];
    // Vertices within the object were not looked at: at each, one stratum of each kind. A voxel is
    // one stratum, so that those that were not counted are these.
    const std::int64_t inside = from.voxels - static_cast<std::int64_t>(from.counted[7]);
    for (std::size_t k = 0; k < 8; ++k) to.strata[k] = inside + from.counted[k];
    for (std::size_t k = 0; k < 13; ++k) to.crossings[k] = from.counted[8 + k];
    out.sums.push_back(to);
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      out.intensities[c].push_back(intensities_[c][i]);
    }
  }
  for (const LabelContact& pair : pairs_) {
    if (pair.a != 0) out.contacts.push_back(pair);
  }
  if (pair_count_ > 0) pairs_.assign(kFirstPairs, {});
  pair_count_ = 0;
  return out;
}

void LabelScan::find_runs(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1) {
  runs_.clear();
  const std::uint32_t* const here = row(z, x);
  for (std::int64_t y = y0; y < y1;) {
    const std::uint32_t label = here[y];
    const std::int64_t begin = y;
    while (++y < y1 && here[y] == label) {
    }
    if (label == 0) continue;
    const std::uint32_t slot = slot_of(label);
    if (slot == LabelSlots::kNone) continue;
    runs_.push_back({slot, begin, y});
    Record& to = records_[slot];
    const std::int64_t n = y - begin;
    const std::int64_t sum_y = (begin + y - 1) * n / 2;
    if (to.voxels == 0) {
      to.box = {{z, x, begin}, {z + 1, x + 1, y}};
    } else {
      // Rows come in ascending order of z.
      to.box.end.z = z + 1;
      to.box.begin.x = std::min(to.box.begin.x, x);
      to.box.end.x = std::max(to.box.end.x, x + 1);
      to.box.begin.y = std::min(to.box.begin.y, begin);
      to.box.end.y = std::max(to.box.end.y, y);
    }
    to.voxels += n;
    to.first[0] += z * n;
    to.first[1] += x * n;
    to.first[2] += sum_y;
    to.second[0] += z * z * n;
    to.second[1] += x * x * n;
    to.second[2] += sum_of_squares_below(y) - sum_of_squares_below(begin);
    to.second[3] += z * x * n;
    to.second[4] += z * sum_y;
    to.second[5] += x * sum_y;
  }
}

void LabelScan::count_vertices(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1) {
  const std::uint32_t* const a = row(z - 1, x - 1);
  const std::uint32_t* const b = row(z - 1, x);
  const std::uint32_t* const c = row(z, x - 1);
  const std::uint32_t* const d = row(z, x);
  const auto at_end = [&](std::int64_t y) {
    const bool low = y > 0;
    const bool high = y < size_.y;
    const std::uint32_t around[8] = {low ? a[y - 1] : 0, high ? a[y] : 0,    low ? b[y - 1] : 0,
                                     high ? b[y] : 0,    low ? c[y - 1] : 0, high ? c[y] : 0,
                                     low ? d[y - 1] : 0, high ? d[y] : 0};
    for (const std::uint32_t one : around) {
      if (one != around[0]) {
        count_vertex(around);
        return;
      }
    }
  };
  if (y0 == 0) at_end(0);
  const std::int64_t begin = std::max<std::int64_t>(y0, 1);
  const std::int64_t end = std::min(y1, size_.y);
  if (begin < end) {
    // Whether the four voxels at y differ, then also whether they do from those at y − 1.
    std::uint8_t* const differ = bytes_.data();
    std::uint8_t* const active = active_.data();
    for (std::int64_t y = begin - 1; y < end; ++y) {
      differ[y] = ((d[y] ^ c[y]) | (d[y] ^ b[y]) | (d[y] ^ a[y])) != 0 ? 1 : 0;
    }
    for (std::int64_t y = begin; y < end; ++y) {
      const std::uint8_t step = d[y] != d[y - 1] ? 1 : 0;
      active[y] = static_cast<std::uint8_t>(step | differ[y] | differ[y - 1]);
    }
    for (std::int64_t y8 = begin; y8 < end; y8 += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, active + y8,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, end - y8)));
      for (; word != 0; word &= word - 1) {
        const std::int64_t y = y8 + std::countr_zero(word) / 8;
        const std::uint32_t around[8] = {a[y - 1], a[y], b[y - 1], b[y],
                                         c[y - 1], c[y], d[y - 1], d[y]};
        count_vertex(around);
      }
    }
  }
  if (y1 > size_.y) at_end(size_.y);
}

void LabelScan::count_vertex(const std::uint32_t (&around)[8]) {
  const Around all(around);
  for (unsigned left = 0xFF; left != 0;) {
    const std::uint32_t label = around[std::countr_zero(left)];
    const unsigned mask = all.equal_to(label);
    left &= ~mask;
    if (label == 0) continue;
    const std::uint32_t slot = slot_of(label);
    if (slot == LabelSlots::kNone) continue;
    auto& counted = records_[slot].counted;
    const auto& more = kVertexCounts[mask];
    for (std::size_t k = 0; k < counted.size(); ++k) counted[k] += more[k];
  }
  const std::uint32_t here = around[7];
  if (here == 0) return;
  if (around[6] != here && around[6] != 0) count_contact(here, around[6], 0);
  if (around[5] != here && around[5] != 0) count_contact(here, around[5], 1);
  if (around[3] != here && around[3] != 0) count_contact(here, around[3], 2);
}

void LabelScan::count_contact(std::uint32_t a, std::uint32_t b, std::size_t axis) {
  if (closed_ && slot_of(a) == LabelSlots::kNone && slot_of(b) == LabelSlots::kNone) return;
  if (a > b) std::swap(a, b);
  const auto place = [](std::uint32_t one, std::uint32_t two, std::size_t places) {
    const std::uint64_t key = (static_cast<std::uint64_t>(one) << 32U) | two;
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 32U) & (places - 1);
  };
  std::size_t at = place(a, b, pairs_.size());
  while (pairs_[at].a != 0) {
    if (pairs_[at].a == a && pairs_[at].b == b) {
      ++pairs_[at].faces[axis];
      return;
    }
    at = (at + 1) & (pairs_.size() - 1);
  }
  pairs_[at] = {a, b, {}};
  pairs_[at].faces[axis] = 1;
  if (2 * ++pair_count_ <= pairs_.size()) return;
  std::vector<LabelContact> more(2 * pairs_.size());
  for (const LabelContact& one : pairs_) {
    if (one.a == 0) continue;
    std::size_t to = place(one.a, one.b, more.size());
    while (more[to].a != 0) to = (to + 1) & (more.size() - 1);
    more[to] = one;
  }
  pairs_ = std::move(more);
}

void LabelScan::find_wall(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1) {
  const std::uint32_t* const here = row(z, x);
  // Outside of the image there is no other object and no background, hence no face.
  const auto inside = [&](std::int64_t other_z, std::int64_t other_x) {
    const bool there = other_z >= 0 && other_z < size_.z && other_x >= 0 && other_x < size_.x;
    return there ? row(other_z, other_x) : here;
  };
  const std::uint32_t* const a = inside(z - 1, x);
  const std::uint32_t* const b = inside(z + 1, x);
  const std::uint32_t* const c = inside(z, x - 1);
  const std::uint32_t* const d = inside(z, x + 1);
  std::uint8_t* const wall = bytes_.data();
  for (std::int64_t y = y0; y < y1; ++y) {
    const std::uint32_t v = here[y];
    wall[y] = ((v ^ a[y]) | (v ^ b[y]) | (v ^ c[y]) | (v ^ d[y])) != 0 ? 1 : 0;
  }
  for (std::int64_t y = std::max<std::int64_t>(y0, 1); y < y1; ++y) {
    wall[y] |= here[y] != here[y - 1] ? 1 : 0;
  }
  for (std::int64_t y = y0; y < std::min(y1, size_.y - 1); ++y) {
    wall[y] |= here[y] != here[y + 1] ? 1 : 0;
  }
}

template <class T>
void LabelScan::add_values(const T* values, std::vector<IntensitySums>& to) {
  for (const Run& run : runs_) {
    const T* const v = values + run.begin;
    const std::uint8_t* const wall = bytes_.data() + run.begin;
    const std::int64_t n = run.end - run.begin;
    IntensitySums one;
    T least = v[0];
    T most = v[0];
    std::uint32_t wall_voxels = 0;
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t sum = 0;
      std::uint64_t squares = 0;
      std::uint64_t wall_sum = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::uint32_t value = v[i];
        sum += value;
        squares += value * value;
        wall_sum += value * wall[i];
        wall_voxels += wall[i];
        least = std::min(least, v[i]);
        most = std::max(most, v[i]);
      }
      one.sum = static_cast<std::int64_t>(sum);
      one.squares = squares;
      one.wall_sum = static_cast<std::int64_t>(wall_sum);
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        const auto value = static_cast<double>(v[i]);
        one.real_sum += value;
        one.real_squares += value * value;
        one.real_wall_sum += wall[i] != 0 ? value : 0.0;
        wall_voxels += wall[i];
        least = std::min(least, v[i]);
        most = std::max(most, v[i]);
      }
    }
    one.minimum = static_cast<float>(least);
    one.maximum = static_cast<float>(most);
    one.wall_voxels = wall_voxels;
    to[run.slot].add(one);
  }
}

}  // namespace aprscope
