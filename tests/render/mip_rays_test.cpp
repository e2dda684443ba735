// Translucent matter in a 3-D view: what lies in front covers what lies behind.
#include "render/mip_rays.hpp"

#include <QSignalSpy>

#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

namespace {

constexpr std::chrono::seconds kWait{20};
constexpr float kDim = 500.0F;
constexpr float kLight = 1000.0F;
const Size3 kCube{16, 16, 16};

// A dim layer in front (small z) of a light one, in empty space: by the two all of it is known.
std::shared_ptr<const MipRaycaster> layers(float front = kDim, float back = kLight) {
  auto volume = std::make_shared<Volume>();
  Pixels<float> pixels(kCube, 0.0F);
  for (std::int64_t x = 4; x < 12; ++x) {
    for (std::int64_t y = 4; y < 12; ++y) {
      pixels.at(4, x, y) = front;
      pixels.at(11, x, y) = back;
    }
  }
  volume->pixels = std::move(pixels);
  return *MipRaycaster::build(std::shared_ptr<const Volume>(volume));
}

struct LayersView {
  MipView view;
  LayersView() {
    view.overlays().set_hud_visible(false);
    view.overlays().set_box_visible(false);
    view.overlays().set_planes_visible(false);
    view.set_contrast({0.0, kLight, 1.0});
    view.set_source(layers(), kCube, {});
  }
  // The grey in the middle of the picture, from the front or from behind.
  int middle(bool from_behind = false) {
    view.navigation().set_orbit(from_behind ? 180.0 : 0.0, 0.0, 1.0);
    if (!view.wait_until_exact(kWait)) return -1;
    const QImage shot = picture_of(view);
    return shot.pixelColor(shot.width() / 2, shot.height() / 2).lightness();
  }
};

}  // namespace

class MipRaysTest : public QObject {
  Q_OBJECT

 private slots:
  void what_is_in_front_covers_what_is_behind() {
    LayersView layers;
    QVERIFY(show(layers.view, {300, 300}));
    QCOMPARE(layers.middle(), 255);  // the maximum, wherever it lies
    QCOMPARE(layers.middle(true), 255);
    QVERIFY(!layers.view.rays().shows_matter());
    // Opaque: the layer that is nearer, as bright as it is.
    layers.view.rays().set_depth(1e-6);
    QVERIFY2(std::abs(layers.middle() - 128) <= 1, qPrintable(QString::number(layers.middle())));
    QVERIFY(layers.view.rays().shows_matter());
    QVERIFY(layers.middle(true) >= 254);
    // Through a pixel of the dim layer, as deep as the side of the cube is long, much of the light
    // one is seen.
    layers.view.rays().set_depth(1.0 / 16.0);
    const double dense = (0.5 - 1.0 / 32.0) / (31.0 / 32.0);
    const double light = 0.5 * (1.0 - std::exp(-dense)) + std::exp(-dense) * (1.0 - std::exp(-1.0));
    const int seen = layers.middle();
    QVERIFY2(std::abs(seen - 255.0 * light) <= 2.0, qPrintable(QString::number(seen)));
    layers.view.rays().set_depth(0.0);
    QCOMPARE(layers.middle(), 255);
    QVERIFY(!layers.view.rays().shows_matter());
  }

  void contrast_says_what_is_there() {
    LayersView layers;
    QVERIFY(show(layers.view, {300, 300}));
    layers.view.rays().set_depth(1e-6);
    QVERIFY(layers.middle() < 135);
    // The dim layer is drawn black: one looks through it.
    layers.view.set_contrast({kDim, kLight, 1.0});
    QVERIFY(layers.middle() >= 254);
    layers.view.set_contrast({0.0, kDim, 1.0});
    QVERIFY(layers.middle() >= 254);
    layers.view.set_contrast({0.0, 2.0 * kLight, 1.0});
    QVERIFY2(std::abs(layers.middle() - 64) <= 1, qPrintable(QString::number(layers.middle())));
  }

  void each_channel_has_its_own_contrast() {
    LayersView front;
    MipView& view = front.view;
    QVERIFY(show(view, {300, 300}));
    view.rays().set_depth(1e-6);
    view.channels().set_looks(
        {{true, {255, 0, 0}, {0.0, kLight, 1.0}}, {true, {0, 255, 0}, {kDim, kLight, 1.0}}});
    view.channels().set_volumes({{{0, layers()}, {1, layers()}}});
    front.middle();
    QVERIFY(view.rays().shows_matter());
    const QImage shot = picture_of(view);
    const QColor seen = shot.pixelColor(shot.width() / 2, shot.height() / 2);
    // Red is covered by its dim layer, of which green has nothing.
    QVERIFY2(std::abs(seen.red() - 128) <= 1 && seen.green() >= 254, qPrintable(seen.name()));
  }

  // Contrast that changes while matter is on screen, or before it is there.
  void looks_and_second_contrasts_are_followed() {
    LayersView front;
    MipView& view = front.view;
    QVERIFY(show(view, {300, 300}));
    view.rays().set_depth(1e-6);
    const auto red = [&] {
      if (!view.wait_until_exact(kWait)) return -1;
      const QImage shot = picture_of(view);
      return shot.pixelColor(shot.width() / 2, shot.height() / 2).red();
    };
    const auto look = [](double low, double high) {
      return std::vector<ChannelLook>{{true, {255, 0, 0}, {low, high, 1.0}}};
    };
    view.navigation().set_orbit(0.0, 0.0, 1.0);
    view.channels().set_looks(look(0.0, kLight));
    view.channels().set_volumes({{{0, layers()}}});
    // Before any picture of channels has reached the screen.
    view.channels().set_looks(look(kDim, kLight));
    QVERIFY2(red() >= 254, qPrintable(QString::number(red())));
    view.channels().set_looks(look(0.0, kLight));
    QVERIFY2(std::abs(red() - 128) <= 1, qPrintable(QString::number(red())));
    view.channels().set_volumes(std::nullopt);
    view.comparison().set_second_source(layers(), MipPair::reveal);
    view.comparison().set_reveal(0.25);
    view.comparison().set_second_colors({0.0, kLight, 1.0}, colormap("grey"));
    QVERIFY2(std::abs(red() - 128) <= 1, qPrintable(QString::number(red())));
    view.comparison().set_second_colors({kDim, kLight, 1.0}, colormap("grey"));
    QVERIFY2(red() >= 254, qPrintable(QString::number(red())));
    // Other colours of the same contrast need no other rays.
    QSignalSpy frames(&view, &MipView::frame_shown);
    view.comparison().set_second_colors({kDim, kLight, 1.0}, colormap("magma"));
    picture_of(view);
    QTest::qWait(300);
    QCOMPARE(frames.count(), 0);
  }

  void hidden_views_wait_until_they_are_shown() {
    LayersView layers;
    MipView& view = layers.view;
    QVERIFY(show(view, {300, 300}));
    view.rays().set_depth(1e-6);
    QVERIFY(layers.middle() < 135);
    view.hide();
    QSignalSpy frames(&view, &MipView::frame_shown);
    view.set_contrast({kDim, kLight, 1.0});
    QTest::qWait(300);
    QCOMPARE(frames.count(), 0);
    view.show();
    QVERIFY(layers.middle() >= 254);
  }

  void a_box_cuts_matter() {
    LayersView layers;
    MipView& view = layers.view;
    QVERIFY(show(view, {300, 300}));
    view.rays().set_depth(1e-6);
    QVERIFY(layers.middle() < 135);
    view.navigation().set_only(Region{{6, 0, 0}, {16, 16, 16}});
    QVERIFY(layers.middle() >= 254);
    // Slices in its place, and back.
    view.slices().set_shown(true);
    view.navigation().set_only(std::nullopt);
    view.slices().set_shown(false);
    QVERIFY(layers.middle() < 135);
  }

  void thresholds_and_differences_come_first() {
    LayersView layers;
    MipView& view = layers.view;
    QVERIFY(show(view, {300, 300}));
    view.rays().set_depth(1e-6);
    QVERIFY(layers.middle() < 135);
    view.set_level_set(LevelSet{400.0, LevelSets::superlevel}, false);
    QCOMPARE(layers.middle(), 255);
    QVERIFY(!view.rays().shows_matter());
    view.set_level_set(LevelSet{400.0, LevelSets::superlevel}, true);
    QVERIFY(view.wait_until_exact(kWait));
    QVERIFY(view.rays().shows_surface() && !view.rays().shows_matter());
    view.set_level_set(std::nullopt, false);
    QVERIFY(layers.middle() < 135);
    // Of a pair with a handle both sides are matter, each by its own contrast.
    view.comparison().set_second_colors({kDim, kLight, 1.0}, colormap("grey"));
    view.comparison().set_second_source(::layers(), MipPair::reveal);
    view.comparison().set_reveal(0.25);
    QVERIFY(layers.middle() >= 254);
    view.comparison().set_reveal(0.75);
    QVERIFY(layers.middle() < 135);
    view.comparison().set_second_source(::layers(kLight, kDim), MipPair::difference);
    layers.middle();
    QVERIFY(!view.rays().shows_matter());
  }
};

APRSCOPE_VIEW_TESTS(MipRaysTest)
#include "mip_rays_test.moc"
