// A surface that is coloured by the values of another volume.
#include "render/mip_paint.hpp"

#include <limits>

#include "render/paint_legend.hpp"
#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::shared_ptr<const SurfacePaint> paint_of(float value, bool positive = false,
                                             const Size3& size = kSize) {
  auto volume = std::make_shared<Volume>();
  volume->pixels = Pixels<float>(size, value);
  auto paint = std::make_shared<SurfacePaint>();
  paint->values = std::move(volume);
  paint->limits = {-1.0, 3.0, 1.0};
  paint->positive = positive;
  paint->unit = QStringLiteral("Å");
  return paint;
}

// Whether a colour is one of the table, in some light.
bool is_shade_of(const QColor& color, const std::array<std::uint8_t, 4>& full) {
  const double light = static_cast<double>(color.green()) / full[1];
  return light > 0.1 && light < 1.02 && std::abs(color.red() - light * full[0]) < 4.0 &&
         std::abs(color.blue() - light * full[2]) < 4.0;
}

}  // namespace

class MipPaintTest : public QObject {
  Q_OBJECT

 private:
  static QColor middle(BrightView& bright) {
    if (!bright.view.wait_until_exact(20s)) return {};
    return color_at(picture_of(bright.view), bright.bright());
  }

 private slots:
  void the_surface_has_the_colour_of_the_value_in_its_light() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {320, 240}));
    view.set_level_set(LevelSet{500.0, LevelSets::superlevel}, true);
    const QColor plain = middle(bright);
    QVERIFY(!view.paint().shown());
    const auto high = paint_of(9.0F);
    view.paint().set(high);
    QVERIFY(is_shade_of(middle(bright), paint_colors()[255]));
    QCOMPARE(view.paint().shown(), high);
    // Half-way between the limits.
    view.paint().set(paint_of(1.0F));
    QVERIFY(is_shade_of(middle(bright), paint_colors()[128]));
    // Where there is no value it is as if nothing coloured it.
    view.paint().set(paint_of(kNaN));
    QVERIFY(distance(middle(bright), plain) <= 1);
    view.paint().set(paint_of(0.0F, true));
    QVERIFY(distance(middle(bright), plain) <= 1);
    view.paint().set(nullptr);
    QVERIFY(distance(middle(bright), plain) <= 1);
    QVERIFY(!view.paint().shown());
  }

  void it_counts_for_surfaces_of_that_size_alone() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {320, 240}));
    const QColor projected = middle(bright);
    view.paint().set(paint_of(9.0F));
    QVERIFY(distance(middle(bright), projected) <= 1);
    view.set_level_set(LevelSet{500.0, LevelSets::superlevel}, true);
    QVERIFY(is_shade_of(middle(bright), paint_colors()[255]));
    view.paint().set(paint_of(9.0F, false, {4, 4, 4}));
    QVERIFY(!is_shade_of(middle(bright), paint_colors()[255]));
    QVERIFY(!view.paint().shown());
    view.set_level_set(std::nullopt, false);
    QVERIFY(distance(middle(bright), projected) <= 1);
  }

  void a_legend_lies_at_the_lower_right() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {320, 240}));
    view.set_level_set(LevelSet{500.0, LevelSets::superlevel}, true);
    const auto seen = [&](std::size_t i) {
      if (!view.wait_until_exact(20s)) return -1;
      const auto& c = paint_colors()[i];
      return count_color(picture_of(view), QRectF(200, 100, 120, 140), QColor(c[0], c[1], c[2]), 6);
    };
    QCOMPARE(seen(255), 0);
    view.paint().set(paint_of(kNaN));
    QVERIFY(seen(255) > 10);
    QVERIFY(seen(128) > 10);
    QVERIFY(seen(0) > 10);
    view.paint().set(nullptr);
    QCOMPARE(seen(255), 0);
  }
};

APRSCOPE_VIEW_TESTS(MipPaintTest)
#include "mip_paint_test.moc"
