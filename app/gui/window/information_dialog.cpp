#include "app/gui/window/information_dialog.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/window/grouped_list.hpp"
#include "app/gui/window/metadata_view.hpp"
#include "core/io/original_metadata.hpp"

namespace aprscope::gui {

InformationDialog::InformationDialog(const QString& name, const std::vector<ItemFacts>& groups,
                                     const std::optional<SourceInfo>& file, JobBridge& background,
                                     QWidget* parent)
    : QDialog(parent), file_(file), background_(background) {
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
  auto* heads = new QTabBar(this);
  heads->setObjectName(QStringLiteral("information_tabs"));
  heads->setAccessibleName(tr("What is shown of the data"));
  heads->setExpanding(false);
  heads->setAutoHide(true);  // where there is no file
  pages_ = new QStackedWidget(this);
  heads->addTab(tr("What is &known"));
  pages_->addWidget(list);
  if (file_) {
    metadata_ = new MetadataView(this);
    heads->addTab(tr("In the &file"));
    heads->setTabToolTip(1, tr("What the file says of itself, as its writer put it there"));
    pages_->addWidget(metadata_);
  }
  layout->addWidget(heads);
  layout->addWidget(pages_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copy_information"));
  copy->setToolTip(tr("Copies all of this tab as text"));
  copy->setShortcut(QKeySequence::Copy);
  connect(copy, &QPushButton::clicked, this, [this, text = facts_text(groups)] {
    QGuiApplication::clipboard()->setText(pages_->currentWidget() == metadata_ ? metadata_->text()
                                                                               : text);
  });
  connect(heads, &QTabBar::currentChanged, this, [this](int page) {
    pages_->setCurrentIndex(page);
    if (pages_->currentWidget() == metadata_) read_metadata();
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  // Again when it is shown: the style that sets the height of lines comes with the first showing.
  QTimer::singleShot(0, list, &QTreeWidget::doItemsLayout);
}

void InformationDialog::read_metadata() {
  if (std::exchange(asked_, true)) return;
  metadata_->show_text(tr("Reading …"));
  background_.post(
      Lane::preview, tr("Reading what the file says"), {}, this,
      [file = *file_](const JobContext& context) -> Result<QString> {
        const auto parts = original_metadata(file, context);
        if (!parts) return parts.error();
        return metadata_text(*parts);
      },
      [this](const Result<QString>& text) {
        // May be tried again.
        if (!text) asked_ = false;
        metadata_->show_text(text ? *text : QString::fromStdString(text.error().message()));
      });
}

}  // namespace aprscope::gui
