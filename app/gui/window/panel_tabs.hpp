#pragma once

#include <QTabWidget>
#include <vector>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

/// The tabs of the window, one for each panel. Panels are identified by their ids; only this class
/// knows the positions of their tabs.
class PanelTabs : public QTabWidget {
  Q_OBJECT

 public:
  /// Makes the panels, at least one, in their order; the first one is open.
  PanelTabs(const std::vector<Panel>& panels, const PanelHost& host, QWidget* parent = nullptr);

  /// Opens the tab of a panel. False if there is no panel with this id.
  bool open(const QString& id);
  /// The id of the panel whose tab is open.
  [[nodiscard]] QString shown() const;
  /// The title of this tab.
  [[nodiscard]] QString shown_title() const;
  /// The rectangle of a panel's tab in the tab bar; empty for an unknown id.
  [[nodiscard]] QRect tab_rect(const QString& id) const;

 private:
  // Not public: tabs are opened by id.
  using QTabWidget::currentIndex;
  using QTabWidget::setCurrentIndex;

  struct Page {
    QString id;
    QWidget* content = nullptr;
  };

  [[nodiscard]] QWidget* content(const QString& id) const;

  std::vector<Page> pages_;
};

}  // namespace aprscope::gui
