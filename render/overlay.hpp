#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <memory>

class vtkRenderer;

namespace aprscope {

/// How a text of an Overlay looks; sizes in logical pixels. `backdrop` lies under it unless
/// transparent.
struct TextStyle {
  QColor color;
  QColor backdrop = Qt::transparent;
  double pixels = 12.0;
  bool bold = false;
};

/// Flat rectangles, lines and texts over a scene. They are added anew for each frame, in logical
/// widget pixels (top left is 0, 0), and drawn sharp at any device pixel ratio. Rectangles and
/// lines are below all texts, in the order in which they were added.
class Overlay {
 public:
  explicit Overlay(vtkRenderer& renderer);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  void begin(QSize size, double pixel_ratio);
  /// Edges go to the nearest device pixels; at least one device pixel remains.
  void rect(const QRectF& rect, const QColor& color);
  /// The outline of a rectangle, inside of it.
  void frame(const QRectF& rect, double width, const QColor& color);
  /// A straight line between two points, of any direction.
  void line(const QPointF& from, const QPointF& to, double width, const QColor& color);
  /// Puts a text with the corner or edge named by `alignment` at `anchor`; returns where it lies,
  /// backdrop included.
  QRectF text(const QString& text, const QPointF& anchor, Qt::Alignment alignment,
              const TextStyle& style);
  /// Finishes the frame: nothing may be added after this call.
  void end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
