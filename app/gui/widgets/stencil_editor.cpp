#include "app/gui/widgets/stencil_editor.hpp"

#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/gui/widgets/field_hint.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/widgets/stencil_tint.hpp"

namespace aprscope::gui {
namespace {

constexpr int kLargestSize = 33;
constexpr int kRow = 24;
constexpr int kMostRows = 13;

// The unit, a power of ten, in which weights are shown and typed: weights of large stencils are
// small, and in this unit three digits suffice.
double unit_of(const Stencil& stencil) {
  const double largest = largest_weight(stencil);
  if (!(largest > 0.0) || (largest >= 0.1 && largest < 1000.0)) return 1.0;
  return std::pow(10.0, 3.0 * std::floor(std::log10(largest) / 3.0));
}

// A weight with few enough digits for a narrow cell.
QString weight_text(double shown) {
  const double size = std::abs(shown);
  QString text = QString::number(shown, 'f',
                                 size >= 100.0  ? 0
                                 : size >= 10.0 ? 1
                                 : size >= 1.0  ? 2
                                                : 3);
  if (text.contains(QLatin1Char('.'))) {
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  }
  // A weight that rounds to 0 without being 0 is shown as ≈0.
  if (text == QLatin1String("-0")) text = QStringLiteral("0");
  return text == QLatin1String("0") && shown != 0.0 ? QStringLiteral("≈0") : text;
}

}  // namespace

StencilEditor::StencilEditor(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);

  auto* sizes = new QHBoxLayout;
  sizes->addWidget(new QLabel(tr("Size"), this));
  constexpr std::array kNames{"z", "x", "y"};
  for (std::size_t d = 0; d < 3; ++d) {
    sizes_[d] = new WholeField(1, kLargestSize, this, WholeField::Kind::odd);
    // A smaller size removes weights, so a size counts only when it was typed completely.
    sizes_[d]->setKeyboardTracking(false);
    sizes_[d]->setObjectName(QStringLiteral("stencil_size_%1").arg(kNames[d]));
    sizes_[d]->setToolTip(
        tr("Size of the stencil along %1, an odd number of cells").arg(kNames[d]));
    add_labelled(*sizes, QLatin1String(kNames[d]), *sizes_[d]);
    connect(sizes_[d], &QSpinBox::valueChanged, this, [this] { resize_stencil(); });
  }
  layout->addLayout(sizes);

  auto* slice_row = new QHBoxLayout;
  slice_label_ = new QLabel(this);
  slice_ = new QSlider(Qt::Horizontal, this);
  slice_->setObjectName(QStringLiteral("stencil_slice"));
  slice_->setPageStep(1);
  slice_row->addWidget(slice_label_);
  slice_row->addWidget(slice_, 1);
  layout->addLayout(slice_row);
  connect(slice_, &QSlider::valueChanged, this, [this] { show_slice(); });

  table_ = new QTableWidget(this);
  table_->setObjectName(QStringLiteral("stencil_table"));
  table_->horizontalHeader()->hide();
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setMinimumSectionSize(28);
  table_->verticalHeader()->setMinimumSectionSize(20);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::AnyKeyPressed |
                          QAbstractItemView::SelectedClicked);
  table_->setToolTip(tr("Weights of this slice of the stencil: rows x, columns y"));
  layout->addWidget(table_);
  connect(table_, &QTableWidget::cellChanged, this, &StencilEditor::cell_changed);

  sum_ = new QLabel(this);
  layout->addWidget(sum_);
  set_stencil(box_stencil({3, 3, 3}));
}

void StencilEditor::set_stencil(const Stencil& stencil) {
  stencil_ = stencil;
  const std::array<std::int64_t, 3> extent{stencil.size.z, stencil.size.x, stencil.size.y};
  for (std::size_t d = 0; d < 3; ++d) {
    const QSignalBlocker quiet(sizes_[d]);
    sizes_[d]->setMaximum(std::max(kLargestSize, static_cast<int>(extent[d])));
    sizes_[d]->setValue(static_cast<int>(extent[d]));
  }
  {
    const QSignalBlocker quiet(slice_);
    slice_->setRange(0, static_cast<int>(stencil.size.z) - 1);
    slice_->setValue(static_cast<int>(stencil.size.z) / 2);
  }
  show_slice();
}

// Keeps the weights that both sizes have in common, around the centre.
void StencilEditor::resize_stencil() {
  const Stencil old = stencil_;
  stencil_.size = {sizes_[0]->value(), sizes_[1]->value(), sizes_[2]->value()};
  stencil_.weights.assign(static_cast<std::size_t>(stencil_.size.count()), 0.0);
  const Index3 shift{(stencil_.size.z - old.size.z) / 2, (stencil_.size.x - old.size.x) / 2,
                     (stencil_.size.y - old.size.y) / 2};
  for (std::int64_t z = 0; z < old.size.z; ++z) {
    for (std::int64_t x = 0; x < old.size.x; ++x) {
      for (std::int64_t y = 0; y < old.size.y; ++y) {
        const Index3 to{z + shift.z, x + shift.x, y + shift.y};
        if (to.z < 0 || to.x < 0 || to.y < 0 || to.z >= stencil_.size.z ||
            to.x >= stencil_.size.x || to.y >= stencil_.size.y) {
          continue;
        }
        stencil_.weights[static_cast<std::size_t>(
            (to.z * stencil_.size.x + to.x) * stencil_.size.y + to.y)] =
            old.weights[static_cast<std::size_t>((z * old.size.x + x) * old.size.y + y)];
      }
    }
  }
  const Stencil edited = stencil_;
  set_stencil(edited);
  emit stencil_edited(stencil_);
}

void StencilEditor::show_slice() {
  filling_ = true;
  const std::int64_t z = slice_->value();
  const std::int64_t half = stencil_.size.z / 2;
  slice_label_->setText(tr("Slice z %1%2").arg(z > half ? "+" : "").arg(z - half));
  slice_->setVisible(stencil_.size.z > 1);
  slice_label_->setVisible(stencil_.size.z > 1);
  const int rows = static_cast<int>(stencil_.size.x);
  const int columns = static_cast<int>(stencil_.size.y);
  table_->setRowCount(rows);
  table_->setColumnCount(columns);
  unit_ = unit_of(stencil_);
  const bool roomy = columns <= 7;
  table_->horizontalHeader()->setSectionResizeMode(roomy ? QHeaderView::Stretch
                                                         : QHeaderView::Fixed);
  if (!roomy) table_->horizontalHeader()->setDefaultSectionSize(46);
  table_->verticalHeader()->setDefaultSectionSize(kRow);
  // As high as the stencil, within limits.
  table_->setFixedHeight(kRow * std::clamp(rows, 3, kMostRows) + (roomy ? 4 : 14));
  for (int x = 0; x < rows; ++x) {
    for (int y = 0; y < columns; ++y) {
      const double w =
          stencil_
              .weights[static_cast<std::size_t>((z * stencil_.size.x + x) * stencil_.size.y + y)];
      auto* item = new QTableWidgetItem(weight_text(w / unit_));
      item->setTextAlignment(Qt::AlignCenter);
      item->setToolTip(tr("z %1, x %2, y %3: %4")
                           .arg(z - half)
                           .arg(x - rows / 2)
                           .arg(y - columns / 2)
                           .arg(w, 0, 'g', 10));
      table_->setItem(x, y, item);
    }
  }
  update_tints();
  filling_ = false;
}

void StencilEditor::cell_changed(int row, int column) {
  if (filling_) return;
  const std::size_t i = static_cast<std::size_t>(
      (slice_->value() * stencil_.size.x + row) * stencil_.size.y + column);
  bool number = false;
  // Accepts both decimal separators.
  const QString typed = table_->item(row, column)->text().trimmed().replace(',', '.');
  // A cell whose text did not change keeps its weight, of which the text has only some digits.
  if (typed == weight_text(stencil_.weights[i] / unit_)) return;
  const double w = typed.toDouble(&number) * unit_;
  if (number && std::isfinite(w)) {
    if (stencil_.weights[i] == w) return;
    stencil_.weights[i] = w;
    if (unit_of(stencil_) != unit_) {
      // Later, since the table has not yet closed its editor in this cell.
      QMetaObject::invokeMethod(this, &StencilEditor::show_slice, Qt::QueuedConnection);
    }
    update_tints();
    emit stencil_edited(stencil_);
  } else {  // not a number: keep the weight
    const QString kept = weight_text(stencil_.weights[i] / unit_);
    filling_ = true;
    table_->item(row, column)->setText(kept);
    filling_ = false;
    const QRect cell = table_->visualItemRect(table_->item(row, column));
    FieldHint::show_for(*table_, tr("“%1” is no number: the weight stays %2.").arg(typed, kept),
                        true, cell.translated(table_->viewport()->pos()));
  }
}

// Another theme has another background, which the weights are tinted over.
void StencilEditor::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
    update_tints();
  }
}

void StencilEditor::update_tints() {
  if (table_ == nullptr || sum_ == nullptr) return;
  const bool was_filling = filling_;
  filling_ = true;
  const double scale = largest_weight(stencil_);
  for (int x = 0; x < table_->rowCount(); ++x) {
    for (int y = 0; y < table_->columnCount(); ++y) {
      const double w = stencil_.weights[static_cast<std::size_t>(
          (slice_->value() * stencil_.size.x + x) * stencil_.size.y + y)];
      if (auto* item = table_->item(x, y)) {
        item->setBackground(stencil_tint(w, scale, palette().color(QPalette::Base)));
      }
    }
  }
  filling_ = was_filling;
  QString text = tr("Sum %1").arg(stencil_.sum(), 0, 'g', 6);
  if (unit_ != 1.0) {
    text = tr("Weights × %1 · ").arg(1.0 / unit_, 0, 'g', 6) + text;
  }
  sum_->setText(text);
}

}  // namespace aprscope::gui
