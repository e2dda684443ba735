// Projections of several channels over each other.
#include "render/mip_channels.hpp"

#include <algorithm>
#include <cmath>

#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;              // NOLINT: a test program
using namespace aprscope::test;        // NOLINT
using namespace std::chrono_literals;  // NOLINT

class MipChannelsTest : public QObject {
  Q_OBJECT

 private slots:
  void each_has_its_own_rays_and_colours_add_up() {
    BrightView bright;
    MipView& view = bright.view;
    const OneBright other = one_bright(kSize, {18, 8, 40}, kVoxel);
    QVERIFY(show(view, {321, 243}));
    view.navigation().set_orbit(40.0, 20.0, 1.2);
    const std::vector<ChannelLook> looks{{true, {0, 255, 0}, {0.0, 1000.0, 1.0}},
                                         {true, {200, 0, 100}, {0.0, 500.0, 2.0}}};
    view.channels().set_looks(looks);
    view.channels().set_volumes({{{0, bright.data.caster}, {1, other.caster}}});
    QVERIFY(view.wait_until_exact(20s));
    const QImage shot = picture_of(view);
    const auto cast = [&](const MipRaycaster& caster) {
      return *caster.render(view.navigation().ray_camera(), shot.width(), shot.height(),
                            caster.level_max());
    };
    const RayImage first = cast(*bright.data.caster);
    const RayImage second = cast(*other.caster);
    int wrong = 0;
    int seen = 0;
    for (int y = 0; y < shot.height(); ++y) {
      for (int x = 0; x < shot.width(); ++x) {
        const auto i = static_cast<std::size_t>(y * shot.width() + x);
        QColor wanted = ViewTheme::dark_theme().background;
        if (!std::isnan(first.values[i])) {
          const double a = std::clamp(static_cast<double>(first.values[i]) / 1000.0, 0.0, 1.0);
          const double t = std::clamp(static_cast<double>(second.values[i]) / 500.0, 0.0, 1.0);
          const double b = t * t;
          wanted =
              QColor(static_cast<int>(std::lround(200 * b)), static_cast<int>(std::lround(255 * a)),
                     static_cast<int>(std::lround(100 * b)));
          seen += b == 1.0 || a == 1.0 ? 1 : 0;
        }
        if (distance(shot.pixelColor(x, y), wanted) > 2) ++wrong;
      }
    }
    QVERIFY(seen > 20);  // both bright cells are in the picture
    QCOMPARE(wrong, 0);
  }

  void looks_count_at_once_and_volumes_can_end() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {320, 240}));
    view.channels().set_looks({{true, {255, 255, 0}, {100.0, 1000.0, 1.0}}});
    view.channels().set_volumes({{{0, bright.data.caster}}});
    QVERIFY(view.wait_until_exact(20s));
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), QColor(255, 255, 0)) <= 2);
    view.channels().set_looks({{true, {0, 0, 255}, {100.0, 1000.0, 1.0}}});
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), QColor(0, 0, 255)) <= 2);
    // No channel at all is a dark volume.
    view.channels().set_volumes({std::vector<ChannelVolume>{}});
    QVERIFY(view.wait_until_exact(20s));
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), kBlack) <= 2);
    view.channels().set_volumes(std::nullopt);
    QVERIFY(view.wait_until_exact(20s));
    bright.expect_in_place();
  }

  void surfaces_come_first() {
    BrightView bright;
    MipView& view = bright.view;
    QVERIFY(show(view, {320, 240}));
    view.channels().set_looks({{true, {255, 255, 0}, {100.0, 1000.0, 1.0}}});
    view.channels().set_volumes({{{0, bright.data.caster}}});
    view.set_level_set(LevelSet{500.0, LevelSets::superlevel}, true);
    QVERIFY(view.wait_until_exact(20s));
    QVERIFY(view.rays().shows_surface());
    view.set_level_set(std::nullopt, false);
    QVERIFY(view.wait_until_exact(20s));
    QVERIFY(distance(color_at(picture_of(view), bright.bright()), QColor(255, 255, 0)) <= 2);
  }
};

APRSCOPE_VIEW_TESTS(MipChannelsTest)
#include "mip_channels_test.moc"
