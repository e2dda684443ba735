#include "tests/app/gui/compare_fixture.hpp"

#include <QMouseEvent>

namespace aprscope::gui::test {

void CompareFixture::open() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("one.tif"), size_, bright_);
  write_block_tiff(f_->file("two.tif"), size_, other_);
  QVERIFY(f_->drop({f_->file("one.tif")}));
  QVERIFY(f_->drop({f_->file("two.tif")}));
}

bool CompareFixture::settle() {
  return f_->settle() && f_->window->compare_area().wait_until_shown(std::chrono::minutes(2));
}

void CompareFixture::compare_blocks(CompareMode mode) {
  CompareSettings settings = comparison().settings();
  settings.mode = mode;
  comparison().set_settings(settings);
  f_->document.view().set_crosshair({bright_.z, 2, 2});
  QVERIFY(comparison()
              .compare(f_->document.items().all()[0].id, f_->document.items().all()[1].id)
              .ok());
  QVERIFY(settle());
  QTest::qWait(50);
}

QColor CompareFixture::drawn(SliceView& view, double row, double col) {
  const QPoint at = view.to_widget(row + 0.5, col + 0.5).toPoint();
  return view.grab().toImage().pixelColor(at);
}

void CompareFixture::drag(QWidget& view, const QPoint& from, const QPoint& to) {
  QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, from);
  for (int i = 1; i <= 8; ++i) {
    const QPoint at = from + (to - from) * i / 8;
    QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&view, &move);
  }
  QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, to);
}

}  // namespace aprscope::gui::test
