#include "core/apr/convert/slab_smoother.hpp"

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
  if (plan_.filters_z) {
    group_ = 2 * plan_.pairs * kPad;
    kept_ = Scratch<float>(size.x * padded(size.y) / kPad * group_, Pages::huge);
  }
  ring_ = Scratch<float>(std::min(kSlots, size.z) * plane_ + 3 * kPad, Pages::huge);
  const auto reach =
      static_cast<std::int64_t>(std::max(plan_.y.last.size(), plan_.y.before_last.size()));
  lines_ = plan_.filters_y ? padded(size.y) * kBlockSlices : 0;
  tail_ = plan_.filters_y ? (reach + 2 * kPad) * kBlockSlices : 0;
  const std::int64_t floats = std::max(2 * pitch_ + 2 * (lines_ + tail_), 4 * kColumns);
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
  std::vector<std::int64_t> pair_at(static_cast<std::size_t>(kept));
  SliceRows in;
  in.rows = rows.data();
  in.slices = block.end - block.begin;
  in.offset = offset_;
  in.feed1 = plan_.z.feed1;
  in.feed2 = plan_.z.feed2;
  in.state_matrix = plan_.state_matrix.data();
  in.pair_at = pair_at.data();
  in.group = group_;
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
  for (std::int64_t m = 0; m < kept; ++m) {
    pair_at[static_cast<std::size_t>(m)] = 2 * kPad * (1 + (m + blocks_made_) % kept);
  }
  // Sums that are made afresh, to where they are kept in the groups of a row.
  sums.first = scratch;
  sums.second = scratch + pitch_;
  const auto keep_sums = [&](float* to) {
    for (std::int64_t y = 0; y < plan_.size.y; y += kPad, to += group_) {
      std::copy(sums.first + y, sums.first + y + kPad, to);
      std::copy(sums.second + y, sums.second + y + kPad, to + kPad);
    }
  };
  const auto prepare_z = [&](std::int64_t x) {
    in.kept = kept_.data() + x * padded(plan_.size.y) / kPad * group_;
    if (block.begin == 0) {
      for (std::size_t t = 0; t < before.size(); ++t)
        before[t] = sample_row(plan_.before.slice[t], x);
      sums.rows = before.data();
      sums.count = static_cast<std::int64_t>(before.size());
      sums.first_weights = plan_.before.first.data();
      sums.second_weights = plan_.before.second.data();
      kernels.weighted_z[which](sums);
      keep_sums(in.kept);
    }
    for (std::int64_t m = 0; fresh && m < kept; ++m) {
      for (std::int64_t k = 0; k < kSlices; ++k) {
        rows_ahead[static_cast<std::size_t>(k)] = sample_row(plan_.ahead(block.end, m, k), x);
      }
      sums.rows = rows_ahead.data();
      sums.count = kSlices;
      sums.first_weights = plan_.first_weights.data();
      sums.second_weights = plan_.second_weights.data();
      kernels.weighted_z[which](sums);
      keep_sums(in.kept + pair_at[static_cast<std::size_t>(m)]);
    }
    for (std::int64_t k = 0; k < kSlices; ++k) {
      rows_ahead[static_cast<std::size_t>(k)] = sample_row(plan_.ahead(block.end, kept, k), x);
    }
  };
  in.work[0] = scratch;
  in.work[1] = scratch + pitch_;

  // While one row is filtered along z and forward along y, the one before takes the way back.
  const LineFilter along_y = plan_.filters_y ? line_filter(plan_.y) : LineFilter{};
  std::array<LineScratch, 2> lines;
  lines[0].lines = scratch + 2 * pitch_;
  lines[1].lines = lines[0].lines + lines_;
  lines[0].tail = lines[1].tail = lines[1].lines + lines_;
  WaitingLines waiting;
  RangeSeen& seen = seen_[static_cast<std::size_t>(thread)];
  for (std::int64_t x = begin; x < end; ++x) {
    WaitingLines next;
    next.slices = in.slices;
    next.from = &lines[static_cast<std::size_t>(x % 2)];
    for (std::int64_t k = 0; k < in.slices; ++k) {
      rows[static_cast<std::size_t>(k)] = sample_row(block.begin + k, x);
      next.out[k] = at(block.begin + k, x);
    }
    in.out = next.out;
    if (plan_.filters_z) prepare_z(x);
    if (plan_.filters_y) {
      kernels.filter_zy[which](in, along_y, waiting, lines[static_cast<std::size_t>(x % 2)], seen);
      waiting = next;
    } else {
      kernels.filter_z[which](in, seen);
    }
  }
  if (plan_.filters_y) kernels.leave(along_y, waiting, plan_.size.y);
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

bool SlabSmoother::run_zy(const Block& block, const std::vector<const void*>& raw,
                          const JobContext& context) {
  if (block.begin == 0) offset_ = first_sample(kind_, raw.front());
  return parallel_items((plan_.size.x + kRows - 1) / kRows, threads_, context, "smoothing",
                        [&](std::int64_t i, int thread) {
                          zy_rows(block, raw, i * kRows, std::min(plan_.size.x, (i + 1) * kRows),
                                  thread);
                        });
}

std::int64_t SlabSmoother::x_items(const Block& block) const {
  return (block.end - block.begin) * ((plan_.size.y + kColumns - 1) / kColumns);
}

void SlabSmoother::x_item(const Block& block, std::int64_t item, int thread) {
  const std::int64_t columns = (plan_.size.y + kColumns - 1) / kColumns;
  x_columns(block.begin + item / columns, item % columns * kColumns, thread);
}

bool SlabSmoother::usable() const {
  // Samples that lie farther from a usable first one than this are not usable themselves; those
  // that lie nearer are far from the largest float.
  constexpr float kFarthest = 2.0F * kLargestValue;
  return is_usable(offset_) && std::all_of(seen_.begin(), seen_.end(), [](const RangeSeen& s) {
           return s.finite && s.largest <= kFarthest;
         });
}

float SlabSmoother::noise() const {
  float largest = 0.0F;
  for (const RangeSeen& s : seen_) largest = std::max(largest, s.largest);
  return plan_.noise(largest);
}

}  // namespace aprscope
