#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "core/image/channel_blend.hpp"

class QVBoxLayout;

namespace aprscope::gui {

/// What a row shows of its channel.
struct ChannelRow {
  QString name;
  ChannelLook look;
  /// The contrast follows from the data; and the data is there to be seen.
  bool automatic = true;
  bool there = true;
  /// It is the one that filters act on.
  bool chosen = false;
  friend bool operator==(const ChannelRow&, const ChannelRow&) = default;
};

/// Two lines a channel: an eye, its colour and its name; and its contrast. Knows values only;
/// whoever owns it applies what it announces.
class ChannelRows : public QWidget {
  Q_OBJECT

 public:
  explicit ChannelRows(QWidget* parent = nullptr);
  ~ChannelRows() override;

  /// Emits nothing. What somebody types in right now stays.
  void set_rows(const std::vector<ChannelRow>& rows);
  [[nodiscard]] const std::vector<ChannelRow>& rows() const { return rows_; }

 signals:
  void visible_edited(int channel, bool visible);
  void colour_edited(int channel, const aprscope::Rgb& colour);
  void contrast_edited(int channel, const aprscope::Contrast& contrast);
  /// Contrast by the data again.
  void automatic_requested(int channel);
  /// Its name was clicked.
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
