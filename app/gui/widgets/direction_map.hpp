#pragma once

#include <QLineF>
#include <QString>
#include <QWidget>
#include <vector>

#include "core/projections/backproject.hpp"
#include "core/projections/symmetry.hpp"

class QPainter;

namespace aprscope::gui {

/// From where molecules were seen: one cell for each direction, all of equal area, rot from left to
/// right and cos tilt upwards; the more images, the brighter. A line surrounds one asymmetric unit
/// of their symmetry, where there is one. The tool tip tells what is under the pointer.
class DirectionMap : public QWidget {
  Q_OBJECT

 public:
  explicit DirectionMap(QWidget* parent = nullptr);

  /// The counts hold all copies by `group`. No counts: nothing is drawn.
  void set_directions(DirectionHistogram directions, const SymmetryGroup& group = {});
  [[nodiscard]] const DirectionHistogram& directions() const { return directions_; }
  /// The border of the asymmetric unit: lines in shares of the map's width and height, from its
  /// upper left corner. Empty without symmetry.
  [[nodiscard]] const std::vector<QLineF>& outline() const { return outline_; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;
  void draw_outline(QPainter& painter) const;

  DirectionHistogram directions_;
  QString symmetry_;
  std::vector<QLineF> outline_;
};

}  // namespace aprscope::gui
