#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/channel_blend.hpp"
#include "core/image/colormap.hpp"
#include "core/image/picture.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// A channel of a picture.
struct FigureLayer {
  Plane plane;
  ChannelLook look;
};

/// One picture of a figure.
struct FigurePanel {
  Plane plane;
  Contrast contrast;
  std::string colormap = "grey";
  /// The title above the picture, such as "A cells"; what does not fit is cut.
  std::string title;
  /// Below it, one line each.
  std::vector<std::string> notes{};
  /// Channels to blend, of the shape of the plane, shown instead of it; see blend_channels(). None:
  /// the plane in the colours of the map.
  std::vector<FigureLayer> layers{};
};

struct FigureOptions {
  /// Distance of rows and columns in `unit`.
  double row_step = 1.0;
  double col_step = 1.0;
  std::string unit = "px";
  /// The longer side of each picture, pixels.
  int panel_pixels = 560;
  /// A bar with its length in the first picture.
  bool scale_bar = true;
  /// The colours and their grey values below each picture.
  bool color_bars = true;
  /// Text below all panels.
  std::string caption;
  Rgba background{255, 255, 255, 255};
  Rgba ink{20, 20, 20, 255};
  /// Colour of values that are not a number.
  Rgba nothing{0, 0, 0, 255};
};

/// Panels beside each other with titles, scale bar, colour bars, notes and caption. Width and
/// height are even, as movies need them. Errors: no panels, planes without pixels, of the
/// lettering.
Result<Picture> make_figure(const std::vector<FigurePanel>& panels, const FigureOptions& options);

}  // namespace aprscope
