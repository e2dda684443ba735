#pragma once

#include <QDialog>
#include <array>

#include "app/gui/widgets/axis_words.hpp"
#include "core/image/region.hpp"

class QCheckBox;
class QLabel;

namespace aprscope::gui {

class WholeField;

/// Asks for a box of an image of `size` pixels; at first it is `seen`.
class CropDialog : public QDialog {
  Q_OBJECT

 public:
  CropDialog(const QString& name, const Size3& size, const Region& seen, bool particles,
             AxisWords words, QWidget* parent = nullptr);

  /// The box that is chosen. Of particles it begins at multiples of 16 where cells are to stay
  /// whole.
  [[nodiscard]] Region box() const;

 private:
  void show_size();

  Size3 size_;
  // Of z, x, y; counted from 1, both inside.
  std::array<WholeField*, 3> first_{};
  std::array<WholeField*, 3> last_{};
  QCheckBox* whole_ = nullptr;
  QLabel* note_ = nullptr;
};

}  // namespace aprscope::gui
