#pragma once

#include "app/gui/compare/compare_feed.hpp"
#include "core/image/profile.hpp"

namespace aprscope::gui {

/// The profiles of both sides of a comparison along one line.
struct ProfilePair {
  LineProfile a;
  LineProfile b;
};

/// `line` is in pixels of A; in B it runs through the same pixels where both have one size, else
/// through the same physical places. Both profiles have as many samples. `width`: see
/// ProfileOptions.
ProfilePair compare_profiles(const ComparePicture& picture, const PlaneLine& line, int width,
                             const Dataset& a, const Dataset& b);

}  // namespace aprscope::gui
