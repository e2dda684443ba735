#pragma once

#include <QLineF>
#include <QString>
#include <QWidget>
#include <vector>

#include "core/projections/reconstruction.hpp"
#include "core/projections/symmetry.hpp"

class QPainter;

namespace aprscope::gui {

/// The directions from which molecules were seen: a cell of equal area for each direction, rot from
/// left to right and cos tilt upwards; brighter where there are more images. With symmetry, a line
/// surrounds one asymmetric unit. The tool tip describes the cell under the pointer.
class DirectionMap : public QWidget {
  Q_OBJECT

 public:
  explicit DirectionMap(QWidget* parent = nullptr);

  /// The counts include all copies by `group`. Without counts nothing is drawn.
  void set_directions(DirectionHistogram directions, const SymmetryGroup& group = {});
  [[nodiscard]] const DirectionHistogram& directions() const { return directions_; }
  /// The border of the asymmetric unit: lines in fractions of the map's width and height from its
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
