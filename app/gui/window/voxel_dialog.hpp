#pragma once

#include <QDialog>
#include <array>

#include "core/image/volume.hpp"

class QComboBox;

namespace aprscope::gui {

class RealField;

/// Asks for the voxel size of an image whose file has none or a wrong one.
class VoxelDialog : public QDialog {
  Q_OBJECT

 public:
  VoxelDialog(const QString& name, const VoxelSize& voxel, QWidget* parent = nullptr);

  [[nodiscard]] VoxelSize voxel() const;

 private:
  std::array<RealField*, 3> sides_{};  // z, x, y
  QComboBox* unit_ = nullptr;
};

}  // namespace aprscope::gui
