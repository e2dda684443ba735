#pragma once

#include <QList>
#include <QRect>
#include <QWidget>

namespace aprscope::gui {

/// Frames around what a step of the tour is about, over the whole window and out of the way of the
/// mouse.
class TourFrames : public QWidget {
  Q_OBJECT

 public:
  explicit TourFrames(QWidget* parent = nullptr);

  /// Places in the parent, the main one first, and where the callout is.
  void set_places(const QList<QRect>& places, const QRect& callout);
  [[nodiscard]] const QList<QRect>& places() const { return places_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QList<QRect> places_;
  QRect callout_;
};

}  // namespace aprscope::gui
