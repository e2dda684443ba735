#include "core/apr/slab_smoother.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace aprscope {
namespace {

// Rows of an item of work.
constexpr std::int64_t kRows = 16;
// Columns of an item of work along x.
constexpr std::int64_t kColumns = 4 * kPad;

std::int64_t padded(std::int64_t n) { return (n + kPad - 1) / kPad * kPad; }

LineFilter line_filter(const SplineFilter& f) {
  const auto count = [](const std::vector<float>& v) {
    return static_cast<std::int64_t>(v.size());
  };
  return {f.feed1,        f.feed2,
          f.first.data(), f.second.data(),
          f.last.data(),  f.before_last.data(),
          count(f.first), count(f.second),
          count(f.last),  count(f.before_last)};
}

float first_sample(SampleKind kind, const void* slice) {
  switch (kind) {
    case SampleKind::u8:
      return static_cast<float>(*static_cast<const std::uint8_t*>(slice));
    case SampleKind::u16:
      return static_cast<float>(*static_cast<const std::uint16_t*>(slice));
    case SampleKind::f32:
      break;
  }
  return *static_cast<const float*>(slice);
}

}  // namespace

SlabSmoother::SlabSmoother(const Size3& size, SampleKind kind, double lambda, int threads)
    : size_(size),
      kind_(kind),
      threads_(threads),
      filters_z_(lambda > 0.0 && size.z > 2),
      filters_x_(lambda > 0.0 && size.x > 2),
      filters_y_(lambda > 0.0 && size.y > 2),
      pitch_(padded(size.y) + 3 * kPad),
      seen_(static_cast<std::size_t>(threads)) {
  if (filters_z_) {
    z_ = spline_response(lambda);
    const double gain = 1.0 - static_cast<double>(z_.feed1) - static_cast<double>(z_.feed2);
    norm_ *= static_cast<float>(gain * gain);
  }
  if (filters_x_) x_ = make_spline_filter(lambda, size.x);
  if (filters_y_) y_ = make_spline_filter(lambda, size.y);
  norm_ *= x_.norm * y_.norm;
  plan_blocks();
  if (filters_z_) before_ = taps_before();
  ring_ = Scratch<float>(std::min(kSlots, size.z) * size.x * pitch_);
  if (filters_z_) state_ = Scratch<float>(2 * size.x * pitch_);
  const std::int64_t floats =
      std::max((padded(size.y) + kPad) * kLines + 2 * pitch_, size.x * kColumns);
  for (int t = 0; t < threads; ++t) scratch_.emplace_back(floats);
}

// Blocks end at odd slices, so that of the last pair of slices only one waits for the next block.
void SlabSmoother::plan_blocks() {
  std::int64_t begin = 0;
  while (begin < size_.z) {
    std::int64_t end = begin == 0 ? kSlices - 1 : begin + kSlices;
    if (size_.z <= kSlices || end > size_.z) end = size_.z;
    Block block{begin, end, begin, end};
    if (filters_z_) {
      const auto include = [&](const Taps& taps) {
        for (const std::int64_t z : taps.slice) {
          block.raw_begin = std::min(block.raw_begin, z);
          block.raw_end = std::max(block.raw_end, z + 1);
        }
      };
      if (begin == 0) include(taps_before());
      include(taps_behind(end));
    }
    blocks_.push_back(block);
    begin = end;
  }
}

// The two results behind a block follow from the causal results at its end and, by the response of
// both recursions, from the samples behind it.
SlabSmoother::Taps SlabSmoother::taps_behind(std::int64_t end) const {
  std::map<std::int64_t, std::array<double, 2>> weights;
  const auto reach = static_cast<std::int64_t>(z_.both.size());
  for (std::int64_t k = 0; k <= reach; ++k) {
    auto& w = weights[mirrored_sample(end + k, size_.z)];
    if (k < reach) w[0] += z_.both[static_cast<std::size_t>(k)];
    w[1] += z_.both[static_cast<std::size_t>(std::abs(k - 1))];
  }
  Taps out;
  for (const auto& [slice, w] : weights) {
    out.slice.push_back(slice);
    out.first.push_back(static_cast<float>(w[0]));
    out.second.push_back(static_cast<float>(w[1]));
  }
  return out;
}

// The causal results at −1 and −2.
SlabSmoother::Taps SlabSmoother::taps_before() const {
  std::map<std::int64_t, std::array<double, 2>> weights;
  for (std::size_t k = 0; k < z_.causal.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    weights[mirrored_sample(-1 - at, size_.z)][0] += z_.causal[k];
    weights[mirrored_sample(-2 - at, size_.z)][1] += z_.causal[k];
  }
  Taps out;
  for (const auto& [slice, w] : weights) {
    out.slice.push_back(slice);
    out.first.push_back(static_cast<float>(w[0]));
    out.second.push_back(static_cast<float>(w[1]));
  }
  return out;
}

// Rows [begin, end) along z, and along y while they are in cache.
void SlabSmoother::zy_rows(const Block& block, const std::vector<const void*>& raw,
                           std::int64_t begin, std::int64_t end, int thread) {
  const ConversionKernels& kernels = conversion_kernels();
  const auto which = static_cast<std::size_t>(kind_);
  const std::size_t row_bytes = static_cast<std::size_t>(size_.y) * sample_bytes(kind_);
  float* const scratch = scratch_[static_cast<std::size_t>(thread)].data();
  const auto sample_row = [&](std::int64_t z, std::int64_t x) -> const void* {
    return static_cast<const char*>(raw[static_cast<std::size_t>(z - block.raw_begin)]) +
           static_cast<std::size_t>(x) * row_bytes;
  };

  std::array<const void*, kSlices> rows{};
  std::vector<const void*> taps(std::max(before_.slice.size(), behind_.slice.size()));
  SliceRows in;
  in.rows = rows.data();
  in.slices = block.end - block.begin;
  in.offset = offset_;
  in.taps = taps.data();
  in.length = size_.y;
  if (filters_z_) {
    in.feed1 = z_.feed1;
    in.feed2 = z_.feed2;
    in.first1 = static_cast<float>(z_.both[1]);
    in.first2 = static_cast<float>(static_cast<double>(z_.feed2) * z_.both[0]);
    in.second1 = static_cast<float>(z_.both[2]);
    in.second2 = static_cast<float>(static_cast<double>(z_.feed2) * z_.both[1]);
  }
  const auto use = [&](const Taps& list, std::int64_t x) {
    for (std::size_t t = 0; t < list.slice.size(); ++t) taps[t] = sample_row(list.slice[t], x);
    in.first_weights = list.first.data();
    in.second_weights = list.second.data();
    in.tap_count = static_cast<std::int64_t>(list.slice.size());
  };

  // Lines that wait to be filtered along y, in whole groups; the last is filled with a spare one.
  std::array<float*, kLines> lines{};
  std::int64_t waiting = 0;
  const LineFilter along_y = filters_y_ ? line_filter(y_) : LineFilter{};
  const auto filter_y = [&] {
    if (filters_y_ && waiting > 0) {
      float* const spare = scratch + (padded(size_.y) + kPad) * kLines;
      if (waiting < kLines) std::fill(spare, spare + pitch_, 0.0F);
      std::fill(lines.begin() + waiting, lines.end(), spare);
      kernels.filter_y(along_y, lines.data(), size_.y, scratch);
    }
    waiting = 0;
  };
  for (std::int64_t x = begin; x < end; ++x) {
    if (waiting + in.slices > kLines) filter_y();
    for (std::int64_t k = 0; k < in.slices; ++k) {
      rows[static_cast<std::size_t>(k)] = sample_row(block.begin + k, x);
      lines[static_cast<std::size_t>(waiting + k)] = at(block.begin + k, x);
    }
    in.out = lines.data() + waiting;
    waiting += in.slices;
    if (filters_z_) {
      in.state1 = state_.data() + x * pitch_;
      in.state2 = in.state1 + size_.x * pitch_;
      if (block.begin == 0) {
        use(before_, x);
        kernels.start_z[which](in);
      }
      use(behind_, x);
    }
    kernels.filter_z[which](in, seen_[static_cast<std::size_t>(thread)]);
  }
  filter_y();
}

// Columns of one slice along x, then the values beyond the ends of the rows.
void SlabSmoother::x_columns(std::int64_t z, std::int64_t column, int thread) {
  const std::int64_t width = std::min(kColumns, padded(size_.y) - column);
  float* const slice = at(z, 0);
  if (filters_x_) {
    conversion_kernels().filter_x(line_filter(x_), slice + column, size_.x, pitch_, width,
                                  scratch_[static_cast<std::size_t>(thread)].data());
  }
  const bool first = column == 0;
  const bool last = column + width >= size_.y;
  for (std::int64_t x = 0; x < size_.x && (first || last); ++x) {
    float* const row = slice + x * pitch_;
    if (first) row[-1] = row[0];
    if (last) row[size_.y] = row[size_.y + 1] = row[size_.y - 1];
  }
}

bool SlabSmoother::run(const Block& block, const std::vector<const void*>& raw,
                       const JobContext& context) {
  if (block.begin == 0) offset_ = first_sample(kind_, raw.front());
  if (filters_z_) behind_ = taps_behind(block.end);
  const std::int64_t columns = (size_.y + kColumns - 1) / kColumns;
  return parallel_items(
             (size_.x + kRows - 1) / kRows, threads_, context.part(0.0, 0.7), "smoothing",
             [&](std::int64_t i, int thread) {
               zy_rows(block, raw, i * kRows, std::min(size_.x, (i + 1) * kRows), thread);
             }) &&
         parallel_items((block.end - block.begin) * columns, threads_, context.part(0.7, 1.0),
                        "smoothing", [&](std::int64_t i, int thread) {
                          x_columns(block.begin + i / columns, i % columns * kColumns, thread);
                        });
}

bool SlabSmoother::finite() const {
  return std::all_of(seen_.begin(), seen_.end(), [](const RangeSeen& s) { return s.finite; });
}

// The recursions gather rounding errors over about their reach.
float SlabSmoother::noise() const {
  float largest = 0.0F;
  for (const RangeSeen& s : seen_) largest = std::max(largest, s.largest);
  float gain = 0.0F;
  if (filters_z_) {
    const double sum = 1.0 - static_cast<double>(z_.feed1) - static_cast<double>(z_.feed2);
    gain = static_cast<float>(1.0 / std::abs(sum));
  }
  for (const SplineFilter* f : {&x_, &y_}) {
    if (!f->first.empty()) gain = std::max(gain, 1.0F / std::sqrt(f->norm));
  }
  return largest * gain * 0x1p-21F;
}

}  // namespace aprscope
