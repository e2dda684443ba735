#include "app/gui/window/information_dialog.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

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
  list->setUniformRowHeights(true);
  for (const ItemFacts& group : groups) {
    auto* title = new QTreeWidgetItem(list, {group.title});
    QFont bold = title->font(0);
    bold.setBold(true);
    title->setFont(0, bold);
    title->setFirstColumnSpanned(true);
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
}

}  // namespace aprscope::gui
