#pragma once

#include <QWidget>
#include <utility>
#include <vector>

#include "app/gui/widgets/channel_rows.hpp"
#include "app/gui/widgets/display_settings.hpp"
#include "core/image/histogram.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace aprscope::gui {

class ChannelRows;
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
  /// Rows of the channels that can be shown together, and their switch; `offered`: whether there
  /// are several.
  void set_channels(bool offered, const std::vector<ChannelRow>& rows);
  [[nodiscard]] ChannelRows* channel_rows() const { return channel_rows_; }
  [[nodiscard]] const DisplaySettings& settings() const { return settings_; }
  [[nodiscard]] HistogramWidget* histogram_widget() const { return histogram_widget_; }

 signals:
  void settings_edited(const aprscope::gui::DisplaySettings& settings);
  /// All channels together, or the chosen one alone.
  void composite_edited(bool on);

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
  QCheckBox* composite_ = nullptr;
  /// What is shown for one channel alone: several have it in their rows.
  std::vector<QWidget*> of_one_;
  ChannelRows* channel_rows_ = nullptr;
};

}  // namespace aprscope::gui
