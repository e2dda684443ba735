#include "app/gui/window/crop_dialog.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <algorithm>

#include "app/gui/widgets/number_field.hpp"

namespace aprscope::gui {
namespace {

// If a box begins at a multiple of this, cells of this side and smaller ones are not cut.
constexpr std::int64_t kWholeCells = 16;

std::array<std::int64_t, 3> numbers(const Index3& p) { return {p.z, p.x, p.y}; }

}  // namespace

CropDialog::CropDialog(const QString& name, const Size3& size, bool particles, AxisWords words,
                       QWidget* parent)
    : QDialog(parent), size_(size) {
  setObjectName(QStringLiteral("crop_dialog"));
  setWindowTitle(tr("Crop"));
  auto* form = new QFormLayout(this);
  auto* label =
      new QLabel(tr("Cuts a box out of %1. Draw a rectangle in a slice, drag its edges, or "
                    "type numbers. The box begins as the part that the slices show.")
                     .arg(name),
                 this);
  // Names may come from files, so they must not be interpreted as rich text.
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  form->addRow(label);
  const bool rows_are_x = words == AxisWords::rows_are_x;
  const std::array<QString, 3> titles{tr("Slices, z"),
                                      rows_are_x ? tr("Rows, x ↓") : tr("Rows, y ↓"),
                                      rows_are_x ? tr("Columns, y →") : tr("Columns, x →")};
  const std::array<const char*, 3> names{"z", "x", "y"};
  const auto extent = numbers(size);
  for (std::size_t d = 0; d < 3; ++d) {
    auto* row = new QHBoxLayout;
    const auto field = [&](const char* which, int value) {
      auto* made = new WholeField(1, static_cast<int>(extent[d]), this);
      made->setObjectName(QStringLiteral("crop_%1_%2").arg(QLatin1String(which), names[d]));
      made->setValue(value);
      connect(made, &QSpinBox::valueChanged, this, &CropDialog::show_size);
      return made;
    };
    first_[d] = field("first", 1);
    last_[d] = field("last", static_cast<int>(extent[d]));
    row->addWidget(first_[d], 1);
    row->addWidget(new QLabel(tr("to"), this));
    row->addWidget(last_[d], 1);
    form->addRow(titles[d], row);
  }
  whole_ = new QCheckBox(tr("Keep cells whole: begin at multiples of %1").arg(kWholeCells), this);
  whole_->setObjectName(QStringLiteral("crop_whole"));
  whole_->setToolTip(
      tr("Particles whose cells would be cut become several smaller ones, so a box that begins "
         "elsewhere can have many times as many particles"));
  whole_->setChecked(particles);
  whole_->setVisible(particles);
  connect(whole_, &QCheckBox::toggled, this, &CropDialog::show_size);
  form->addRow(whole_);
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("crop_size"));
  note_->setProperty("secondary", true);
  form->addRow(note_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Crop"));
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  show_size();
}

Region CropDialog::box() const {
  std::array<std::int64_t, 3> begin{};
  std::array<std::int64_t, 3> end{};
  for (std::size_t d = 0; d < 3; ++d) {
    // Both ends may be typed in either order.
    const std::int64_t a = first_[d]->value();
    const std::int64_t b = last_[d]->value();
    begin[d] = std::min(a, b) - 1;
    end[d] = std::max(a, b);
    if (whole_->isChecked()) begin[d] = begin[d] / kWholeCells * kWholeCells;
  }
  return {{begin[0], begin[1], begin[2]}, {end[0], end[1], end[2]}};
}

void CropDialog::set_box(const Region& box) {
  auto begin = numbers(box.begin);
  auto end = numbers(box.end);
  const Region now = this->box();
  const auto begin_now = numbers(now.begin);
  const auto end_now = numbers(now.end);
  for (std::size_t d = 0; d < 3; ++d) {
    const bool moved = begin[d] != begin_now[d] && end[d] - begin[d] == end_now[d] - begin_now[d];
    if (moved && whole_->isChecked()) {
      const std::int64_t rest = begin[d] % kWholeCells;
      begin[d] -= rest;
      end[d] -= rest;
    }
    const QSignalBlocker first(first_[d]);
    const QSignalBlocker last(last_[d]);
    first_[d]->setValue(static_cast<int>(begin[d]) + 1);
    last_[d]->setValue(static_cast<int>(end[d]));
  }
  show_size();
}

void CropDialog::show_size() {
  const Region chosen = box();
  const Size3 n = chosen.size();
  note_->setText(tr("%1 × %2 × %3 pixels of %4 × %5 × %6, from %7, %8, %9")
                     .arg(n.z)
                     .arg(n.x)
                     .arg(n.y)
                     .arg(size_.z)
                     .arg(size_.x)
                     .arg(size_.y)
                     .arg(chosen.begin.z + 1)
                     .arg(chosen.begin.x + 1)
                     .arg(chosen.begin.y + 1));
  emit box_changed(chosen);
}

}  // namespace aprscope::gui
