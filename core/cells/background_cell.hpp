#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/cells/label_row.hpp"

namespace aprscope {

/// Whether labels without gaps took the background of an image for one of its cells, as a watershed
/// of walls does where there are none: no more than half of the labels (or only one) reach down to
/// what is darker than the mean of the image, while cells between bright walls nearly all do; or
/// one of those that do takes 99 % of the image, and leaves specks of noise. Then the share of the
/// image that the largest of them takes, 0 … 1; else 0, also where pixels have no label or the
/// image is flat. By the grey values of the first channel.
double background_share(const std::vector<LabelRow>& rows, const Size3& size);

/// The same without a table, from the rows of wall_signal_rows(): some milliseconds for an image of
/// any size. `labels`: one a pixel. Throws std::bad_alloc.
template <class T>
double background_share(const Pixels<T>& image, std::span<const std::uint32_t> labels);

/// Of what particles with these values and labels are painted as.
double background_share(const AprAccess& access, std::span<const float> values,
                        std::span<const std::uint32_t> labels);

}  // namespace aprscope
