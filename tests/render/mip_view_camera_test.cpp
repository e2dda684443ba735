// The camera of a projection: where it puts the volume, and how mouse and keys move it.
#include <QSignalSpy>
#include <cmath>

#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class MipViewCameraTest : public QObject {
  Q_OBJECT

 private slots:
  void bright_cell_is_where_the_camera_puts_it() {
    BrightView bright;
    QVERIFY(show(bright.view, {420, 340}));
    for (const MipPreset preset :
         {MipPreset::front, MipPreset::top, MipPreset::side, MipPreset::oblique}) {
      bright.view.navigation().set_preset(preset);
      bright.expect_in_place();
    }
    bright.view.navigation().set_orbit(200.0, -50.0, 1.3);
    bright.expect_in_place();
    bright.view.navigation().set_perspective(true);
    QVERIFY(bright.view.navigation().perspective());
    bright.expect_in_place();
  }

  void presets_look_as_the_slices_do() {
    BrightView bright;
    QVERIFY(show(bright.view, {420, 340}));
    const auto goes = [&](double dz, double dx, double dy) {
      const QPointF d =
          bright.view.to_widget(1 + dz, 1 + dx, 1 + dy) - bright.view.to_widget(1, 1, 1);
      if (d.manhattanLength() < 1e-6) return QStringLiteral("away");
      return std::abs(d.x()) > std::abs(d.y())
                 ? (d.x() > 0 ? QStringLiteral("right") : QStringLiteral("left"))
                 : (d.y() > 0 ? QStringLiteral("down") : QStringLiteral("up"));
    };
    bright.view.navigation().set_preset(MipPreset::front);  // xy: y right, x down
    QCOMPARE(goes(0, 0, 1), QStringLiteral("right"));
    QCOMPARE(goes(0, 1, 0), QStringLiteral("down"));
    bright.view.navigation().set_preset(MipPreset::top);  // xz: x right, z down
    QCOMPARE(goes(0, 1, 0), QStringLiteral("right"));
    QCOMPARE(goes(1, 0, 0), QStringLiteral("down"));
    bright.view.navigation().set_preset(MipPreset::side);  // yz: y right, z down
    QCOMPARE(goes(0, 0, 1), QStringLiteral("right"));
    QCOMPARE(goes(1, 0, 0), QStringLiteral("down"));
  }

  void presets_fit_the_view() {
    BrightView bright;
    for (const QSize size : {QSize(420, 200), QSize(200, 420)}) {
      QVERIFY(show(bright.view, size));
      for (const MipPreset preset :
           {MipPreset::front, MipPreset::top, MipPreset::side, MipPreset::oblique}) {
        bright.view.navigation().set_preset(preset);
        double widest = 0.0;
        for (int corner = 0; corner < 8; ++corner) {
          const QPointF p = bright.view.to_widget((corner & 1) != 0 ? kSize.z : 0,
                                                  (corner & 2) != 0 ? kSize.x : 0,
                                                  (corner & 4) != 0 ? kSize.y : 0);
          QVERIFY(QRectF(0, 0, size.width(), size.height()).contains(p));
          widest = std::max({widest, std::abs(2 * p.x() / size.width() - 1),
                             std::abs(2 * p.y() / size.height() - 1)});
        }
        QVERIFY2(widest > 0.6, "the volume is lost in a view much too large for it");
      }
    }
  }

  void mouse_turns_pans_and_zooms() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    bright.expect_in_place();
    const QPointF before = bright.bright();
    QSignalSpy changed(&view, &MipView::camera_changed);

    const RayCamera front = view.navigation().ray_camera();
    drag(view, Qt::LeftButton, {210, 170}, {290, 200});
    QVERIFY(changed.count() > 0);
    QVERIFY(turned_by(front, view.navigation().ray_camera()) > 10.0);
    QVERIFY(QLineF(before, bright.bright()).length() > 5.0);
    bright.expect_in_place();

    const RayCamera turned = view.navigation().ray_camera();
    const QPointF still = bright.bright();
    drag(view, Qt::MiddleButton, {210, 170}, {240, 150});
    const QPointF by = bright.bright() - still;
    QVERIFY2(std::abs(by.x() - 30) < 1.5 && std::abs(by.y() + 20) < 1.5,
             qPrintable(QStringLiteral("%1, %2").arg(by.x()).arg(by.y())));
    QVERIFY(turned_by(turned, view.navigation().ray_camera()) < 0.01);
    bright.expect_in_place();

    const double height = view.navigation().ray_camera().height_world;
    wheel(view, {210, 170}, 2);
    QVERIFY(view.navigation().ray_camera().height_world < 0.95 * height);
    bright.expect_in_place();
    wheel(view, {210, 170}, -2);
    QVERIFY(std::abs(view.navigation().ray_camera().height_world - height) < 0.01 * height);
    drag(view, Qt::RightButton, {210, 170}, {210, 120});
    QVERIFY(std::abs(view.navigation().ray_camera().height_world / height - 1.0) > 0.05);
    bright.expect_in_place();
  }

  void perspective_keeps_the_middle_as_large_as_it_was() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_orbit(0, 0, 0.6);
    wheel(view, {210, 170}, 1);
    // A length in the plane through the middle of the volume.
    const auto length = [&] {
      return QLineF(view.to_widget(12, 20, 24), view.to_widget(12, 20, 32)).length();
    };
    const double before = length();
    view.navigation().set_perspective(true);
    QVERIFY(std::abs(length() - before) < 0.01 * before);
    bright.expect_in_place();
    wheel(view, {210, 170}, 2);
    const double closer = length();
    QVERIFY(closer > 1.05 * before);
    bright.expect_in_place();
    view.navigation().set_perspective(false);
    QVERIFY(std::abs(length() - closer) < 0.01 * closer);
    bright.expect_in_place();
  }

  void keys_choose_presets() {
    BrightView bright;
    QVERIFY(show(bright.view, {300, 300}));
    QTest::keyClick(&bright.view, Qt::Key_1);
    const RayCamera front = bright.view.navigation().ray_camera();
    QVERIFY(std::abs(front.forward[2] - 1.0) < 1e-9);
    QTest::keyClick(&bright.view, Qt::Key_2);
    QVERIFY(std::abs(turned_by(front, bright.view.navigation().ray_camera()) - 90.0) < 1e-3);
    QTest::keyClick(&bright.view, Qt::Key_3);
    QVERIFY(std::abs(turned_by(front, bright.view.navigation().ray_camera()) - 90.0) < 1e-3);
    QTest::keyClick(&bright.view, Qt::Key_R);
    const double oblique = turned_by(front, bright.view.navigation().ray_camera());
    QVERIFY(oblique > 10.0 && oblique < 80.0);
  }

  void double_click_asks_for_the_whole_window() {
    BrightView bright;
    QVERIFY(show(bright.view, {300, 300}));
    QSignalSpy asked(&bright.view, &MipView::maximise_requested);
    const RayCamera before = bright.view.navigation().ray_camera();
    QTest::mouseDClick(&bright.view, Qt::LeftButton, {}, {150, 150});
    QCOMPARE(asked.count(), 1);
    QTest::mouseMove(&bright.view, {200, 200});
    QTest::qWait(20);
    QVERIFY(turned_by(before, bright.view.navigation().ray_camera()) < 1e-6);
  }

  void resizing_keeps_the_picture_in_place() {
    BrightView bright;
    QVERIFY(show(bright.view, {420, 340}));
    bright.expect_in_place();
    bright.view.resize(300, 420);
    QApplication::processEvents();
    bright.expect_in_place();
  }
};

APRSCOPE_VIEW_TESTS(MipViewCameraTest)
#include "mip_view_camera_test.moc"
