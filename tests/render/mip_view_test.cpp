// What a projection shows, and what is drawn over it.
#include "render/mip_view.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <cmath>
#include <vector>

#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

class MipViewTest : public QObject {
  Q_OBJECT

 private slots:
  void every_screen_pixel_is_a_ray_once_the_camera_rests() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {321, 243}));
    view.navigation().set_orbit(40.0, 20.0, 1.2);
    view.set_contrast({0.0, 2000.0, 1.0});
    QVERIFY(view.wait_until_exact(20s));
    const double ratio = view.devicePixelRatioF();
    const int width = qRound(321 * ratio);
    const int height = qRound(243 * ratio);
    QCOMPARE(view.frame().width, width);
    QCOMPARE(view.frame().height, height);
    QCOMPARE(view.frame().level, view.frame().level_max);
    const auto expected = bright.data.caster->render(view.navigation().ray_camera(), width, height,
                                                     bright.data.caster->level_max());
    QVERIFY(expected.ok());
    const QImage shot = picture_of(view);
    QCOMPARE(shot.size(), QSize(width, height));
    int wrong = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float v = expected->values[static_cast<std::size_t>(y * width + x)];
        const auto grey = static_cast<int>(std::lround(255.0 * std::clamp(v / 2000.0, 0.0, 1.0)));
        const QColor wanted =
            std::isnan(v) ? ViewTheme::dark_theme().background : QColor(grey, grey, grey);
        if (distance(shot.pixelColor(x, y), wanted) > 2) ++wrong;
      }
    }
    QCOMPARE(wrong, 0);
  }

  void while_the_camera_moves_pictures_come_all_the_time() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    QVERIFY(view.wait_until_exact(20s));
    // A steady stream of moves: pictures reach the screen before it ends.
    int shown = 0;
    connect(&view, &MipView::frame_shown, &view, [&](const MipFrame&) { ++shown; });
    QElapsedTimer moving;
    moving.start();
    for (int i = 0; shown < 3 && moving.elapsed() < 20'000; ++i) {
      view.navigation().set_orbit(3.0 * i, 20.0, 1.0);
      QTest::qWait(15);
    }
    QVERIFY2(shown >= 3, qPrintable(QString::number(shown)));
    bright.expect_in_place();
    QVERIFY(view.frame().exact);
  }

  void while_it_moves_cells_are_as_large_as_the_distance_of_rays() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    QVERIFY(view.wait_until_exact(20s));
    std::vector<MipFrame> moving;
    connect(&view, &MipView::frame_shown, &view, [&](const MipFrame& frame) {
      if (!frame.exact) moving.push_back(frame);
    });
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; moving.size() < 3 && clock.elapsed() < 20'000; ++i) {
      // So far off that several cells lie between two rays even where each pixel of a dense screen
      // is one: a fast machine casts that many while it moves.
      view.navigation().set_orbit(3.0 * i, 20.0, 0.02);
      QTest::qWait(15);
    }
    QVERIFY(moving.size() >= 3);
    for (const MipFrame& frame : moving) {
      QCOMPARE(frame.level, level_of_rays(view.navigation().ray_camera(), kSize, kVoxel,
                                          frame.height, frame.level_max));
      QVERIFY(frame.level < frame.level_max);
    }
    QVERIFY(view.wait_until_exact(20s));
    QCOMPARE(view.frame().level, view.frame().level_max);
  }

  void box_moves_together_with_the_picture() {
    BrightView bright;
    MipView& view = bright.view;
    view.overlays().set_box_visible(true);
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    bright.expect_in_place();
    const QImage before = picture_of(view);
    // The camera has turned, its picture is not there yet: the old picture keeps its old box.
    view.navigation().set_orbit(60.0, 30.0, 1.0);
    const QImage between = view.grabFramebuffer();
    QCOMPARE(between.convertToFormat(before.format()), before);
    bright.expect_in_place();
    QVERIFY(picture_of(view) != before);
  }

  void contrast_colours_and_theme_need_no_new_rays() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    bright.expect_in_place();
    QSignalSpy shown(&view, &MipView::frame_shown);
    view.set_contrast({0.0, 4000.0, 1.0});
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), QColor(64, 64, 64)) <= 2);
    view.set_color_table(colormap("viridis"));
    view.set_contrast({0.0, 1000.0, 1.0});
    const auto& top = colormap("viridis")[255];
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), QColor(top[0], top[1], top[2])) <=
            2);
    view.set_theme(ViewTheme::light_theme());
    QVERIFY(distance(color_at(picture_of(view), {2, 2}), ViewTheme::light_theme().background) <= 1);
    QCOMPARE(shown.count(), 0);
  }

  void box_and_planes_are_drawn_around_the_volume() {
    const ViewTheme theme = ViewTheme::dark_theme();
    BrightView bright;
    MipView& view = bright.view;
    view.set_contrast({1e6, 1e7, 1.0});  // a black picture
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    view.set_crosshair({3, 10, 50});
    QVERIFY(view.wait_until_exact(20s));
    const QPointF corner = view.to_widget(0, kSize.x, 0);
    const QPointF right = view.to_widget(0, kSize.x, kSize.y);
    const QRectF edge(corner.x() + 0.15 * (right.x() - corner.x()), corner.y() - 2.5,
                      0.2 * (right.x() - corner.x()), 5);
    const QPointF on_plane = view.to_widget(0, 30, 50.5);
    const QRectF plane(on_plane.x() - 3, on_plane.y() - 20, 6, 40);
    const auto differs = [](const QImage& a, const QImage& b, const QRectF& area) {
      int count = 0;
      const double ratio = a.devicePixelRatio();
      const QRect in = QRectF(area.topLeft() * ratio, area.size() * ratio).toRect();
      for (int y = in.top(); y < in.bottom(); ++y) {
        for (int x = in.left(); x < in.right(); ++x) {
          if (distance(a.pixelColor(x, y), b.pixelColor(x, y)) > 15) ++count;
        }
      }
      return count;
    };
    const QImage bare = picture_of(view);
    view.overlays().set_box_visible(true);
    const QImage boxed = picture_of(view);
    QVERIFY(differs(bare, boxed, edge) >= static_cast<int>(0.8 * edge.width()));
    QCOMPARE(differs(bare, boxed, plane), 0);
    view.overlays().set_box_visible(false);
    view.overlays().set_planes_visible(true);
    const QImage planes = picture_of(view);
    QVERIFY(differs(bare, planes, plane) >= 30);
    QVERIFY(count_color(planes, plane, theme.axis_y, 90) >= 20);
  }

  void heads_up_panel_folds_and_keeps_the_camera_still() {
    const ViewTheme theme = ViewTheme::dark_theme();
    BrightView bright;
    MipView& view = bright.view;
    view.overlays().set_hud_visible(true);
    view.overlays().set_info({QStringLiteral("cells"), 1234567, 21.3, 98'000'000,
                              QStringLiteral("CPU, 2 threads"), true});
    QVERIFY(show(view, {480, 380}));
    QVERIFY(view.wait_until_exact(20s));
    QTRY_VERIFY(view.overlays().hud_rect().height() > 60 &&
                view.overlays().hud_rect().width() > 80);
    QTest::qWait(50);
    const QImage shot = picture_of(view);
    QVERIFY2(count_color(shot, view.overlays().hud_rect(), theme.text, 40) > 150,
             "text in the panel");
    QVERIFY2(count_color(shot, view.overlays().hud_rect(), theme.preview_badge, 40) > 5,
             "preview is named");

    // Dragging on the panel leaves the camera alone; beside it, it turns.
    const RayCamera before = view.navigation().ray_camera();
    const QPoint inside = view.overlays().hud_rect().center().toPoint();
    drag(view, Qt::LeftButton, inside, inside + QPoint(150, 60));
    QVERIFY(turned_by(before, view.navigation().ray_camera()) < 1e-6);
    wheel(view, inside, 3);
    QCOMPARE(view.navigation().ray_camera().height_world, before.height_world);
    const QPoint outside(420, 330);
    drag(view, Qt::LeftButton, outside, inside);
    QVERIFY(turned_by(before, view.navigation().ray_camera()) > 5.0);

    // The arrow in the title folds it; another click unfolds it.
    const double open = view.overlays().hud_rect().height();
    const QPoint arrow = (view.overlays().hud_rect().topLeft() + QPointF(11, 10)).toPoint();
    QTest::mouseClick(&view, Qt::LeftButton, {}, arrow);
    QTRY_VERIFY(view.overlays().hud_rect().height() < 0.5 * open);
    QTest::mouseClick(&view, Qt::LeftButton, {}, arrow);
    QTRY_VERIFY(view.overlays().hud_rect().height() > 0.9 * open);
    view.overlays().set_hud_collapsed(true);
    QTRY_VERIFY(view.overlays().hud_rect().height() < 0.5 * open);
    view.overlays().set_hud_visible(false);
    QVERIFY(view.overlays().hud_rect().isEmpty());
    const QRectF where(10, 10, 100, 60);
    QTRY_COMPARE(count_color(picture_of(view), where, theme.text, 40), 0);
  }

  void source_can_be_swapped_and_taken_away() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_orbit(50, 10, 1.4);
    bright.expect_in_place();
    const RayCamera before = view.navigation().ray_camera();
    const OneBright other = one_bright(kSize, {20, 5, 50}, kVoxel);
    view.set_source(other.caster, kSize, kVoxel);
    QVERIFY(turned_by(before, view.navigation().ray_camera()) < 1e-6);  // the camera stays
    bright.data = other;
    bright.expect_in_place();
    view.set_source(nullptr, kSize, kVoxel);
    QVERIFY(!view.wait_until_exact(50ms));
    const QImage empty = picture_of(view);
    QVERIFY(distance(color_at(empty, bright.bright()), ViewTheme::dark_theme().background) <= 1);
    // Another shape brings the camera back to all of it.
    const OneBright flat = one_bright({1, 30, 90}, {0, 3, 80}, {});
    view.set_source(flat.caster, {1, 30, 90}, {});
    QVERIFY(view.wait_until_exact(20s));
    QVERIFY(view.rect().toRectF().contains(view.to_widget(0.5, 15, 45)));
    QVERIFY(!BrightView::white_centre(picture_of(view)).isNull());
  }

  void nothing_is_drawn_where_there_is_no_volume() {
    const ViewTheme theme = ViewTheme::dark_theme();
    const auto axes = [&](MipView& view) {
      const QImage shot = picture_of(view);
      return count_color(shot, view.rect(), theme.axis_z, 90) +
             count_color(shot, view.rect(), theme.axis_x, 90) +
             count_color(shot, view.rect(), theme.axis_y, 90);
    };
    MipView empty;
    QVERIFY(show(empty, {300, 300}));
    QCOMPARE(axes(empty), 0);
    BrightView bright;
    bright.view.overlays().set_planes_visible(true);
    QVERIFY(show(bright.view, {300, 300}));
    QVERIFY(bright.view.wait_until_exact(20s));
    QVERIFY(axes(bright.view) > 20);
    bright.view.clear();
    QCOMPARE(axes(bright.view), 0);
  }

  void destroyed_while_casting() {
    for (int i = 0; i < 5; ++i) {
      BrightView bright;
      QVERIFY(show(bright.view, {420, 340}));
      bright.view.navigation().set_orbit(7.0 * i, 3.0, 1.0);
    }
  }
};

APRSCOPE_VIEW_TESTS(MipViewTest)
#include "mip_view_test.moc"
