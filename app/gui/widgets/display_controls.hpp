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

/// Where contrast and colours have an effect. They have none on level maps.
enum class ContrastReach { all_views, volume_only, nothing };

/// Controls for contrast (on a histogram with grey values), gamma, colour map, mode and scale bar.
/// The widget only holds values; its owner applies the changes that it emits.
class DisplayControls : public QWidget {
  Q_OBJECT

 public:
  explicit DisplayControls(QWidget* parent = nullptr);

  /// Shows the settings of a data set; emits nothing. Modes that need particles (or the original
  /// pixels) are enabled only if the data has them.
  void set_settings(const DisplaySettings& settings, bool is_apr, bool has_pixels);
  /// Offers the colours that there are, which may have been added to.
  void offer_colours();
  /// Disables controls that have no effect; their tool tips tell why.
  void set_contrast_reach(ContrastReach reach);
  void set_histogram(const Histogram& histogram);
  /// Shows rows of the channels and the switch to show them together; `offered`: whether there are
  /// several channels.
  void set_channels(bool offered, const std::vector<ChannelRow>& rows);
  [[nodiscard]] ChannelRows* channel_rows() const { return channel_rows_; }
  [[nodiscard]] const DisplaySettings& settings() const { return settings_; }
  [[nodiscard]] HistogramWidget* histogram_widget() const { return histogram_widget_; }

 signals:
  void settings_edited(const aprscope::gui::DisplaySettings& settings);
  /// The user asks for colours from a file.
  void import_requested();
  /// The user chose to show all channels together, or only one.
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
  /// The controls that ContrastReach can disable, with their usual tool tips.
  std::vector<std::pair<QWidget*, QString>> contrast_controls_;
  QCheckBox* scale_bar_ = nullptr;
  QCheckBox* crosshair_ = nullptr;
  QCheckBox* composite_ = nullptr;
  /// Controls for a single channel; with several channels, each row has its own.
  std::vector<QWidget*> of_one_;
  ChannelRows* channel_rows_ = nullptr;
};

}  // namespace aprscope::gui
