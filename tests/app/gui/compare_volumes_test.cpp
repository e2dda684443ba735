// Projections of two data sets: one camera, one handle, one difference. Real mouse and keys; what
// is drawn is checked.
#include <QDoubleSpinBox>

#include "tests/app/gui/compare_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CompareVolumesTest : public CompareFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void projections_have_one_camera();
  void projections_are_revealed_and_subtracted();
  void projections_of_other_sizes_say_why_they_share_no_view();
};

void CompareVolumesTest::projections_have_one_camera() {
  compare_blocks(CompareMode::side_by_side);
  QTest::keyClick(f_->window.get(), Qt::Key_2);
  QVERIFY(settle());
  QVERIFY(area().volumes().left().isVisible() && area().volumes().right().isVisible());
  QVERIFY(!area().left().isVisible());
  area().volumes().left().navigation().set_orbit(50.0, 10.0, 1.3);
  QVERIFY(settle());
  const RayCamera a = area().volumes().left().navigation().ray_camera();
  const RayCamera b = area().volumes().right().navigation().ray_camera();
  for (std::size_t i = 0; i < 3; ++i) {
    QCOMPARE(b.eye[i], a.eye[i]);
    QCOMPARE(b.forward[i], a.forward[i]);
  }
  QCOMPARE(b.height_world, a.height_world);
  QTest::keyClick(f_->window.get(), Qt::Key_3);
  QVERIFY(settle());
  QVERIFY(area().left().isVisible());
  QCOMPARE(area().left().axis(), Axis::x);
}

void CompareVolumesTest::projections_are_revealed_and_subtracted() {
  compare_blocks(CompareMode::reveal);
  QTest::keyClick(f_->window.get(), Qt::Key_2);
  QVERIFY(settle());
  CompareVolumes& volumes = area().volumes();
  MipView& pair = volumes.pair();
  QVERIFY(pair.isVisible() && !volumes.left().isVisible() && !area().left().isVisible());
  // It comes into sight as the first of them: all of the volume fits, and fills most of the view.
  QRectF box;
  for (int corner = 0; corner < 8; ++corner) {
    const auto end = [&](int bit, std::int64_t n) {
      return (corner >> bit & 1) != 0 ? static_cast<double>(n) : 0.0;
    };
    const QPointF at = pair.to_widget(end(0, size_.z), end(1, size_.x), end(2, size_.y));
    QVERIFY(QRectF(pair.rect()).contains(at));
    box = corner == 0 ? QRectF(at, QSizeF(1e-3, 1e-3)) : box.united(QRectF(at, QSizeF(1e-3, 1e-3)));
  }
  QVERIFY2(box.width() > 0.6 * pair.width() || box.height() > 0.6 * pair.height(),
           qPrintable(QStringLiteral("%1 × %2").arg(box.width()).arg(box.height())));
  pair.navigation().set_preset(MipPreset::front);
  QVERIFY(settle());
  const auto seen = [&](const Index3& p) {
    const QPointF at =
        pair.to_widget(static_cast<double>(p.z) + 0.5, static_cast<double>(p.x) + 0.5,
                       static_cast<double>(p.y) + 0.5);
    return pair.grab().toImage().pixelColor(at.toPoint());
  };
  // A's block lies right of the middle, B's left of it: neither is on its own side.
  QVERIFY(seen(bright_).lightness() < 60);
  QVERIFY(seen(other_).lightness() < 60);
  const int handle = pair.width() / 2;
  const RayCamera camera = pair.navigation().ray_camera();
  drag(pair, {handle, pair.height() / 3}, {pair.width() - 4, pair.height() / 3});
  QVERIFY(comparison().settings().reveal > 0.9);
  QVERIFY(seen(bright_).lightness() > 200);
  QVERIFY(seen(other_).lightness() < 60);
  drag(pair, {pair.width() - 4, pair.height() / 3}, {4, pair.height() / 3});
  QVERIFY(seen(bright_).lightness() < 60);
  QVERIFY(seen(other_).lightness() > 200);
  QCOMPARE(pair.navigation().ray_camera().eye, camera.eye);

  // The difference, seen by the same camera, with a range of its own.
  QTest::keyClick(f_->window.get(), Qt::Key_3, Qt::ControlModifier);
  QCOMPARE(comparison().settings().mode, CompareMode::difference);
  QVERIFY(settle());
  QCOMPARE(pair.navigation().ray_camera().eye, camera.eye);
  QCOMPARE(area().difference_range(), 3900.0);
  QVERIFY(seen(bright_).blue() > seen(bright_).red() + 40);
  QVERIFY(seen(other_).red() > seen(other_).blue() + 40);
  const QColor equal = seen({10, 40, 80});
  QVERIFY2(equal.lightness() > 220 && equal.saturation() < 20, qPrintable(equal.name()));
  auto* range = f_->window->findChild<QDoubleSpinBox*>(QStringLiteral("compare_range"));
  QTRY_COMPARE(range->value(), 3900.0);

  // All three turn together.
  QTest::keyClick(f_->window.get(), Qt::Key_4, Qt::ControlModifier);
  QVERIFY(settle());
  QVERIFY(volumes.left().isVisible() && volumes.right().isVisible() && pair.isVisible());
  QCOMPARE(volumes.left().navigation().ray_camera().eye, camera.eye);
  drag(pair, {pair.width() / 2, pair.height() / 2}, {pair.width() / 2 + 60, pair.height() / 2});
  QVERIFY(settle());
  QVERIFY(pair.navigation().ray_camera().forward != camera.forward);
  QCOMPARE(volumes.left().navigation().ray_camera().forward,
           pair.navigation().ray_camera().forward);
  QCOMPARE(volumes.right().navigation().ray_camera().eye, pair.navigation().ray_camera().eye);
  // Slices again; the handle is where it was left.
  QTest::keyClick(f_->window.get(), Qt::Key_1);
  QTest::keyClick(f_->window.get(), Qt::Key_2, Qt::ControlModifier);
  QVERIFY(settle());
  QVERIFY(!pair.isVisible() && area().left().isVisible());
  QVERIFY(area().left().comparison().reveal() < 0.1);
}

void CompareVolumesTest::projections_of_other_sizes_say_why_they_share_no_view() {
  write_block_tiff(f_->file("three.tif"), {12, 24, 48}, {5, 10, 15});
  QVERIFY(f_->drop({f_->file("three.tif")}));
  QVERIFY(comparison()
              .compare(f_->document.items().all()[0].id, f_->document.items().all()[2].id)
              .ok());
  CompareSettings settings = comparison().settings();
  settings.place = ComparePlace::volume;
  settings.mode = CompareMode::reveal;
  comparison().set_settings(settings);
  QVERIFY(settle());
  MipView& pair = area().volumes().pair();
  QVERIFY(pair.isVisible());
  QVERIFY(!pair.wait_until_exact(std::chrono::milliseconds(1)));
  QVERIFY2(pair.overlays().note().contains(QStringLiteral("size")),
           qPrintable(pair.overlays().note()));
  settings.mode = CompareMode::side_by_side;
  comparison().set_settings(settings);
  QVERIFY(settle());
  QVERIFY(area().volumes().left().isVisible() && !pair.isVisible());
}

APRSCOPE_GUI_TESTS(CompareVolumesTest)
#include "compare_volumes_test.moc"
