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
  /// `area`: where something was drawn.
  void end(const QRectF& area);

  /// Takes in a Qt event; true when it belongs to the panel and nobody else should see it. A drag
  /// belongs, until its end, to whoever it began on.
  bool handle(const QEvent& event);
  /// ImGui settles sizes and clicks over a few frames; true while it has not.
  [[nodiscard]] bool wants_frame() const { return ready_ && frames_wanted_ > 0; }

 private:
  ImGuiContext* context_ = nullptr;
  bool ready_ = false;
  QRectF area_;
  bool hovered_ = false;
  bool owns_drag_ = false;
  std::array<bool, 3> down_{};
  /// Pressed since the last frame; a click that is over before it must not be lost.
  std::array<bool, 3> pressed_{};
  int frames_wanted_ = 0;
  double font_ratio_ = 0.0;
  double text_scale_ = 1.0;
  double font_scale_ = 1.0;
};

}  // namespace aprscope
