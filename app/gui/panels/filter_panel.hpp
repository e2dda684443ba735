#pragma once

#include <QWidget>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

class Document;
class FilterControls;

/// The Filter tab. While it is open the visible slices preview the filter as it is edited.
class FilterPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FilterPanel(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] FilterControls* controls() const { return controls_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void follow_item();
  void renew_preview();

  Document& document_;
  FilterControls* controls_ = nullptr;
};

/// The Filter tab in the table of panels.
Panel filter_panel();

}  // namespace aprscope::gui
