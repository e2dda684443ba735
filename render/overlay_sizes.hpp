#pragma once

// Distances and sizes of what lies over views, alike in slices and in 3-D; in logical pixels.

namespace aprscope::overlay {

inline constexpr float kBorder = 10.0F;  // distance of texts from the border of the view
inline constexpr float kTextHeight = 12.0F;
inline constexpr float kSwatch = 12.0F;
inline constexpr float kAboveLegend = 64.0F;  // room for captions and buttons
inline constexpr float kGrabWay = 8.0F;  // distance at which the mouse grabs the handle of a reveal
inline constexpr float kHandleWidth = 22.0F;
inline constexpr float kHandleHeight = 40.0F;
inline constexpr float kClickWay = 4.0F;  // a press that moves by less is a click

}  // namespace aprscope::overlay
