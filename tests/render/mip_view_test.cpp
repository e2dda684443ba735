#include "render/mip_view.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTimer>
#include <cmath>

#include <vtkCamera.h>

#include "tests/render/view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

namespace {

const QColor kBlack(0, 0, 0);
const QColor kWhite(255, 255, 255);
const Size3 kSize{24, 40, 56};
const VoxelSize kVoxel{2.0, 1.0, 1.0, "µm"};
// Off every axis of symmetry: a mirrored or turned picture shows it elsewhere.
const Index3 kBright{5, 31, 9};

// A view of one bright particle, with nothing drawn over the picture.
struct BrightView {
  OneBright data = one_bright(kSize, kBright, kVoxel);
  MipView view;

  BrightView() {
    view.set_hud_visible(false);
    view.set_box_visible(false);
    view.set_planes_visible(false);
    view.set_contrast({100.0, 1000.0, 1.0});
    view.set_source(data.caster, kSize, kVoxel);
  }

  // The middle of the bright cell on screen, by the view's projection.
  [[nodiscard]] QPointF bright() const {
    const auto middle = [&](std::int64_t first, std::int64_t size) {
      return 0.5 * static_cast<double>(first + std::min(first + data.side, size));
    };
    return view.to_widget(middle(data.first.z, kSize.z), middle(data.first.x, kSize.x),
                          middle(data.first.y, kSize.y));
  }

  // Where white pixels are: their mean position; null when there are none.
  [[nodiscard]] static QPointF white_centre(const QImage& picture) {
    QPointF sum;
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        if (distance(picture.pixelColor(x, y), kWhite) > 2) continue;
        sum += QPointF(x + 0.5, y + 0.5);
        ++count;
      }
    }
    return count == 0 ? QPointF() : sum / count / picture.devicePixelRatio();
  }

  // The bright cell is seen where the projection says, and nowhere else.
  void expect_in_place() {
    QVERIFY(view.wait_until_exact(20s));
    const QImage shot = picture_of(view);
    const QPointF seen = white_centre(shot);
    QVERIFY2(QLineF(seen, bright()).length() < 2.0, qPrintable(QStringLiteral("%1, %2 for %3, %4")
                                                                   .arg(seen.x())
                                                                   .arg(seen.y())
                                                                   .arg(bright().x())
                                                                   .arg(bright().y())));
    QVERIFY(distance(color_at(shot, bright()), kWhite) <= 2);
  }
};

double turned_by(const RayCamera& a, const RayCamera& b) {
  double cosine = 0.0;
  for (std::size_t i = 0; i < 3; ++i) cosine += a.forward[i] * b.forward[i];
  return std::acos(std::min(1.0, cosine)) * 180.0 / M_PI;
}

}  // namespace

class MipViewTest : public QObject {
  Q_OBJECT

 private slots:
  void bright_cell_is_where_the_camera_puts_it() {
    BrightView bright;
    QVERIFY(show(bright.view, {420, 340}));
    for (const MipPreset preset :
         {MipPreset::front, MipPreset::top, MipPreset::side, MipPreset::oblique}) {
      bright.view.set_preset(preset);
      bright.expect_in_place();
    }
    bright.view.set_orbit(200.0, -50.0, 1.3);
    bright.expect_in_place();
    bright.view.set_perspective(true);
    QVERIFY(bright.view.perspective());
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
    bright.view.set_preset(MipPreset::front);  // xy: y right, x down
    QCOMPARE(goes(0, 0, 1), QStringLiteral("right"));
    QCOMPARE(goes(0, 1, 0), QStringLiteral("down"));
    bright.view.set_preset(MipPreset::top);  // xz: x right, z down
    QCOMPARE(goes(0, 1, 0), QStringLiteral("right"));
    QCOMPARE(goes(1, 0, 0), QStringLiteral("down"));
    bright.view.set_preset(MipPreset::side);  // yz: y right, z down
    QCOMPARE(goes(0, 0, 1), QStringLiteral("right"));
    QCOMPARE(goes(1, 0, 0), QStringLiteral("down"));
  }

  void presets_fit_the_view() {
    BrightView bright;
    for (const QSize size : {QSize(420, 200), QSize(200, 420)}) {
      QVERIFY(show(bright.view, size));
      for (const MipPreset preset :
           {MipPreset::front, MipPreset::top, MipPreset::side, MipPreset::oblique}) {
        bright.view.set_preset(preset);
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
    view.set_preset(MipPreset::front);
    bright.expect_in_place();
    const QPointF before = bright.bright();
    QSignalSpy changed(&view, &MipView::camera_changed);

    const RayCamera front = view.ray_camera();
    drag(view, Qt::LeftButton, {210, 170}, {290, 200});
    QVERIFY(changed.count() > 0);
    QVERIFY(turned_by(front, view.ray_camera()) > 10.0);
    QVERIFY(QLineF(before, bright.bright()).length() > 5.0);
    bright.expect_in_place();

    const RayCamera turned = view.ray_camera();
    const QPointF still = bright.bright();
    drag(view, Qt::MiddleButton, {210, 170}, {240, 150});
    const QPointF by = bright.bright() - still;
    QVERIFY2(std::abs(by.x() - 30) < 1.5 && std::abs(by.y() + 20) < 1.5,
             qPrintable(QStringLiteral("%1, %2").arg(by.x()).arg(by.y())));
    QVERIFY(turned_by(turned, view.ray_camera()) < 0.01);
    bright.expect_in_place();

    const double height = view.ray_camera().height_world;
    wheel(view, {210, 170}, 2);
    QVERIFY(view.ray_camera().height_world < 0.95 * height);
    bright.expect_in_place();
    wheel(view, {210, 170}, -2);
    QVERIFY(std::abs(view.ray_camera().height_world - height) < 0.01 * height);
    drag(view, Qt::RightButton, {210, 170}, {210, 120});
    QVERIFY(std::abs(view.ray_camera().height_world / height - 1.0) > 0.05);
    bright.expect_in_place();
  }

  void perspective_keeps_the_middle_as_large_as_it_was() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.set_orbit(0, 0, 0.6);
    wheel(view, {210, 170}, 1);
    // A length in the plane through the middle of the volume.
    const auto length = [&] {
      return QLineF(view.to_widget(12, 20, 24), view.to_widget(12, 20, 32)).length();
    };
    const double before = length();
    view.set_perspective(true);
    QVERIFY(std::abs(length() - before) < 0.01 * before);
    bright.expect_in_place();
    wheel(view, {210, 170}, 2);
    const double closer = length();
    QVERIFY(closer > 1.05 * before);
    bright.expect_in_place();
    view.set_perspective(false);
    QVERIFY(std::abs(length() - closer) < 0.01 * closer);
    bright.expect_in_place();
  }

  void keys_choose_presets() {
    BrightView bright;
    QVERIFY(show(bright.view, {300, 300}));
    QTest::keyClick(&bright.view, Qt::Key_1);
    const RayCamera front = bright.view.ray_camera();
    QVERIFY(std::abs(front.forward[2] - 1.0) < 1e-9);
    QTest::keyClick(&bright.view, Qt::Key_2);
    QVERIFY(std::abs(turned_by(front, bright.view.ray_camera()) - 90.0) < 1e-3);
    QTest::keyClick(&bright.view, Qt::Key_3);
    QVERIFY(std::abs(turned_by(front, bright.view.ray_camera()) - 90.0) < 1e-3);
    QTest::keyClick(&bright.view, Qt::Key_R);
    const double oblique = turned_by(front, bright.view.ray_camera());
    QVERIFY(oblique > 10.0 && oblique < 80.0);
  }

  void every_screen_pixel_is_a_ray_once_the_camera_rests() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {321, 243}));
    view.set_orbit(40.0, 20.0, 1.2);
    view.set_contrast({0.0, 2000.0, 1.0});
    QVERIFY(view.wait_until_exact(20s));
    const double ratio = view.devicePixelRatioF();
    const int width = qRound(321 * ratio);
    const int height = qRound(243 * ratio);
    QCOMPARE(view.frame().width, width);
    QCOMPARE(view.frame().height, height);
    QCOMPARE(view.frame().level, view.frame().level_max);
    const auto expected = bright.data.caster->render(view.ray_camera(), width, height,
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
      view.set_orbit(3.0 * i, 20.0, 1.0);
      QTest::qWait(15);
    }
    QVERIFY2(shown >= 3, qPrintable(QString::number(shown)));
    bright.expect_in_place();
    QVERIFY(view.frame().exact);
  }

  void box_moves_together_with_the_picture() {
    BrightView bright;
    MipView& view = bright.view;
    view.set_box_visible(true);
    QVERIFY(show(view, {420, 340}));
    view.set_preset(MipPreset::front);
    bright.expect_in_place();
    const QImage before = picture_of(view);
    // The camera has turned, its picture is not there yet: the old picture keeps its old box.
    view.set_orbit(60.0, 30.0, 1.0);
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
    view.set_preset(MipPreset::front);
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
    view.set_box_visible(true);
    const QImage boxed = picture_of(view);
    QVERIFY(differs(bare, boxed, edge) >= static_cast<int>(0.8 * edge.width()));
    QCOMPARE(differs(bare, boxed, plane), 0);
    view.set_box_visible(false);
    view.set_planes_visible(true);
    const QImage planes = picture_of(view);
    QVERIFY(differs(bare, planes, plane) >= 30);
    QVERIFY(count_color(planes, plane, theme.axis_y, 90) >= 20);
  }

  void heads_up_panel_folds_and_keeps_the_camera_still() {
    const ViewTheme theme = ViewTheme::dark_theme();
    BrightView bright;
    MipView& view = bright.view;
    view.set_hud_visible(true);
    view.set_info({QStringLiteral("cells"), 1234567, 21.3, 98'000'000,
                   QStringLiteral("CPU, 2 threads"), true});
    QVERIFY(show(view, {480, 380}));
    QVERIFY(view.wait_until_exact(20s));
    QTRY_VERIFY(view.hud_rect().height() > 60 && view.hud_rect().width() > 80);
    QTest::qWait(50);
    const QImage shot = picture_of(view);
    QVERIFY2(count_color(shot, view.hud_rect(), theme.text, 40) > 150, "text in the panel");
    QVERIFY2(count_color(shot, view.hud_rect(), theme.preview_badge, 40) > 5, "preview is named");

    // Dragging on the panel leaves the camera alone; beside it, it turns.
    const RayCamera before = view.ray_camera();
    const QPoint inside = view.hud_rect().center().toPoint();
    drag(view, Qt::LeftButton, inside, inside + QPoint(150, 60));
    QVERIFY(turned_by(before, view.ray_camera()) < 1e-6);
    wheel(view, inside, 3);
    QCOMPARE(view.ray_camera().height_world, before.height_world);
    const QPoint outside(420, 330);
    drag(view, Qt::LeftButton, outside, inside);
    QVERIFY(turned_by(before, view.ray_camera()) > 5.0);

    // The arrow in the title folds it; another click unfolds it.
    const double open = view.hud_rect().height();
    const QPoint arrow = (view.hud_rect().topLeft() + QPointF(11, 10)).toPoint();
    QTest::mouseClick(&view, Qt::LeftButton, {}, arrow);
    QTRY_VERIFY(view.hud_rect().height() < 0.5 * open);
    QTest::mouseClick(&view, Qt::LeftButton, {}, arrow);
    QTRY_VERIFY(view.hud_rect().height() > 0.9 * open);
    view.set_hud_collapsed(true);
    QTRY_VERIFY(view.hud_rect().height() < 0.5 * open);
    view.set_hud_visible(false);
    QVERIFY(view.hud_rect().isEmpty());
    const QRectF where(10, 10, 100, 60);
    QTRY_COMPARE(count_color(picture_of(view), where, theme.text, 40), 0);
  }

  void double_click_asks_for_the_whole_window() {
    BrightView bright;
    QVERIFY(show(bright.view, {300, 300}));
    QSignalSpy asked(&bright.view, &MipView::maximise_requested);
    const RayCamera before = bright.view.ray_camera();
    QTest::mouseDClick(&bright.view, Qt::LeftButton, {}, {150, 150});
    QCOMPARE(asked.count(), 1);
    QTest::mouseMove(&bright.view, {200, 200});
    QTest::qWait(20);
    QVERIFY(turned_by(before, bright.view.ray_camera()) < 1e-6);
  }

  void source_can_be_swapped_and_taken_away() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.set_orbit(50, 10, 1.4);
    bright.expect_in_place();
    const RayCamera before = view.ray_camera();
    const OneBright other = one_bright(kSize, {20, 5, 50}, kVoxel);
    view.set_source(other.caster, kSize, kVoxel);
    QVERIFY(turned_by(before, view.ray_camera()) < 1e-6);  // the camera stays
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

  void two_volumes_share_a_view_with_a_handle() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.set_preset(MipPreset::front);
    // The first volume's cell lies in the left half, the second's in the right half.
    const OneBright other = one_bright(kSize, {5, 31, 46}, kVoxel);
    view.set_second_source(other.caster, MipPair::reveal);
    view.set_second_colors({100.0, 1000.0, 1.0}, colormap("grey"));
    QVERIFY(view.wait_until_exact(20s));
    const auto cell = [&](const OneBright& data) {
      const auto middle = [&](std::int64_t first, std::int64_t size) {
        return 0.5 * static_cast<double>(first + std::min(first + data.side, size));
      };
      return view.to_widget(middle(data.first.z, kSize.z), middle(data.first.x, kSize.x),
                            middle(data.first.y, kSize.y));
    };
    const auto is_white = [&](const QPointF& at) {
      return distance(color_at(picture_of(view), at), kWhite) <= 2;
    };
    QVERIFY(is_white(cell(bright.data)) && is_white(cell(other)));
    QVERIFY(is_white({210.0, 60.0}));  // the handle

    // Dragged, each side shows its own volume; no ray is cast anew and the camera stays.
    QSignalSpy shown(&view, &MipView::frame_shown);
    QSignalSpy moved(&view, &MipView::reveal_moved);
    const RayCamera before = view.ray_camera();
    drag(view, Qt::LeftButton, {210, 250}, {10, 250});
    QVERIFY(moved.count() > 0);
    QVERIFY(std::abs(view.reveal() - 10.0 / 420.0) < 0.01);
    QVERIFY(!is_white(cell(bright.data)) && is_white(cell(other)));
    drag(view, Qt::LeftButton, {10, 250}, {410, 250});
    QVERIFY(is_white(cell(bright.data)) && !is_white(cell(other)));
    QVERIFY(turned_by(before, view.ray_camera()) < 1e-6);
    QCOMPARE(shown.count(), 0);
    // Each has colours of its own; beside the handle the mouse turns the camera.
    view.set_reveal(0.0);
    const auto& top = colormap("viridis")[255];
    view.set_second_colors({100.0, 1000.0, 1.0}, colormap("viridis"));
    QVERIFY(distance(color_at(picture_of(view), cell(other)), QColor(top[0], top[1], top[2])) <= 2);
    drag(view, Qt::LeftButton, {210, 250}, {290, 280});
    QVERIFY(turned_by(before, view.ray_camera()) > 5.0);
    // One volume again.
    view.set_second_source(nullptr, MipPair::first);
    bright.expect_in_place();
  }

  void a_difference_of_projections_is_signed() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.set_preset(MipPreset::front);
    const OneBright other = one_bright(kSize, {5, 31, 46}, kVoxel);
    view.set_second_source(other.caster, MipPair::difference);
    QVERIFY(view.wait_until_exact(20s));
    // 1000 against 100.
    QCOMPARE(view.difference_range(), 900.0);
    const auto& table = colormap("diverging");
    const auto shows = [&](const QPointF& at, std::size_t entry) {
      const QColor wanted(table[entry][0], table[entry][1], table[entry][2]);
      return distance(color_at(picture_of(view), at), wanted) <= 2;
    };
    QVERIFY(shows(bright.bright(), 0));  // the second is darker here
    bright.data = other;
    QVERIFY(shows(bright.bright(), 255));
    QVERIFY(shows(view.to_widget(12, 12, 28), 127) || shows(view.to_widget(12, 12, 28), 128));
    QVERIFY(distance(color_at(picture_of(view), {4, 330}), ViewTheme::dark_theme().background) <=
            1);
    // A range by hand needs no new rays.
    QSignalSpy cast(&view, &MipView::frame_shown);
    view.set_difference_range(9e9);
    QVERIFY(shows(bright.bright(), 127) || shows(bright.bright(), 128));
    QCOMPARE(cast.count(), 0);
    // Without the second volume there is nothing to show.
    view.set_second_source(nullptr, MipPair::difference);
    QVERIFY(!view.wait_until_exact(50ms));
  }

  void resizing_keeps_the_picture_in_place() {
    BrightView bright;
    QVERIFY(show(bright.view, {420, 340}));
    bright.expect_in_place();
    bright.view.resize(300, 420);
    QApplication::processEvents();
    bright.expect_in_place();
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
    bright.view.set_planes_visible(true);
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
      bright.view.set_orbit(7.0 * i, 3.0, 1.0);
    }
  }
};

APRSCOPE_VIEW_TEST_MAIN(MipViewTest)
#include "mip_view_test.moc"
