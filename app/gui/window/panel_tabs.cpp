#include "app/gui/window/panel_tabs.hpp"

#include <QTabBar>
#include <algorithm>

namespace aprscope::gui {

PanelTabs::PanelTabs(const std::vector<Panel>& panels, const PanelHost& host, QWidget* parent)
    : QTabWidget(parent) {
  setDocumentMode(true);
  tabBar()->setExpanding(true);
  // With large text, or in a narrow panel, tabs can be scrolled and are not cut off.
  setUsesScrollButtons(true);
  setElideMode(Qt::ElideNone);
  for (const Panel& panel : panels) {
    pages_.push_back({panel.id, panel.make(host)});
    addTab(pages_.back().content, panel.title);
  }
}

QWidget* PanelTabs::content(const QString& id) const {
  const auto found =
      std::find_if(pages_.begin(), pages_.end(), [&](const Page& page) { return page.id == id; });
  return found != pages_.end() ? found->content : nullptr;
}

bool PanelTabs::open(const QString& id) {
  QWidget* wanted = content(id);
  if (wanted == nullptr) return false;
  setCurrentWidget(wanted);
  return true;
}

QString PanelTabs::shown() const {
  const auto found = std::find_if(pages_.begin(), pages_.end(), [this](const Page& page) {
    return page.content == currentWidget();
  });
  return found != pages_.end() ? found->id : QString();
}

QString PanelTabs::shown_title() const { return tabText(indexOf(currentWidget())); }

QRect PanelTabs::tab_rect(const QString& id) const {
  return tabBar()->tabRect(indexOf(content(id)));
}

}  // namespace aprscope::gui
