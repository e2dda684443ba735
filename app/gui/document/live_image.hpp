#pragma once

#include <QString>
#include <cstdint>
#include <memory>

#include "core/apr/sample/reconstruction.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/colormap.hpp"

namespace aprscope::gui {

/// What the slices show of the current item while it is being worked on: all of it, or one part in
/// the place of what is there. A value that is replaced, never changed.
struct LiveImage {
  /// The item that it belongs to.
  std::uint64_t item = 0;
  /// Null: the item's own data.
  std::shared_ptr<const Dataset> dataset;
  /// Pixels of `region`; none where it is empty.
  Region region;
  Pixels<float> pixels;
  Contrast contrast;
  /// "iteration 12 of 50".
  QString caption;
};

}  // namespace aprscope::gui
