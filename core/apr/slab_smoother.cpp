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
constexpr std::int64_t kColumns = 256;

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
      pitch_(padded(size.y) + kPad),
      plane_(size.x * pitch_ + 5 * kPad),
      seen_(static_cast<std::size_t>(threads)) {
  if (filters_z_) {
    z_ = spline_response(lambda);
    const double gain = 1.0 - static_cast<double>(z_.feed1) - static_cast<double>(z_.feed2);
    norm_ *= static_cast<float>(gain * gain);
  }
  if (filters_x_) x_ = make_spline_filter(lambda, size.x);
  if (filters_y_) y_ = make_spline_filter(lambda, size.y);
  norm_ *= x_.norm * y_.norm;
  if (filters_z_) {
    before_ = taps_before();
    plan_pairs();
    kept_ = Scratch<float>(2 * (pairs_ - 1) * size.x * pitch_);
  }
  plan_blocks();
  ring_ = Scratch<float>(std::min(kSlots, size.z) * plane_ + 3 * kPad, Pages::huge);
  if (filters_z_) state_ = Scratch<float>(2 * size.x * pitch_);
  const std::int64_t floats =
      std::max((padded(size.y) + kPad) * kLines + (kLines + 5) * pitch_ + 3 * kPad, 4 * kColumns);
  for (int t = 0; t < threads; ++t) scratch_.emplace_back(floats);
}

// Blocks end at odd slices, so that of the last pair of slices only one waits for the next block.
void SlabSmoother::plan_blocks() {
  std::int64_t begin = 0;
  while (begin < size_.z) {
    std::int64_t end = begin == 0 ? kSlices - 1 : begin + kSlices;
    if (size_.z <= kSlices || end > size_.z) end = size_.z;
    Block block{begin, end, begin, end};
    const auto include = [&](std::int64_t z) {
      block.raw_begin = std::min(block.raw_begin, z);
      block.raw_end = std::max(block.raw_end, z + 1);
    };
    if (begin == 0) {
      for (const std::int64_t z : before_.slice) include(z);
    }
    for (std::int64_t m = 0; m < pairs_; ++m) {
      for (std::int64_t k = 0; k < kSlices; ++k) include(ahead(end, m, k));
    }
    blocks_.push_back(block);
    begin = end;
  }
}

// The two results behind a block follow from the causal results c at its end and, by the response
// b of both recursions, from the samples x behind it: y_0 = b_1 c_−1 + f_2 b_0 c_−2 + Σ b_k x_k,
// and y_1 likewise with b_2, f_2 b_1, b_|k−1|. As b itself obeys the recursion, the share of
// samples that begin n slices later follows from their own two sums p, q: h_n p + f_2 h_{n−1} q,
// with h the causal response.
void SlabSmoother::plan_pairs() {
  constexpr double kSmall = 1e-7;
  const std::vector<double>& b = z_.both;
  const std::vector<double>& h = z_.causal;
  const double f2 = static_cast<double>(z_.feed2);
  const auto at = [](const std::vector<double>& v, std::int64_t k) {
    return k >= 0 && k < static_cast<std::int64_t>(v.size()) ? v[static_cast<std::size_t>(k)] : 0.0;
  };
  pairs_ = 1;
  while (std::max(std::abs(at(b, pairs_ * kSlices)), std::abs(at(b, pairs_ * kSlices - 1))) >
         kSmall * b[0]) {
    ++pairs_;
  }
  for (std::int64_t k = 0; k < kSlices; ++k) {
    first_weights_.push_back(static_cast<float>(at(b, k)));
    second_weights_.push_back(static_cast<float>(at(b, std::abs(k - 1))));
  }
  const auto add = [](std::vector<float>& to, std::initializer_list<double> values) {
    for (const double v : values) to.push_back(static_cast<float>(v));
  };
  add(state_matrix_, {b[1], f2 * b[0], b[2], f2 * b[1]});
  add(pair_matrices_, {1.0, 0.0, 0.0, 1.0});
  for (std::int64_t n = kSlices; n < pairs_ * kSlices; n += kSlices) {
    add(pair_matrices_, {at(h, n), f2 * at(h, n - 1), at(h, n - 1), f2 * at(h, n - 2)});
  }
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
  std::array<const void*, kSlices> rows_ahead{};
  std::vector<const void*> before(before_.slice.size());
  const std::int64_t kept = std::max<std::int64_t>(pairs_ - 1, 0);
  std::vector<float*> first(static_cast<std::size_t>(kept));
  std::vector<float*> second(static_cast<std::size_t>(kept));
  SliceRows in;
  in.rows = rows.data();
  in.slices = block.end - block.begin;
  in.offset = offset_;
  in.feed1 = z_.feed1;
  in.feed2 = z_.feed2;
  in.state_matrix = state_matrix_.data();
  in.pairs_first = first.data();
  in.pairs_second = second.data();
  in.pairs = kept;
  in.pair_matrices = pair_matrices_.data();
  in.ahead = rows_ahead.data();
  in.ahead_count = kSlices;
  in.first_weights = first_weights_.data();
  in.second_weights = second_weights_.data();
  in.length = size_.y;
  WeightedRows sums;
  sums.offset = offset_;
  sums.length = size_.y;
  const bool fresh = blocks_made_ == 0 || block.end != last_end_ + kSlices;
  const auto prepare_z = [&](std::int64_t x) {
    in.state1 = state_.data() + x * pitch_;
    in.state2 = in.state1 + size_.x * pitch_;
    if (block.begin == 0) {
      for (std::size_t t = 0; t < before.size(); ++t) before[t] = sample_row(before_.slice[t], x);
      sums.rows = before.data();
      sums.count = static_cast<std::int64_t>(before.size());
      sums.first_weights = before_.first.data();
      sums.second_weights = before_.second.data();
      sums.first = in.state1;
      sums.second = in.state2;
      kernels.weighted_z[which](sums);
    }
    for (std::int64_t m = 0; m < kept; ++m) {
      float* const pair = kept_.data() + ((m + blocks_made_) % kept * 2 * size_.x + x) * pitch_;
      first[static_cast<std::size_t>(m)] = pair;
      second[static_cast<std::size_t>(m)] = pair + size_.x * pitch_;
      if (!fresh) continue;
      for (std::int64_t k = 0; k < kSlices; ++k) {
        rows_ahead[static_cast<std::size_t>(k)] = sample_row(ahead(block.end, m, k), x);
      }
      sums.rows = rows_ahead.data();
      sums.count = kSlices;
      sums.first_weights = first_weights_.data();
      sums.second_weights = second_weights_.data();
      sums.first = pair;
      sums.second = pair + size_.x * pitch_;
      kernels.weighted_z[which](sums);
    }
    for (std::int64_t k = 0; k < kSlices; ++k) {
      rows_ahead[static_cast<std::size_t>(k)] = sample_row(ahead(block.end, kept, k), x);
    }
  };
  float* const buffer = scratch + (padded(size_.y) + kPad) * kLines;
  for (std::int64_t i = 0; i < 4; ++i) in.work[i] = buffer + (kLines + 1 + i) * pitch_;

  // Lines that wait to be filtered along y in whole groups; what a group lacks goes to a spare
  // line.
  float* const spare = buffer + kLines * pitch_;
  std::array<float*, kLines> lines{};
  std::array<float*, kLines> results{};
  std::int64_t waiting = 0;
  const LineFilter along_y = filters_y_ ? line_filter(y_) : LineFilter{};
  const auto filter_y = [&] {
    if (filters_y_ && waiting > 0) {
      if (waiting < kLines) std::fill(spare, spare + pitch_, 0.0F);
      std::fill(lines.begin() + waiting, lines.end(), spare);
      std::fill(results.begin() + waiting, results.end(), spare);
      kernels.filter_y(along_y, lines.data(), results.data(), size_.y, scratch);
    }
    waiting = 0;
  };
  for (std::int64_t x = begin; x < end; ++x) {
    if (waiting + in.slices > kLines) filter_y();
    for (std::int64_t k = 0; k < in.slices; ++k) {
      const auto i = static_cast<std::size_t>(waiting + k);
      rows[static_cast<std::size_t>(k)] = sample_row(block.begin + k, x);
      results[i] = at(block.begin + k, x);
      lines[i] = filters_y_ ? buffer + (waiting + k) * pitch_ : results[i];
    }
    in.out = lines.data() + waiting;
    waiting += in.slices;
    if (filters_z_) prepare_z(x);
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
  const std::int64_t columns = (size_.y + kColumns - 1) / kColumns;
  const bool going =
      parallel_items((size_.x + kRows - 1) / kRows, threads_, context.part(0.0, 0.7), "smoothing",
                     [&](std::int64_t i, int thread) {
                       zy_rows(block, raw, i * kRows, std::min(size_.x, (i + 1) * kRows), thread);
                     }) &&
      parallel_items((block.end - block.begin) * columns, threads_, context.part(0.7, 1.0),
                     "smoothing", [&](std::int64_t i, int thread) {
                       x_columns(block.begin + i / columns, i % columns * kColumns, thread);
                     });
  ++blocks_made_;
  last_end_ = block.end;
  return going;
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
