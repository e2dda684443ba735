#pragma once

#include <QWidget>

#include "core/projections/backproject.hpp"

namespace aprscope::gui {

/// From where molecules were seen: one cell for each direction, all of equal area, rot from left to
/// right and cos tilt upwards; the more images, the brighter. The tool tip tells what is under the
/// pointer.
class DirectionMap : public QWidget {
  Q_OBJECT

 public:
  explicit DirectionMap(QWidget* parent = nullptr);

  /// No counts: nothing is drawn.
  void set_directions(DirectionHistogram directions);
  [[nodiscard]] const DirectionHistogram& directions() const { return directions_; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;

  DirectionHistogram directions_;
};

}  // namespace aprscope::gui
