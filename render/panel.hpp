#pragma once

#include <QRectF>
#include <QSize>
#include <array>

struct ImGuiContext;
class QEvent;

namespace aprscope {

/// The Dear ImGui side of a VtkWidget: one ImGui context with its OpenGL objects and its input.
/// Needs a current OpenGL context in initialize(), release(), begin() and end().
class Panel {
 public:
  Panel() = default;
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  /// Makes the OpenGL objects; false when that fails.
  bool initialize(double pixel_ratio);
  void release();
  [[nodiscard]] bool ready() const { return ready_; }

  /// Texts are this many times as large from the next frame on.
  void set_text_scale(double scale) { text_scale_ = scale; }

  /// Starts a frame of `size` logical pixels; draw between the two calls.
  void begin(QSize size, double pixel_ratio);
  /// `area`: the rectangle in which something was drawn.
  void end(const QRectF& area);

  /// Handles a Qt event; returns true if it belongs to the panel and nobody else should handle it.
  /// A drag that begins on the panel, or outside, belongs there until it ends.
  bool handle(const QEvent& event);
  /// True while ImGui needs more frames, as it settles sizes and clicks over several.
  [[nodiscard]] bool wants_frame() const { return ready_ && frames_wanted_ > 0; }

 private:
  ImGuiContext* context_ = nullptr;
  bool ready_ = false;
  QRectF area_;
  bool hovered_ = false;
  bool owns_drag_ = false;
  std::array<bool, 3> down_{};
  /// Buttons pressed since the last frame, so that a click shorter than a frame is not lost.
  std::array<bool, 3> pressed_{};
  int frames_wanted_ = 0;
  double font_ratio_ = 0.0;
  double text_scale_ = 1.0;
  double font_scale_ = 1.0;
};

}  // namespace aprscope
