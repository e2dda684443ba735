#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/cli/commands/render_options.hpp"
#include "core/image/region.hpp"

namespace aprscope::cli {

/// A picture before it is coloured: width × height values, row 0 at the top.
struct RenderedValues {
  int width = 0;
  int height = 0;
  std::vector<float> values;
  /// The contrast that belongs to them: matter is made with one, a lit surface is from 0 to 1.
  /// None: any.
  std::optional<Contrast> contrast{};
};

/// Width and height by --size; {0, 0}: not given. Wrong usage where it is no size.
std::pair<int, int> wanted_size(const RenderOptions& options);

/// The contrast that was typed, else the automatic one of all values.
Contrast contrast_of(const RenderOptions& options, const Dataset& data);

/// The box that is shown in 3-D; none: all of it. Errors: it is not in the data.
Result<std::optional<Region>> clip_of(const RenderOptions& options, const Dataset& data);

/// Depth of the matter that is shown, added to the report; none: a projection is.
std::optional<double> depth_of(const RenderOptions& options, const Dataset& data, Session& session);

/// Errors: the data cannot be shown in the chosen mode, or have no value where the surface is to
/// be.
Status check_shown(const RenderOptions& options, const Dataset& data);

/// The picture of the chosen view. `contrast`: what matter is made with; none: contrast_of().
/// Errors: no such slice, a box that is not in the data, nothing is as bright as the surface is to
/// be, cancelled.
Result<RenderedValues> picture_of(const RenderOptions& options, const Dataset& data,
                                  const std::optional<Contrast>& contrast, Session& session);

}  // namespace aprscope::cli
