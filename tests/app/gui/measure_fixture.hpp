#pragma once

#include <QPushButton>
#include <memory>

#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "tests/app/gui/window_fixture.hpp"

namespace aprscope::gui::test {

// 8 × 16 × 24 pixels of 100, and 27 of them 4000.
inline constexpr double kPixels = 8.0 * 16.0 * 24.0;
inline constexpr double kMean = 100.0 + 27.0 * 3900.0 / kPixels;

/// A window whose current item is measured, driven by mouse and keys.
class MeasureFixture : public QObject {
 protected:
  void start() {
    f_ = std::make_unique<WindowFixture>();
    write_block_tiff(f_->file("block.tif"), {8, 16, 24}, {4, 8, 12});
    QVERIFY(f_->drop({f_->file("block.tif")}));
  }
  void end() { f_.reset(); }

  MeasurementView& view() { return f_->window->measurement_view(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void open_panel() {
    QTest::keyClick(f_->window.get(), Qt::Key_F10);
    QVERIFY(f_->settle());
    QTRY_VERIFY(view().isVisible());
  }
  void keep() {
    const std::size_t before = f_->document.items().all().size();
    QTest::mouseClick(find<QPushButton>("measure_keep"), Qt::LeftButton);
    QVERIFY(f_->settle());
    QCOMPARE(f_->document.items().all().size(), before + 1);
    QVERIFY(f_->document.items().current()->is_measurement());
  }
  double mean() {
    const Column* column = view().table().table().column("mean");
    return column != nullptr ? std::get<std::vector<double>>(column->cells).front() : -1.0;
  }

  std::unique_ptr<WindowFixture> f_;
};

}  // namespace aprscope::gui::test
