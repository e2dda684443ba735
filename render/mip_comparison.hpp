#pragma once

#include <QString>
#include <memory>

#include "core/apr/raycast/raycast.hpp"
#include "core/image/colormap.hpp"

namespace aprscope {

/// What a view with two volumes shows: the first one only, the first to the left of a handle and
/// the second to its right, or second − first in the colours of a signed difference.
enum class MipPair { first, reveal, difference };

class MipView;

/// The second volume of a 3-D view.
class MipComparison {
 public:
  explicit MipComparison(MipView& view) : view_(view) {}

  /// Sets a second volume of the same size and voxel size, and how both are shown; null: no second
  /// volume. Both are rendered by the same rays.
  void set_second_source(std::shared_ptr<const Raycaster> second, MipPair pair);
  [[nodiscard]] MipPair pair() const;
  void set_second_colors(const Contrast& contrast, const ColorTable& table);
  /// Where the handle is, as a part of the view's width.
  void set_reveal(double fraction);
  [[nodiscard]] double reveal() const;
  /// Names shown beside the handle.
  void set_reveal_names(const QString& left, const QString& right);
  /// Differences of this size get the strongest colours; 0: found from the picture (the 99.9 %
  /// quantile of their magnitudes).
  void set_difference_range(double range);
  /// The range used for the picture on screen; 1 if it shows no difference.
  [[nodiscard]] double difference_range() const;

 private:
  MipView& view_;
};

}  // namespace aprscope
