#pragma once

#include <QTreeWidget>

namespace aprscope::gui {

/// A bold line over all columns of a list; lines of the group are its children.
inline QTreeWidgetItem* add_group(QTreeWidget* list, const QString& title) {
  auto* group = new QTreeWidgetItem(list, {title});
  QFont bold = group->font(0);
  bold.setBold(true);
  group->setFont(0, bold);
  group->setFirstColumnSpanned(true);
  return group;
}

}  // namespace aprscope::gui
