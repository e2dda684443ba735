#pragma once

#include <QWidget>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

class ConvertControls;
class Document;

/// The Convert tab. While it is open the slices show a preview of the conversion. The estimate of
/// the current image is kept up to date even while it is closed.
class ConvertPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ConvertPanel(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] ConvertControls* controls() const { return controls_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void follow_item();
  void follow_editing();
  void follow_estimate();
  void renew_preview();

  Document& document_;
  ConvertControls* controls_ = nullptr;
};

/// The Convert tab in the table of panels.
Panel convert_panel();

}  // namespace aprscope::gui
