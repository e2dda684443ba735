#pragma once

#include <QTabWidget>
#include <vector>

#include "app/gui/panels/panel.hpp"

namespace aprscope::gui {

/// The tabs of the window, a panel each. A panel goes by its id; at which place its tab stands is
/// known in here only.
class PanelTabs : public QTabWidget {
  Q_OBJECT

 public:
  /// Makes the panels, at least one, in their order; the first one is open.
  PanelTabs(const std::vector<Panel>& panels, const PanelHost& host, QWidget* parent = nullptr);

  /// Brings a panel to the front. False: there is none of this id, and nothing happens.
  bool open(const QString& id);
  /// Id of the panel in front.
  [[nodiscard]] QString shown() const;
  /// What stands on its tab.
  [[nodiscard]] QString shown_title() const;
  /// Where the tab of a panel is, in the tab bar; empty for an unknown id.
  [[nodiscard]] QRect tab_rect(const QString& id) const;

 private:
  // Whoever wants a tab says its id.
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
