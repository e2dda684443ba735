// A 3-D view whose volume is an overview: rays go through a finer part of it where that is there.
#include "render/mip_detail.hpp"

#include "core/image/random.hpp"
#include "tests/render/mip_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

namespace {

constexpr std::chrono::seconds kLong{20};
const Size3 kFine{32, 40, 48};
const Size3 kCoarse{16, 20, 24};
const VoxelSize kSide{2.0, 1.0, 1.5, "µm"};

std::shared_ptr<const Volume> volume_of(Pixels<float> pixels, const VoxelSize& voxel) {
  auto out = std::make_shared<Volume>();
  out->pixels = std::move(pixels);
  out->voxel = voxel;
  return out;
}

// Random values, their means of 2×2×2 as an overview, and a box of them as what is finer.
struct Overview {
  std::shared_ptr<const MipRaycaster> fine, coarse;
  std::shared_ptr<const MipDetail> detail;
  explicit Overview(const Region& cells) {
    Pixels<float> pixels(kFine);
    const CounterRandom random(5, 0);
    for (std::size_t i = 0; i < pixels.values.size(); ++i) {
      pixels.values[i] = static_cast<float>(random.uniform(i) * 1000.0);
    }
    Pixels<float> means(kCoarse);
    Pixels<float> part(cells.size());
    for (std::int64_t z = 0; z < kFine.z; ++z) {
      for (std::int64_t x = 0; x < kFine.x; ++x) {
        for (std::int64_t y = 0; y < kFine.y; ++y) {
          const float v = pixels.at(z, x, y);
          means.at(z / 2, x / 2, y / 2) += v / 8.0F;
          if (!cells.contains({z, x, y})) continue;
          part.at(z - cells.begin.z, x - cells.begin.x, y - cells.begin.y) = v;
        }
      }
    }
    const VoxelSize half = finer_voxel(kSide, 1);
    const auto built = *MipRaycaster::build(volume_of(std::move(part), half));
    fine = *MipRaycaster::build(volume_of(std::move(pixels), half));
    coarse = *MipRaycaster::build(volume_of(std::move(means), kSide));
    detail = std::make_shared<const MipDetail>(MipDetail{built, 1, cells, {}});
  }
};

struct OverviewView {
  MipView view;
  explicit OverviewView(const Overview& data) {
    view.overlays().set_hud_visible(false);
    view.overlays().set_box_visible(false);
    view.overlays().set_planes_visible(false);
    view.set_contrast({0.0, 1000.0, 1.0});
    view.set_source(data.coarse, kCoarse, kSide);
  }
  // Pixels of the picture on screen that differ from what is wanted.
  int wrong(const std::vector<float>& wanted) {
    if (!view.wait_until_exact(kLong)) return -1;
    const QImage shot = picture_of(view);
    int count = 0;
    for (int y = 0; y < shot.height(); ++y) {
      for (int x = 0; x < shot.width(); ++x) {
        const float v = wanted[static_cast<std::size_t>(y * shot.width() + x)];
        const auto grey = static_cast<int>(std::lround(255.0 * std::clamp(v / 1000.0, 0.0, 1.0)));
        const QColor colour =
            std::isnan(v) ? ViewTheme::dark_theme().background : QColor(grey, grey, grey);
        if (distance(shot.pixelColor(x, y), colour) > 2) ++count;
      }
    }
    return count;
  }
  std::vector<float> cast(const Raycaster& volume, bool finer) {
    const RayCamera camera = view.navigation().ray_camera();
    const MipFrame& frame = view.frame();
    return volume.render(finer ? finer_camera(camera, 1) : camera, frame.width, frame.height, 99)
        ->values;
  }
};

}  // namespace

class MipDetailTest : public QObject {
  Q_OBJECT

 private slots:
  void what_is_in_sight_is_as_fine_as_the_part() {
    const Overview data(Region{{0, 4, 6}, {32, 38, 44}});
    OverviewView shown(data);
    MipView& view = shown.view;
    QVERIFY(show(view, {300, 260}));
    // Zoomed in along z, where the part goes through the whole volume.
    view.navigation().set_orbit(0.0, 0.0, 4.0);
    QVERIFY(view.wait_until_exact(kLong));
    const int coarse = shown.wrong(shown.cast(*data.coarse, false));
    QVERIFY2(coarse >= 0 && coarse < 60, qPrintable(QString::number(coarse)));
    QVERIFY(shown.wrong(shown.cast(*data.fine, true)) > 5000);
    QVERIFY(!view.rays().shows_detail());

    view.rays().set_detail(data.detail);
    const int fine = shown.wrong(shown.cast(*data.fine, true));
    QVERIFY2(fine >= 0 && fine < 60, qPrintable(QString::number(fine)));
    QVERIFY(view.rays().shows_detail());
    QCOMPARE(view.frame().level, data.coarse->level_max() + 1);

    // A clipping box is one of pixels of the overview, and cuts the part likewise.
    view.navigation().set_only(Region{{2, 3, 4}, {9, 14, 20}});
    const int clipped = shown.wrong(shown.cast(*data.fine, true));
    QVERIFY2(clipped >= 0 && clipped < 60, qPrintable(QString::number(clipped)));
    // Matter and surfaces are those of the part, too.
    view.navigation().set_only(std::nullopt);
    view.rays().set_depth(0.02);
    QVERIFY(view.wait_until_exact(kLong));
    QVERIFY(view.rays().shows_detail() && view.rays().shows_matter());
    const double depth = 0.02 * mean_side(kCoarse, kSide);
    const auto matter =
        data.fine->translucent(finer_camera(view.navigation().ray_camera(), 1), view.frame().width,
                               view.frame().height, {{0.0, 1000.0, 1.0}, depth});
    QVERIFY(matter.ok());
    const int other = shown.wrong(matter->values);
    QVERIFY2(other >= 0 && other < 60, qPrintable(QString::number(other)));
    // A surface has as many faces as the part has: its light is that of the finer one alone, whose
    // depths are from the same eye.
    view.rays().set_depth(0.0);
    view.set_level_set(LevelSet{900.0, LevelSets::superlevel}, true);
    QVERIFY(view.wait_until_exact(kLong));
    QVERIFY(view.rays().shows_detail() && view.rays().shows_surface());
    const QImage of_part = picture_of(view);
    MipView alone;
    alone.overlays().set_hud_visible(false);
    alone.overlays().set_box_visible(false);
    alone.overlays().set_planes_visible(false);
    alone.set_contrast({0.0, 1000.0, 1.0});
    alone.set_source(data.fine, kFine, finer_voxel(kSide, 1));
    alone.set_level_set(LevelSet{900.0, LevelSets::superlevel}, true);
    QVERIFY(show(alone, {300, 260}));
    alone.navigation().set_ray_camera(view.navigation().ray_camera());
    QVERIFY(alone.wait_until_exact(kLong));
    const QImage of_all = picture_of(alone);
    QCOMPARE(of_all.size(), of_part.size());
    int unlike = 0;
    for (int y = 0; y < of_all.height(); ++y) {
      for (int x = 0; x < of_all.width(); ++x) {
        if (distance(of_all.pixelColor(x, y), of_part.pixelColor(x, y)) > 4) ++unlike;
      }
    }
    QVERIFY2(unlike < 200, qPrintable(QString::number(unlike)));
  }

  void what_is_not_in_the_part_is_that_of_the_overview() {
    const Overview data(Region{{0, 10, 12}, {20, 30, 36}});
    OverviewView shown(data);
    MipView& view = shown.view;
    QVERIFY(show(view, {300, 260}));
    view.navigation().set_orbit(35.0, 20.0, 1.0);
    view.rays().set_detail(data.detail);
    QVERIFY(view.wait_until_exact(kLong));
    QVERIFY(!view.rays().shows_detail());
    std::vector<float> wanted = shown.cast(*data.coarse, false);
    const RayCamera to_part = camera_to(*data.detail, view.navigation().ray_camera(), kSide);
    const auto part =
        data.detail->raycaster->render(to_part, view.frame().width, view.frame().height, 99);
    QVERIFY(part.ok());
    int brighter = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (part->values[i] > wanted[i]) ++brighter;
      wanted[i] = std::fmax(wanted[i], part->values[i]);
    }
    QVERIFY(brighter > 1000);
    const int wrong = shown.wrong(wanted);
    QVERIFY2(wrong >= 0 && wrong < 60, qPrintable(QString::number(wrong)));
    // Another volume takes it away.
    view.set_source(data.fine, kFine, finer_voxel(kSide, 1));
    QVERIFY(!view.rays().detail());
  }

  void channels_are_as_fine_as_their_parts() {
    const Overview data(Region{{0, 4, 6}, {32, 38, 44}});
    OverviewView shown(data);
    MipView& view = shown.view;
    QVERIFY(show(view, {300, 260}));
    view.navigation().set_orbit(0.0, 0.0, 4.0);
    // One that draws the values in grey, and one that is dark everywhere.
    Pixels<float> nothing(kCoarse);
    const std::shared_ptr<const Raycaster> dark =
        *MipRaycaster::build(volume_of(std::move(nothing), kSide));
    const Contrast full{0.0, 1000.0, 1.0};
    view.channels().set_looks({{true, {255, 255, 255}, full}, {true, {255, 0, 0}, full}});
    view.channels().set_volumes(std::vector<ChannelVolume>{{1, dark}, {0, data.coarse}});
    QCOMPARE(view.channels().shown(), (std::vector<int>{0, 1}));
    QVERIFY(view.wait_until_exact(kLong));
    const int coarse = shown.wrong(shown.cast(*data.coarse, false));
    QVERIFY2(coarse >= 0 && coarse < 60, qPrintable(QString::number(coarse)));
    // Of one channel there is no part.
    MipDetail detail = *data.detail;
    detail.channels.push_back({0, detail.raycaster});
    view.rays().set_detail(std::make_shared<const MipDetail>(detail));
    QVERIFY(view.wait_until_exact(kLong));
    const int still = shown.wrong(shown.cast(*data.coarse, false));
    QVERIFY2(still >= 0 && still < 60, qPrintable(QString::number(still)));
    QVERIFY(!view.rays().shows_detail());
    // Of all, each is that of its number, whatever their order.
    Pixels<float> fine_nothing(detail.cells.size());
    detail.channels.push_back(
        {1, *MipRaycaster::build(volume_of(std::move(fine_nothing), finer_voxel(kSide, 1)))});
    view.rays().set_detail(std::make_shared<const MipDetail>(detail));
    QVERIFY(view.wait_until_exact(kLong));
    const int fine = shown.wrong(shown.cast(*data.fine, true));
    QVERIFY2(fine >= 0 && fine < 60, qPrintable(QString::number(fine)));
    QVERIFY(view.rays().shows_detail());
    // Turned, the rest is that of the overviews.
    view.navigation().set_orbit(35.0, 20.0, 1.0);
    QVERIFY(view.wait_until_exact(kLong));
    QVERIFY(!view.rays().shows_detail());
    std::vector<float> wanted = shown.cast(*data.coarse, false);
    const RayCamera to_part = camera_to(detail, view.navigation().ray_camera(), kSide);
    const auto part =
        detail.raycaster->render(to_part, view.frame().width, view.frame().height, 99);
    QVERIFY(part.ok());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      wanted[i] = std::fmax(wanted[i], part->values[i]);
    }
    const int wrong = shown.wrong(wanted);
    QVERIFY2(wrong >= 0 && wrong < 60, qPrintable(QString::number(wrong)));
  }

  void a_part_that_ends_with_the_volume_has_all_of_it() {
    // 31 rows of cells are 16 of the overview, the last of which has none behind the end.
    const MipDetail detail{nullptr, 1, Region{{0, 0, 0}, {31, 39, 47}}, {}};
    const RayCamera camera = orbit_camera(kCoarse, kSide, 20.0, 30.0, 0.8);
    QVERIFY(covers(detail, camera, kCoarse, kSide, 1.0));
    const MipDetail less{nullptr, 1, Region{{0, 0, 0}, {30, 39, 47}}, {}};
    QVERIFY(!covers(less, camera, kCoarse, kSide, 1.0));
    const MipDetail later{nullptr, 1, Region{{1, 0, 0}, {31, 39, 47}}, {}};
    QVERIFY(!covers(later, camera, kCoarse, kSide, 1.0));
  }
};

APRSCOPE_VIEW_TESTS(MipDetailTest)
#include "mip_detail_test.moc"
