#pragma once

#include <QColor>
#include <QObject>
#include <QPoint>
#include <memory>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/compare/comparison.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace aprscope::gui::test {

/// A window with two volumes in it, each with a bright block in its own place, and what a hand does
/// with them.
class CompareFixture : public QObject {
 protected:
  void open();
  /// Waits until all jobs are done and the comparison shows the present state.
  bool settle();
  CompareArea& area() { return f_->window->compare_area(); }
  Comparison& comparison() { return f_->window->comparison(); }
  ComparePanel& compare_panel() { return *f_->window->findChild<ComparePanel*>(); }
  /// Compares the two at the slice through the blocks.
  void compare_blocks(CompareMode mode);
  /// The colour in the middle of a pixel of a slice, as drawn.
  static QColor drawn(SliceView& view, double row, double col);
  static void drag(QWidget& view, const QPoint& from, const QPoint& to);

  std::unique_ptr<WindowFixture> f_;
  const Size3 size_{24, 48, 96};
  const Index3 bright_{10, 20, 60};
  const Index3 other_{10, 20, 30};
};

}  // namespace aprscope::gui::test
