#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cells/label_sums.hpp"

namespace aprscope {

/// Red, green and blue of each colour index; index 0, of background, is black. Bright enough to be
/// seen over grey images, in hues and lightnesses that also red-green blind eyes tell apart (after
/// Okabe and Ito, Color Universal Design, 2008, with lighter forms between theirs).
std::span<const std::array<std::uint8_t, 3>> label_palette();

/// The colour index of a label of which no neighbours are known.
std::uint8_t hashed_colour(std::uint32_t label);

/// Labels up to this one get colours of their own in colour_indices(); those of larger ones are
/// their hash.
constexpr std::uint32_t kMostColoured = 1U << 24U;

/// A colour index for each label from 0 to min(largest, kMostColoured); `contacts` are the labels
/// that touch. A label keeps its colour in `previous` (0: none), else gets that of its hash, unless
/// a smaller label that touches it has it; then it gets the colour least used by neighbours. So an
/// edit changes the colours only of labels that come to touch one of their own colour.
std::vector<std::uint8_t> colour_indices(std::span<const LabelContact> contacts,
                                         std::uint32_t largest,
                                         std::span<const std::uint8_t> previous = {});

}  // namespace aprscope
