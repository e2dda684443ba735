#pragma once

#include <QList>
#include <QRect>
#include <QWidget>

namespace aprscope::gui {

/// Frames around the targets of a step of the tour. Lies over the whole window and ignores the
/// mouse.
class TourFrames : public QWidget {
  Q_OBJECT

 public:
  explicit TourFrames(QWidget* parent = nullptr);

  /// The rectangles of the targets, the main one first, and that of the callout.
  void set_places(const QList<QRect>& places, const QRect& callout);
  [[nodiscard]] const QList<QRect>& places() const { return places_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QList<QRect> places_;
  QRect callout_;
};

}  // namespace aprscope::gui
