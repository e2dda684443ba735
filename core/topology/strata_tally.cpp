#include "core/topology/strata_tally.hpp"

#include <utility>

namespace aprscope {
namespace {

// Takes apart a sum of words of the kernels.
StrataCounts::OfLevel unpacked(std::uint64_t word) {
  StrataCounts::OfLevel out{};
  for (unsigned s = 0; s < 6; ++s) out[s] = static_cast<std::int64_t>(word >> (8 * s) & 0xFFU);
  out[6] = static_cast<std::int64_t>(word >> 48U & 0x3FU);
  out[7] = static_cast<std::int64_t>(word >> 54U & 0x1FU);
  return out;
}

void sum(StrataCounts::OfLevel& sums, const StrataCounts::OfLevel& more) {
  for (std::size_t s = 0; s < 8; ++s) sums[s] += more[s];
}

}  // namespace

StrataCounts::OfLevel strata_of_boxes(StrataCounts::OfLevel boxes, const Size3& side) {
  const std::int64_t n[3] = {side.y, side.x, side.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (n[axis] == 1) continue;
    const std::size_t bit = std::size_t{1} << axis;
    for (std::size_t s = 0; s < 8; ++s) {
      if ((s & bit) == 0) continue;
      boxes[s - bit] += (n[axis] - 1) * boxes[s];
      boxes[s] *= n[axis];
    }
  }
  return boxes;
}

std::vector<StrataCounts::OfLevel> SharedStrata::take(int first) {
  levels_.erase(levels_.begin(), levels_.begin() + first);
  return std::move(levels_);
}

StrataTally::StrataTally(int codes, SharedStrata& shared)
    : shared_(shared),
      codes_(static_cast<std::size_t>(codes)),
      bank_(codes_ <= kSmall ? codes_ : 0),
      words_(codes_ <= kSmall ? kBanks * codes_ : codes_, kNone),
      strata_(shared.empty() ? codes_ : 0) {}

void StrataTally::set_side(const Size3& side) {
  if (side == side_) return;
  flush();
  side_ = side;
}

void StrataTally::add_one(std::size_t code, std::uint64_t word, const Size3& side) {
  add_strata(code, strata_of_boxes(unpacked(word), side));
}

void StrataTally::empty() {
  const bool pixels = side_ == Size3{1, 1, 1};
  for (std::size_t i = 0; i < full_count_; ++i) {
    const StrataCounts::OfLevel boxes = unpacked(full_[i].sum);
    add_strata(full_[i].code, pixels ? boxes : strata_of_boxes(boxes, side_));
  }
  full_count_ = 0;
}

void StrataTally::flush() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] == kNone) continue;
    spill(static_cast<std::uint32_t>(bank_ == 0 ? i : i % codes_), words_[i]);
  }
  empty();
}

void StrataTally::add_to(StrataCounts& counts, int first) {
  flush();
  if (!shared_.empty()) return;
  strata_.erase(strata_.begin(), strata_.begin() + first);
  if (counts.levels.empty()) {
    counts.levels = std::move(strata_);
    return;
  }
  for (std::size_t i = 0; i < strata_.size(); ++i) sum(counts.levels[i], strata_[i]);
}

}  // namespace aprscope
