#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/image/channel_blend.hpp"

class QVBoxLayout;

namespace aprscope::gui {

/// The properties of a channel that its row shows.
struct ChannelRow {
  QString name;
  ChannelLook look;
  /// The contrast follows from the data / the data is loaded, so that it can be shown.
  bool automatic = true;
  bool there = true;
  /// Whether filters act on this channel.
  bool chosen = false;
  friend bool operator==(const ChannelRow&, const ChannelRow&) = default;
};

/// Two lines for each channel: an eye, its colour and its name; and its contrast. The widget only
/// holds values; its owner applies the changes that it emits.
class ChannelRows : public QWidget {
  Q_OBJECT

 public:
  explicit ChannelRows(QWidget* parent = nullptr);
  ~ChannelRows() override;

  /// Shows these rows; emits nothing. Fields in which the user is typing keep their text.
  void set_rows(const std::vector<ChannelRow>& rows);
  [[nodiscard]] const std::vector<ChannelRow>& rows() const { return rows_; }

 signals:
  void visible_edited(int channel, bool visible);
  void colour_edited(int channel, const aprscope::Rgb& colour);
  void contrast_edited(int channel, const aprscope::Contrast& contrast);
  /// The user asks for automatic contrast again.
  void automatic_requested(int channel);
  /// The name of a channel was clicked.
  void chosen(int channel);

 private:
  struct Controls;
  void add_row(int channel);
  void show_row(int channel);
  void edit_contrast(int channel);

  QVBoxLayout* layout_ = nullptr;
  std::vector<ChannelRow> rows_;
  std::vector<Controls> controls_;
  bool filling_ = false;
};

}  // namespace aprscope::gui
