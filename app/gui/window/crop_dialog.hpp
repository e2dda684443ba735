#pragma once

#include <QDialog>
#include <array>

#include "app/gui/widgets/axis_words.hpp"
#include "core/image/region.hpp"

class QCheckBox;
class QLabel;

namespace aprscope::gui {

class WholeField;

/// Asks for a box of an image of `size` pixels: all of it until set_box() is called. The box can be
/// changed in the slices meanwhile, see CropBox.
class CropDialog : public QDialog {
  Q_OBJECT

 public:
  CropDialog(const QString& name, const Size3& size, bool particles, AxisWords words,
             QWidget* parent = nullptr);

  /// The chosen box. For particles it begins at multiples of 16, if the user wants cells to stay
  /// whole.
  [[nodiscard]] Region box() const;
  /// Puts a box into the fields. Where cells stay whole, a box that was moved keeps its size.
  void set_box(const Region& box);

 signals:
  /// box() is another one now.
  void box_changed(const aprscope::Region& box);

 private:
  void show_size();

  Size3 size_;
  // First and last pixel in z, x and y, counted from 1.
  std::array<WholeField*, 3> first_{};
  std::array<WholeField*, 3> last_{};
  QCheckBox* whole_ = nullptr;
  QLabel* note_ = nullptr;
};

}  // namespace aprscope::gui
