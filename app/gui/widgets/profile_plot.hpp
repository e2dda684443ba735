#pragma once

#include <QWidget>

#include "core/image/profile.hpp"

class QCustomPlot;

namespace aprscope::gui {

class CurveView;

/// The profiles of both sides along a line: values against distance. The text about the place under
/// the pointer includes their difference.
class ProfilePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ProfilePlot(QWidget* parent = nullptr);

  void set_profiles(const LineProfile& a, const LineProfile& b, const QString& unit);
  void set_names(const QString& a, const QString& b);
  void clear();

  /// The plotted profiles, for exports and tests.
  [[nodiscard]] const LineProfile& a() const { return a_; }
  [[nodiscard]] const LineProfile& b() const { return b_; }
  [[nodiscard]] QString unit() const { return unit_; }
  [[nodiscard]] QCustomPlot& plot();

 private:
  void draw();
  [[nodiscard]] QString words_at(std::size_t point) const;

  CurveView* view_ = nullptr;
  QString name_a_;
  QString name_b_;
  LineProfile a_;
  LineProfile b_;
  QString unit_;
};

}  // namespace aprscope::gui
