#pragma once

#include <QWidget>
#include <vector>

#include "core/filter/stencil.hpp"

namespace aprscope::gui {

/// The stencils that result on each level, finest first: the middle slice of each as a small heat
/// map with level, size and sum.
class LevelStencilsView : public QWidget {
  Q_OBJECT

 public:
  explicit LevelStencilsView(QWidget* parent = nullptr);

  /// `of_levels` has the stencils of all levels from 0; shows those from level_max to level_min.
  void set_stencils(std::vector<Stencil> of_levels, int level_min);
  void clear();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] int level_max() const { return static_cast<int>(stencils_.size()) - 1; }

  /// Empty: there are none to show.
  std::vector<Stencil> stencils_;
  int level_min_ = 0;
};

}  // namespace aprscope::gui
