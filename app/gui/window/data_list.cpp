#include "app/gui/window/data_list.hpp"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QTreeWidgetItemIterator>
#include <utility>

#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

constexpr int kId = Qt::UserRole;

QString size_text(const Size3& size) {
  return QStringLiteral("%1 × %2 × %3").arg(size.z).arg(size.x).arg(size.y);
}

std::uint64_t own_bytes(const Item& item) {
  if (item.is_measurement()) return item.measurement->bytes();
  return item.is_apr() ? item.dataset->apr().bytes() : item.dataset->volume().bytes();
}

// A row that shows more than the name to edit: also the part of the file, and the items that it was
// made from, unless these are above it in the list.
class Row : public QTreeWidgetItem {
 public:
  explicit Row(QString said) : said_(std::move(said)) {}
  [[nodiscard]] QVariant data(int column, int role) const override {
    if (column == 0 && role == Qt::DisplayRole) return said_;
    return QTreeWidgetItem::data(column, role);
  }

 private:
  QString said_;
};

}  // namespace

DataList::DataList(Document& document, Theme& theme, QWidget* parent)
    : QTreeWidget(parent), document_(document), theme_(theme) {
  setObjectName(QStringLiteral("data_list"));
  setHeaderLabels({tr("Name"), tr("CR"), tr("Size")});
  headerItem()->setToolTip(1, tr("Computational ratio: pixels per particle"));
  headerItem()->setToolTip(2, tr("Memory that pixels or particles take"));
  setIndentation(12);
  setUniformRowHeights(true);
  // Renaming needs a key: a click on the selected row should only show the item.
  setEditTriggers(EditKeyPressed);
  setSelectionMode(SingleSelection);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(0, QHeaderView::Stretch);
  header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  setTextElideMode(Qt::ElideRight);
  setMinimumWidth(210);

  connect(&document.items(), &ItemList::items_changed, this, &DataList::rebuild);
  connect(&document.items(), &ItemList::current_changed, this, &DataList::mark_current);
  connect(&theme, &Theme::changed, this, &DataList::rebuild);
  connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* now) {
    if (!filling_ && now != nullptr) document_.items().set_current(now->data(0, kId).toULongLong());
  });
  connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* row, int column) {
    if (filling_ || column != 0) return;
    const auto id = row->data(0, kId).toULongLong();
    const QString name = row->data(0, Qt::EditRole).toString();
    // Later, since renaming rebuilds the rows, and this is a signal of one of them.
    QMetaObject::invokeMethod(
        this,
        [this, id, name] {
          document_.edits().rename(id, name);
          rebuild();
        },
        Qt::QueuedConnection);
  });
}

void DataList::rebuild() {
  filling_ = true;
  clear();
  for (const Item& item : document_.items().all()) {
    QTreeWidgetItem* parent = item.parent != 0 ? row(item.parent) : nullptr;
    const QString part = part_text(item);
    const QString name = parent == nullptr ? document_.items().lineage(item) : item.name;
    auto* line = new Row(part.isEmpty() ? name : QStringLiteral("%1 · %2").arg(name, part));
    fill_row(line, item);
    if (parent != nullptr) {
      parent->addChild(line);
    } else {
      addTopLevelItem(line);
    }
  }
  expandAll();
  filling_ = false;
  mark_current();
}

void DataList::fill_row(QTreeWidgetItem* line, const Item& item) {
  line->setData(0, kId, QVariant::fromValue<qulonglong>(item.id));
  line->setFlags(line->flags() | Qt::ItemIsEditable);
  line->setText(0, item.name);
  line->setIcon(0, theme_.icon(item.is_measurement() ? QStringLiteral("measure")
                               : item.is_apr()       ? QStringLiteral("particles")
                                                     : QStringLiteral("pixels")));
  const Size3 size = item.dataset->size();
  QString tip = tr("%1\n%2 pixels (z × x × y)").arg(item.name, size_text(size));
  if (item.is_measurement()) {
    for (const Curve& curve : item.measurement->curves) {
      tip += QStringLiteral("\n%1").arg(QString::fromStdString(curve.label));
    }
    for (const Table& table : item.measurement->tables) {
      tip += tr("\n%1: %Ln row(s)", nullptr, static_cast<int>(table.rows()))
                 .arg(QString::fromStdString(table.label));
    }
  } else if (item.is_apr()) {
    const AprAccess& access = *item.dataset->apr().access;
    line->setText(1, QString::number(access.computational_ratio(), 'f', 1));
    tip += tr("\n%L1 particles, computational ratio %2")
               .arg(static_cast<qulonglong>(access.count()))
               .arg(access.computational_ratio(), 0, 'f', 2);
  } else {
    tip += tr(", %1").arg(QLatin1String(item.dataset->volume().dtype()));
  }
  if (!item.recipe.input.empty()) {
    tip += QStringLiteral("\n") + QString::fromStdString(item.recipe.input);
  }
  for (const Operation& step : item.recipe.steps) {
    tip += QStringLiteral("\n→ ") + QString::fromStdString(describe(step));
  }
  line->setText(2, QString::fromStdString(format_bytes(own_bytes(item))));
  line->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
  line->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  for (int column = 0; column < 3; ++column) line->setToolTip(column, tip);
}

QTreeWidgetItem* DataList::row(std::uint64_t id) const {
  QTreeWidgetItemIterator it(const_cast<DataList*>(this));
  for (; *it != nullptr; ++it) {
    if ((*it)->data(0, kId).toULongLong() == id) return *it;
  }
  return nullptr;
}

void DataList::mark_current() {
  filling_ = true;
  const Item* now = document_.items().current();
  setCurrentItem(now != nullptr ? row(now->id) : nullptr);
  filling_ = false;
}

void DataList::contextMenuEvent(QContextMenuEvent* event) {
  // The menu key means the selected row, wherever the pointer is; a click means the row at its
  // position in the viewport.
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  const QTreeWidgetItem* line = by_key ? currentItem() : itemAt(event->pos());
  if (line == nullptr) return;
  const auto id = line->data(0, kId).toULongLong();
  QMenu menu(this);
  menu.setObjectName(QStringLiteral("data_list_menu"));
  // Uses the id: rows may be rebuilt while the menu is open, e.g. when a job ends.
  menu.addAction(tr("Rename"), this, [this, id] {
    if (QTreeWidgetItem* now = row(id)) editItem(now, 0);
  });
  menu.addAction(tr("Export …"), this, [this, id] { emit export_requested(id); });
  menu.addSeparator();
  menu.addAction(tr("Remove"), this, [this, id] { document_.edits().close(id); });
  menu.exec(by_key ? viewport()->mapToGlobal(visualItemRect(line).bottomLeft())
                   : event->globalPos());
}

void DataList::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete && currentItem() != nullptr && state() != EditingState) {
    document_.edits().close(currentItem()->data(0, kId).toULongLong());
    return;
  }
  QTreeWidget::keyPressEvent(event);
}

}  // namespace aprscope::gui
