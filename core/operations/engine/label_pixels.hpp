#pragma once

#include <cstdint>
#include <vector>

#include "core/cells/label_scan.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// Labels and values of data as pixels: those of an image where they lie, those of particles
/// painted in their cells (constant reconstruction).
class PixelsOfLabels {
 public:
  /// The pixels of data that has labels. Throws std::bad_alloc.
  explicit PixelsOfLabels(const Dataset& input);
  [[nodiscard]] LabelPixels labels() const;
  [[nodiscard]] const AnyPixels& values() const;
  /// The same labels, with what is known of them.
  [[nodiscard]] Labels copy() const;
  /// Labels of pixels as those of this data: a particle has the one of the middle pixel of its cell
  /// (of an even side: the first one after the middle).
  static Labels back(const Dataset& input, Labels of_pixels);
  /// Bytes that this takes beyond the data.
  static std::uint64_t bytes(const Dataset& input);

 private:
  const Dataset& input_;
  std::vector<std::uint32_t> painted_labels_;
  AnyPixels painted_values_;
};

}  // namespace aprscope
