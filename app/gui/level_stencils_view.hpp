#pragma once

#include <QWidget>
#include <optional>

#include "core/filter/stencil_pyramid.hpp"

namespace aprscope::gui {

/// The stencils that result on each level, finest first: the middle slice of each as a small heat
/// map with level, size and sum.
class LevelStencilsView : public QWidget {
  Q_OBJECT

 public:
  explicit LevelStencilsView(QWidget* parent = nullptr);

  /// Shows levels level_max … level_min of a pyramid.
  void set_pyramid(const StencilPyramid& pyramid, int level_min);
  void clear();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<StencilPyramid> pyramid_;
  int level_min_ = 0;
};

}  // namespace aprscope::gui
