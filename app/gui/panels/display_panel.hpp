#pragma once

#include <QWidget>
#include <cstdint>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

class DisplayControls;
class Document;
struct DisplaySettings;
struct Item;

/// The Display tab: how the current item is drawn.
class DisplayPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DisplayPanel(Document& document, QWidget* parent = nullptr);

  /// Whether the 3-D view is visible: contrast and colours always affect it.
  void set_volume_shown(bool shown);

  [[nodiscard]] DisplayControls* controls() const { return controls_; }

 private:
  void follow_item();
  void follow_reach();
  void follow_channels(const Item& item);
  void connect_channels();
  void ask_colours();
  void import_colours(const QString& path);
  void apply(const DisplaySettings& edited);
  void choose(int channel);
  void add_slab();
  [[nodiscard]] DisplaySettings shown_settings(const Item& item) const;

  Document& document_;
  DisplayControls* controls_ = nullptr;
  const void* shown_histogram_ = nullptr;
  std::uint64_t shown_item_ = 0;
  bool volume_shown_ = true;
};

/// The Display tab in the table of panels.
Panel display_panel();

}  // namespace aprscope::gui
