#include "app/gui/window/voxel_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>

#include "app/gui/widgets/number_field.hpp"

namespace aprscope::gui {

VoxelDialog::VoxelDialog(const QString& name, const VoxelSize& voxel, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("voxel_dialog"));
  setWindowTitle(tr("Voxel size"));
  auto* form = new QFormLayout(this);
  auto* label =
      new QLabel(tr("Of %1. Results that are there already keep theirs.").arg(name), this);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  form->addRow(label);
  const std::array<double, 3> now{voxel.z, voxel.x, voxel.y};
  const std::array<const char*, 3> names{"voxel_z", "voxel_x", "voxel_y"};
  const std::array<QString, 3> words{tr("Distance of slices (z)"), tr("Distance of rows (x)"),
                                     tr("Distance of columns (y)")};
  for (std::size_t d = 0; d < 3; ++d) {
    sides_[d] = new RealField(1e-9, 1e9, this);
    sides_[d]->setObjectName(QLatin1String(names[d]));
    sides_[d]->setValue(now[d]);
    form->addRow(words[d], sides_[d]);
  }
  unit_ = new QComboBox(this);
  unit_->setObjectName(QStringLiteral("voxel_unit"));
  unit_->addItems({QStringLiteral("µm"), QStringLiteral("nm"), QStringLiteral("mm")});
  unit_->setCurrentIndex(std::max(0, unit_->findText(QString::fromStdString(voxel.unit))));
  form->addRow(tr("Unit"), unit_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

VoxelSize VoxelDialog::voxel() const {
  return {sides_[0]->value(), sides_[1]->value(), sides_[2]->value(),
          unit_->currentText().toStdString()};
}

}  // namespace aprscope::gui
