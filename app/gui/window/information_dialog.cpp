#include "app/gui/window/information_dialog.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/window/grouped_list.hpp"

namespace aprscope::gui {

InformationDialog::InformationDialog(const QString& name, const std::vector<ItemFacts>& groups,
                                     QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("information_dialog"));
  setWindowTitle(tr("Information: %1").arg(name));
  resize(620, 560);
  auto* layout = new QVBoxLayout(this);
  auto* list = new QTreeWidget(this);
  list->setObjectName(QStringLiteral("information"));
  list->setAccessibleName(tr("What is known about the data"));
  list->setHeaderLabels({tr("What"), tr("Value")});
  list->setRootIsDecorated(false);
  list->setIndentation(12);
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  for (const ItemFacts& group : groups) {
    auto* title = add_group(list, group.title);
    for (const ItemFact& fact : group.facts) {
      auto* line = new QTreeWidgetItem(title, {fact.name, fact.value});
      line->setToolTip(1, fact.value.toHtmlEscaped());  // long paths are elided
    }
  }
  list->expandAll();
  list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  layout->addWidget(list);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copy_information"));
  copy->setToolTip(tr("Copies the whole list as text"));
  copy->setShortcut(QKeySequence::Copy);
  connect(copy, &QPushButton::clicked, this,
          [text = facts_text(groups)] { QGuiApplication::clipboard()->setText(text); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  // Again when it is shown: the style that sets the height of lines comes with the first showing.
  QTimer::singleShot(0, list, &QTreeWidget::doItemsLayout);
}

}  // namespace aprscope::gui
