#pragma once

#include <QWidget>
#include <vector>

#include "core/data/curve.hpp"

class QHBoxLayout;
class QToolButton;

namespace aprscope::gui {

class ElidedLabel;

/// The row above a curve: its lines by colour and name, what is told of the place under the
/// pointer, and the button that changes the scale.
class CurveHead : public QWidget {
  Q_OBJECT

 public:
  /// `name`: what the names of its parts begin with, "curve_reading".
  CurveHead(const QString& name, QWidget* parent);

  /// Names these lines, in the colours that line_color() has for them.
  void set_lines(const std::vector<CurveLine>& lines);
  void set_reading(const QString& text);
  void clear_reading();
  [[nodiscard]] QString reading() const;
  /// Shows which scale there is; emits nothing.
  void set_scale(CurveScale scale);
  [[nodiscard]] QToolButton& scale_button() { return *log_; }

 signals:
  void scale_chosen(aprscope::CurveScale scale);

 private:
  QString name_;
  QHBoxLayout* legend_ = nullptr;
  ElidedLabel* reading_ = nullptr;
  QToolButton* log_ = nullptr;
};

}  // namespace aprscope::gui
