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
    : plan_(size, lambda),
      kind_(kind),
      threads_(threads),
      pitch_(padded(size.y) + kPad),
      plane_(size.x * pitch_ + 5 * kPad),
      seen_(static_cast<std::size_t>(threads)) {
  if (plan_.filters_z) kept_ = Scratch<float>(2 * (plan_.pairs - 1) * size.x * pitch_);
  ring_ = Scratch<float>(std::min(kSlots, size.z) * plane_ + 3 * kPad, Pages::huge);
  if (plan_.filters_z) state_ = Scratch<float>(2 * size.x * pitch_);
  const std::int64_t floats =
      std::max((padded(size.y) + kPad) * kLines + (kLines + 5) * pitch_ + 3 * kPad, 4 * kColumns);
  for (int t = 0; t < threads; ++t) scratch_.emplace_back(floats);
}

// Rows [begin, end) along z, and along y while they are in cache.
void SlabSmoother::zy_rows(const Block& block, const std::vector<const void*>& raw,
                           std::int64_t begin, std::int64_t end, int thread) {
  const ConversionKernels& kernels = conversion_kernels();
  const auto which = static_cast<std::size_t>(kind_);
  const std::size_t row_bytes = static_cast<std::size_t>(plan_.size.y) * sample_bytes(kind_);
  float* const scratch = scratch_[static_cast<std::size_t>(thread)].data();
  const auto sample_row = [&](std::int64_t z, std::int64_t x) -> const void* {
    return static_cast<const char*>(raw[static_cast<std::size_t>(z - block.raw_begin)]) +
           static_cast<std::size_t>(x) * row_bytes;
  };

  std::array<const void*, kSlices> rows{};
  std::array<const void*, kSlices> rows_ahead{};
  std::vector<const void*> before(plan_.before.slice.size());
  const std::int64_t kept = std::max<std::int64_t>(plan_.pairs - 1, 0);
  std::vector<float*> first(static_cast<std::size_t>(kept));
  std::vector<float*> second(static_cast<std::size_t>(kept));
  SliceRows in;
  in.rows = rows.data();
  in.slices = block.end - block.begin;
  in.offset = offset_;
  in.feed1 = plan_.z.feed1;
  in.feed2 = plan_.z.feed2;
  in.state_matrix = plan_.state_matrix.data();
  in.pairs_first = first.data();
  in.pairs_second = second.data();
  in.pairs = kept;
  in.pair_matrices = plan_.pair_matrices.data();
  in.ahead = rows_ahead.data();
  in.ahead_count = kSlices;
  in.first_weights = plan_.first_weights.data();
  in.second_weights = plan_.second_weights.data();
  in.length = plan_.size.y;
  WeightedRows sums;
  sums.offset = offset_;
  sums.length = plan_.size.y;
  const bool fresh = blocks_made_ == 0 || block.end != last_end_ + kSlices;
  const auto prepare_z = [&](std::int64_t x) {
    in.state1 = state_.data() + x * pitch_;
    in.state2 = in.state1 + plan_.size.x * pitch_;
    if (block.begin == 0) {
      for (std::size_t t = 0; t < before.size(); ++t)
        before[t] = sample_row(plan_.before.slice[t], x);
      sums.rows = before.data();
      sums.count = static_cast<std::int64_t>(before.size());
      sums.first_weights = plan_.before.first.data();
      sums.second_weights = plan_.before.second.data();
      sums.first = in.state1;
      sums.second = in.state2;
      kernels.weighted_z[which](sums);
    }
    for (std::int64_t m = 0; m < kept; ++m) {
      float* const pair =
          kept_.data() + ((m + blocks_made_) % kept * 2 * plan_.size.x + x) * pitch_;
      first[static_cast<std::size_t>(m)] = pair;
      second[static_cast<std::size_t>(m)] = pair + plan_.size.x * pitch_;
      if (!fresh) continue;
      for (std::int64_t k = 0; k < kSlices; ++k) {
        rows_ahead[static_cast<std::size_t>(k)] = sample_row(plan_.ahead(block.end, m, k), x);
      }
      sums.rows = rows_ahead.data();
      sums.count = kSlices;
      sums.first_weights = plan_.first_weights.data();
      sums.second_weights = plan_.second_weights.data();
      sums.first = pair;
      sums.second = pair + plan_.size.x * pitch_;
      kernels.weighted_z[which](sums);
    }
    for (std::int64_t k = 0; k < kSlices; ++k) {
      rows_ahead[static_cast<std::size_t>(k)] = sample_row(plan_.ahead(block.end, kept, k), x);
    }
  };
  float* const buffer = scratch + (padded(plan_.size.y) + kPad) * kLines;
  for (std::int64_t i = 0; i < 4; ++i) in.work[i] = buffer + (kLines + 1 + i) * pitch_;

  // Lines that wait to be filtered along y in whole groups; what a group lacks goes to a spare
  // line.
  float* const spare = buffer + kLines * pitch_;
  std::array<float*, kLines> lines{};
  std::array<float*, kLines> results{};
  std::int64_t waiting = 0;
  const LineFilter along_y = plan_.filters_y ? line_filter(plan_.y) : LineFilter{};
  const auto filter_y = [&] {
    if (plan_.filters_y && waiting > 0) {
      if (waiting < kLines) std::fill(spare, spare + pitch_, 0.0F);
      std::fill(lines.begin() + waiting, lines.end(), spare);
      std::fill(results.begin() + waiting, results.end(), spare);
      kernels.filter_y(along_y, lines.data(), results.data(), plan_.size.y, scratch);
    }
    waiting = 0;
  };
  for (std::int64_t x = begin; x < end; ++x) {
    if (waiting + in.slices > kLines) filter_y();
    for (std::int64_t k = 0; k < in.slices; ++k) {
      const auto i = static_cast<std::size_t>(waiting + k);
      rows[static_cast<std::size_t>(k)] = sample_row(block.begin + k, x);
      results[i] = at(block.begin + k, x);
      lines[i] = plan_.filters_y ? buffer + (waiting + k) * pitch_ : results[i];
    }
    in.out = lines.data() + waiting;
    waiting += in.slices;
    if (plan_.filters_z) prepare_z(x);
    kernels.filter_z[which](in, seen_[static_cast<std::size_t>(thread)]);
  }
  filter_y();
}

// Columns of one slice along x, then the values beyond the ends of the rows.
void SlabSmoother::x_columns(std::int64_t z, std::int64_t column, int thread) {
  const std::int64_t width = std::min(kColumns, padded(plan_.size.y) - column);
  float* const slice = at(z, 0);
  if (plan_.filters_x) {
    conversion_kernels().filter_x(line_filter(plan_.x), slice + column, plan_.size.x, pitch_, width,
                                  scratch_[static_cast<std::size_t>(thread)].data());
  }
  const bool first = column == 0;
  const bool last = column + width >= plan_.size.y;
  for (std::int64_t x = 0; x < plan_.size.x && (first || last); ++x) {
    float* const row = slice + x * pitch_;
    if (first) row[-1] = row[0];
    if (last) row[plan_.size.y] = row[plan_.size.y + 1] = row[plan_.size.y - 1];
  }
}

bool SlabSmoother::run(const Block& block, const std::vector<const void*>& raw,
                       const JobContext& context) {
  if (block.begin == 0) offset_ = first_sample(kind_, raw.front());
  const std::int64_t columns = (plan_.size.y + kColumns - 1) / kColumns;
  const bool going =
      parallel_items(
          (plan_.size.x + kRows - 1) / kRows, threads_, context.part(0.0, 0.7), "smoothing",
          [&](std::int64_t i, int thread) {
            zy_rows(block, raw, i * kRows, std::min(plan_.size.x, (i + 1) * kRows), thread);
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

float SlabSmoother::noise() const {
  float largest = 0.0F;
  for (const RangeSeen& s : seen_) largest = std::max(largest, s.largest);
  return plan_.noise(largest);
}

}  // namespace aprscope
