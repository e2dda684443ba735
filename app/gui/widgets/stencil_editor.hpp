#pragma once

#include <QWidget>
#include <array>

#include "core/filter/stencil.hpp"

class QLabel;
class QSlider;
class QTableWidget;

namespace aprscope::gui {

class WholeField;

/// A stencil edited by hand: its size, one weight a cell, one z slice of it at a time. Cells are
/// tinted by their weight (blue below, red above zero).
class StencilEditor : public QWidget {
  Q_OBJECT

 public:
  explicit StencilEditor(QWidget* parent = nullptr);

  /// Shows a stencil; emits nothing.
  void set_stencil(const Stencil& stencil);
  [[nodiscard]] const Stencil& stencil() const { return stencil_; }

  /// The table of weights of the shown z slice (rows x, columns y).
  [[nodiscard]] QTableWidget* table() const { return table_; }

 signals:
  /// A weight or the size was changed by the user.
  void stencil_edited(const aprscope::Stencil& stencil);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void resize_stencil();
  void show_slice();
  void cell_changed(int row, int column);
  void update_tints();

  Stencil stencil_;
  /// The factor from numbers in the table to weights.
  double unit_ = 1.0;
  std::array<WholeField*, 3> sizes_{};
  QSlider* slice_ = nullptr;
  QLabel* slice_label_ = nullptr;
  QLabel* sum_ = nullptr;
  QTableWidget* table_ = nullptr;
  bool filling_ = false;
};

}  // namespace aprscope::gui
