#include "app/gui/panels/cell_table_options.hpp"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/document/item.hpp"
#include "core/operations/measure/wall_tables.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::gui {

CellTableOptions::CellTableOptions(QWidget* parent) : QWidget(parent) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  walls_ = new QCheckBox(tr("Walls in the table"), this);
  walls_->setObjectName(QStringLiteral("cells_walls"));
  walls_->setToolTip(
      tr("Adds the grey values on the walls of each cell, and between two: median, deviation, and "
         "where they are weakest"));
  // As wide as its text, so that a click beside it is not a click on it.
  rows->addWidget(walls_, 0, Qt::AlignLeft);
  all_ = new QCheckBox(tr("All channels in the table"), this);
  all_->setObjectName(QStringLiteral("cells_all_channels"));
  all_->setToolTip(tr("Measures the grey values of every channel in the same cells"));
  rows->addWidget(all_, 0, Qt::AlignLeft);
  auto* row = new QHBoxLayout;
  files_ = new QLineEdit(this);
  files_->setObjectName(QStringLiteral("cells_channel_files"));
  files_->setPlaceholderText(tr("other channels: files"));
  files_->setAccessibleName(tr("Files of other channels"));
  files_->setToolTip(
      tr("Images of the same size whose grey values are measured in the same cells, with a "
         "semicolon between them"));
  row->addWidget(files_, 1);
  auto* choose = new QToolButton(this);
  choose->setText(QStringLiteral("…"));
  choose->setToolTip(tr("Choose files of other channels"));
  row->addWidget(choose);
  rows->addLayout(row);
  connect(walls_, &QCheckBox::toggled, this, &CellTableOptions::changed);
  connect(all_, &QCheckBox::toggled, this, &CellTableOptions::changed);
  // Emitted when the name is complete, not after each letter.
  connect(files_, &QLineEdit::editingFinished, this, &CellTableOptions::changed);
  connect(choose, &QToolButton::clicked, this, &CellTableOptions::choose_files);
}

void CellTableOptions::follow(const Item* item) {
  const bool several = item != nullptr && item->file_channels > 1 && !item->recipe.input.empty();
  all_->setVisible(several);
}

Operation CellTableOptions::chosen(Operation cells, const Item& item) const {
  if (walls_->isChecked()) {
    cells.parameters["walls"] = true;
    cells.parameters["dark_walls"] = has_dark_walls(item.recipe.steps);
  }
  std::vector<std::string> files = files_in_list(files_->text().toStdString());
  if (all_->isChecked() && item.file_channels > 1 && !item.recipe.input.empty()) {
    files.insert(files.begin(), kInputFile);
  }
  if (files.empty()) return cells;
  cells.parameters["channels"] = list_of_files(files);
  cells.parameters["time"] = std::int64_t{item.recipe.time};
  return steps_for({std::move(cells)}, item.recipe.input).front();
}

void CellTableOptions::choose_files() {
  const QStringList chosen =
      QFileDialog::getOpenFileNames(this, tr("Files of other channels"), QString(), QString());
  if (chosen.isEmpty()) return;
  std::vector<std::string> files;
  for (const QString& one : chosen) files.push_back(one.toStdString());
  files_->setText(QString::fromStdString(list_of_files(files)));
  emit changed();
}

}  // namespace aprscope::gui
