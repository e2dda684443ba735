#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "app/gui/widgets/display_settings.hpp"
#include "core/image/histogram.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace aprscope::gui {

class HistogramWidget;

/// What contrast and colours change: a level map has colours of its own.
enum class ContrastReach { all_views, volume_only, nothing };

/// Contrast on a histogram with real numbers, gamma, colour map, mode, scale bar. Knows values
/// only; whoever owns it applies what it announces.
class DisplayControls : public QWidget {
  Q_OBJECT

 public:
  explicit DisplayControls(QWidget* parent = nullptr);

  /// Shows the settings of a data set; emits nothing. Modes that need particles (or the original
  /// pixels) are offered only where there are some.
  void set_settings(const DisplaySettings& settings, bool is_apr, bool has_pixels);
  /// Controls without effect are disabled and say why.
  void set_contrast_reach(ContrastReach reach);
  void set_histogram(const Histogram& histogram);
  [[nodiscard]] const DisplaySettings& settings() const { return settings_; }
  [[nodiscard]] HistogramWidget* histogram_widget() const { return histogram_widget_; }

 signals:
  void settings_edited(const aprscope::gui::DisplaySettings& settings);

 private:
  void edit(const DisplaySettings& settings);
  void show_contrast();
  void automatic();

  DisplaySettings settings_;
  Histogram histogram_;
  bool filling_ = false;
  QComboBox* mode_ = nullptr;
  HistogramWidget* histogram_widget_ = nullptr;
  QDoubleSpinBox* low_ = nullptr;
  QDoubleSpinBox* high_ = nullptr;
  QDoubleSpinBox* gamma_ = nullptr;
  QComboBox* colormap_ = nullptr;
  QLabel* reach_note_ = nullptr;
  /// What ContrastReach is about, with their tool tips.
  std::vector<std::pair<QWidget*, QString>> contrast_controls_;
  QCheckBox* scale_bar_ = nullptr;
  QCheckBox* crosshair_ = nullptr;
};

}  // namespace aprscope::gui
