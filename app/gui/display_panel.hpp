#pragma once

#include <QWidget>
#include <cstdint>

namespace aprscope::gui {

class DisplayControls;
class Document;

/// The Display tab: how the current item is drawn.
class DisplayPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DisplayPanel(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] DisplayControls* controls() const { return controls_; }

 private:
  void follow_item();

  Document& document_;
  DisplayControls* controls_ = nullptr;
  const void* shown_histogram_ = nullptr;
  std::uint64_t shown_item_ = 0;
};

}  // namespace aprscope::gui
