// Slices in space in place of a projection, and projections of a part.
#include <QSignalSpy>

#include "render/slice_box.hpp"
#include "render/slices_in_space.hpp"
#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

namespace {

const QColor kRed(255, 0, 0);
const QColor kGreen(0, 255, 0);
const QColor kBlue(0, 0, 255);

ColouredSlice filled(std::int64_t rows, std::int64_t cols, const QColor& colour) {
  ColouredSlice out{{}, rows, cols};
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    for (const int part : {colour.red(), colour.green(), colour.blue(), 255}) {
      out.rgba.push_back(static_cast<std::uint8_t>(part));
    }
  }
  return out;
}

// Slices of three colours through the middle.
void give_slices(MipView& view) {
  view.slices().set(Axis::z, 12, filled(kSize.x, kSize.y, kRed));
  view.slices().set(Axis::x, 20, filled(kSize.z, kSize.y, kGreen));
  view.slices().set(Axis::y, 28, filled(kSize.z, kSize.x, kBlue));
}

}  // namespace

class MipSlicesTest : public QObject {
  Q_OBJECT

 private slots:
  void slices_lie_where_they_belong() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    QVERIFY(view.wait_until_exact(std::chrono::seconds(20)));
    view.slices().set_shown(true);
    give_slices(view);
    QVERIFY(view.wait_until_exact(std::chrono::seconds(20)));
    for (const bool perspective : {false, true}) {
      view.navigation().set_perspective(perspective);
      view.navigation().set_orbit(30.0, 25.0, 1.2);
      const QImage shot = picture_of(view);
      // Pixels all over the picture by the lines of sight. Within a pixel of an edge either side
      // may be seen, and where two planes meet, either of them.
      const auto wanted_at = [&](double x, double y) {
        const auto at = view.slices().at((x - 210.0) / 340.0, (170.0 - y) / 340.0);
        if (!at) return QColor();
        const int planes = (at->z == 12 ? 1 : 0) + (at->x == 20 ? 1 : 0) + (at->y == 28 ? 1 : 0);
        if (planes > 1) return QColor(Qt::white);
        return at->z == 12 ? kRed : at->x == 20 ? kGreen : kBlue;
      };
      int red = 0, green = 0, blue = 0;
      for (double y = 6.5; y < 340.0; y += 12.0) {
        for (double x = 5.5; x < 420.0; x += 12.0) {
          const QColor wanted = wanted_at(x, y);
          bool sure = wanted != QColor(Qt::white);
          for (const auto& [dx, dy] : {std::pair{-1.5, 0.0}, {1.5, 0.0}, {0.0, -1.5}, {0.0, 1.5}}) {
            sure = sure && wanted_at(x + dx, y + dy) == wanted;
          }
          if (!sure) continue;
          const QColor seen = color_at(shot, QPointF(x, y));
          red += wanted == kRed ? 1 : 0;
          green += wanted == kGreen ? 1 : 0;
          blue += wanted == kBlue ? 1 : 0;
          if (!wanted.isValid()) {
            QVERIFY(distance(seen, kRed) > 100 && distance(seen, kGreen) > 100 &&
                    distance(seen, kBlue) > 100);
          } else {
            QVERIFY2(distance(seen, wanted) <= 8,
                     qPrintable(QStringLiteral("%1, %2: %3").arg(x).arg(y).arg(seen.name())));
          }
        }
      }
      QVERIFY2(red > 20 && green > 20 && blue > 20,
               qPrintable(QStringLiteral("%1 %2 %3").arg(red).arg(green).arg(blue)));
    }
    // The projection comes back.
    view.slices().set_shown(false);
    view.navigation().set_perspective(false);
    bright.expect_in_place();
  }

  void slices_point_the_right_way() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.slices().set_shown(true);
    // The first pixel of each slice is red, all others blue.
    const auto marked = [&](Axis axis, std::int64_t rows, std::int64_t cols) {
      ColouredSlice slice = filled(rows, cols, kBlue);
      slice.rgba[0] = 255;
      slice.rgba[2] = 0;
      view.slices().set(axis, 0, std::move(slice));
    };
    const auto seen = [&](MipPreset preset, const QPointF& first) {
      view.navigation().set_preset(preset);
      const QImage shot = picture_of(view);
      return distance(color_at(shot, first), kRed) <= 8;
    };
    marked(Axis::z, kSize.x, kSize.y);
    view.navigation().set_preset(MipPreset::front);
    QVERIFY(seen(MipPreset::front, view.to_widget(0, 0.5, 0.5)));
    view.slices().set(Axis::z, 0, {});
    // From the top and from the side these slices are the nearest, or seen from behind.
    marked(Axis::x, kSize.z, kSize.y);
    view.navigation().set_preset(MipPreset::side);
    QVERIFY(seen(MipPreset::side, view.to_widget(0.5, 0, 0.5)));
    view.slices().set(Axis::x, 0, {});
    marked(Axis::y, kSize.z, kSize.x);
    view.navigation().set_preset(MipPreset::top);
    QVERIFY(seen(MipPreset::top, view.to_widget(0.5, 0.5, 0)));
  }

  void what_is_not_in_the_box_is_not_drawn() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    bright.expect_in_place();
    // A box without the bright particle: nothing is white.
    view.navigation().set_only(Region{{0, 0, 24}, kSize});
    QVERIFY(view.wait_until_exact(std::chrono::seconds(20)));
    QVERIFY(BrightView::white_centre(picture_of(view)).isNull());
    QCOMPARE(view.navigation().ray_camera().only, std::optional(Region{{0, 0, 24}, kSize}));
    // Around it.
    view.navigation().set_only(Region{{0, 16, 0}, {16, kSize.x, 24}});
    bright.expect_in_place();
    // Slices are cut, too.
    view.slices().set_shown(true);
    give_slices(view);
    view.navigation().set_only(Region{{4, 4, 4}, {20, 16, 52}});
    const QImage shot = picture_of(view);
    const QRectF all(0, 0, 420, 340);
    QCOMPARE(count_color(shot, all, kGreen), 0);
    QVERIFY(count_color(shot, all, kRed) > 100);
    QVERIFY(count_color(shot, all, kBlue) > 100);
    view.navigation().set_preset(MipPreset::front);
    const QImage front = picture_of(view);
    const QPointF corner = view.to_widget(12.5, 4, 4);
    QVERIFY(distance(color_at(front, corner + QPointF(4, 4)), kRed) <= 8);
    QVERIFY(distance(color_at(front, corner - QPointF(4, 4)), kRed) > 100);
    view.navigation().set_only(std::nullopt);
    QVERIFY(distance(color_at(picture_of(view), corner - QPointF(4, 4)), kRed) <= 8);
  }

  void the_outline_of_a_part_is_drawn() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {420, 340}));
    view.navigation().set_preset(MipPreset::front);
    QVERIFY(view.wait_until_exact(std::chrono::seconds(20)));
    const QImage before = picture_of(view);
    view.overlays().set_part(Region{{4, 10, 20}, {12, 30, 40}});
    const QImage with = picture_of(view);
    // The lower edge of the part, from the front.
    const QPointF edge = view.to_widget(4, 30, 30);
    const QRectF around(edge - QPointF(2, 2), QSizeF(4, 4));
    const QColor line = box_color();
    QCOMPARE(count_color(before, around, line, 60), 0);
    QVERIFY(count_color(with, around, line, 60) > 0);
    view.overlays().set_part(std::nullopt);
    QCOMPARE(count_color(picture_of(view), around, line, 60), 0);
  }
};

APRSCOPE_VIEW_TESTS(MipSlicesTest)
#include "mip_slices_test.moc"
