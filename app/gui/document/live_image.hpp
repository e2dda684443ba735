#pragma once

#include <QString>
#include <cstdint>
#include <memory>

#include "core/apr/sample/reconstruction.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/colormap.hpp"

namespace aprscope::gui {

/// What the slices show of the current item while a job works on it: a replacement of all data, or
/// of one part of the data. Objects are replaced, never changed.
struct LiveImage {
  /// The item that is worked on.
  std::uint64_t item = 0;
  /// The data to show; null: the item's own data.
  std::shared_ptr<const Dataset> dataset;
  /// The pixels of `region`, which replace those of the data; none where the region is empty.
  Region region;
  Pixels<float> pixels;
  Contrast contrast;
  /// The progress in words: "iteration 12 of 50".
  QString caption;
};

}  // namespace aprscope::gui
