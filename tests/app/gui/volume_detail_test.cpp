// Particles that do not fit into memory show an overview; where the 3-D view is zoomed in, the file
// is read at the level that the screen can show, in the real window with real events.
#include "app/gui/views/volume_detail.hpp"

#include <QWheelEvent>
#include <cmath>

#include "app/gui/document/large_files.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/registry.hpp"
#include "render/mip_detail.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kCells{64, 96, 128};
// Less than its particles take.
constexpr std::uint64_t kFewBytes = 100'000;

}  // namespace

class VolumeDetailTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void what_one_zooms_in_on_is_read_at_full_resolution();
  void in_perspective_too();
  void as_much_is_read_as_there_is_room_for();
  void only_an_overview_is_refined();

 private:
  [[nodiscard]] MipView& mip() const { return f_->window->views().mip(); }
  [[nodiscard]] VolumeDetail& feed() const { return *f_->window->findChild<VolumeDetail*>(); }
  // Zooms by notches of the wheel.
  void zoom(int notches);
  // The level on screen, of how many, as the heads-up panel tells it.
  [[nodiscard]] std::pair<int, int> level() const {
    const MipInfo& info = mip().overlays().info();
    return {mip().frame().level, mip().frame().level_max + info.finer_levels};
  }
  // Pixels of the 3-D view that differ from a projection of all particles of the file.
  int wrong();

  std::unique_ptr<WindowFixture> f_;
  std::shared_ptr<const Dataset> all_;
  QString path_;
  int finer_ = 0;
};

void VolumeDetailTest::init() {
  f_ = std::make_unique<WindowFixture>();
  f_->document.opener().large_files().set_memory(kFewBytes);
  write_cells_tiff(f_->file("cells.tif"), kCells);
  auto pixels = load_file(f_->file("cells.tif").toStdString());
  QVERIFY(pixels.ok());
  auto made = execute({{"convert", {}}}, Dataset::create(*std::move(pixels)), *cpu_backend());
  QVERIFY(made.ok());
  all_ = made->data;
  path_ = f_->file("cells.apr");
  QVERIFY(write_apr(all_->apr(), path_.toStdString(), {.with_tree = true}).ok());
  QVERIFY(f_->drop({path_}));
  const auto overview = file_level(*f_->document.items().current());
  QVERIFY(overview);
  finer_ = finest_level(kCells) - *overview;
  QCOMPARE(finer_, 3);
  // Memory that is read for the 3-D view, too.
  f_->document.opener().large_files().set_memory(std::uint64_t{1} << 30);
  ViewOptions options = f_->document.view().options();
  options.box = false;
  options.planes = false;
  f_->document.view().set_options(options);
  f_->window->views().maximise(ViewPlace::mip);
  QVERIFY(f_->settle());
}

void VolumeDetailTest::zoom(int notches) {
  for (int i = 0; i < std::abs(notches); ++i) {
    const QPointF at = mip().rect().center();
    QWheelEvent wheel(at, mip().mapToGlobal(at), {}, {0, notches > 0 ? 120 : -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&mip(), &wheel);
  }
  QVERIFY(f_->settle());
}

int VolumeDetailTest::wrong() {
  const MipFrame& frame = mip().frame();
  const auto caster = all_->raycaster();
  if (!caster.ok()) return -1;
  // The file has no voxel size of its own, nor has the overview but that of its cells.
  const auto wanted = (*caster)->render(finer_camera(mip().navigation().ray_camera(), finer_),
                                        frame.width, frame.height, 99);
  if (!wanted.ok()) return -1;
  const Contrast& contrast = f_->document.items().current()->display.contrast;
  const QImage shot = mip().grab().toImage();
  int count = 0;
  // Without the frame of what has the focus and the button in the corner.
  const QRect seen = shot.rect().adjusted(4, 40, -4, -4);
  for (int y = seen.top(); y <= seen.bottom(); ++y) {
    for (int x = seen.left(); x <= seen.right(); ++x) {
      const float v = wanted->values[static_cast<std::size_t>(y * frame.width + x)];
      if (std::isnan(v)) continue;
      const double share = (static_cast<double>(v) - contrast.low) / (contrast.high - contrast.low);
      const double grey = 255.0 * std::pow(std::clamp(share, 0.0, 1.0), 1.0 / contrast.gamma);
      if (std::abs(qGray(shot.pixel(x, y)) - grey) > 3.0) ++count;
    }
  }
  return count;
}

void VolumeDetailTest::what_one_zooms_in_on_is_read_at_full_resolution() {
  const int finest = finest_level(kCells);
  QCOMPARE(level().second, finest);
  // The whole volume is as fine as the screen, too, as there is room.
  QCOMPARE(level().first, finest);
  zoom(8);
  QVERIFY(mip().rays().shows_detail());
  QCOMPARE(level(), (std::pair{finest, finest}));
  const int other = wrong();
  QVERIFY2(other >= 0 && other < 50, qPrintable(QString::number(other)));
  // Turned, what was not in sight before is read.
  mip().navigation().set_preset(MipPreset::front);
  zoom(8);
  QVERIFY(mip().rays().shows_detail());
  const int front = wrong();
  QVERIFY2(front >= 0 && front < 50, qPrintable(QString::number(front)));
}

// Rays that part see more of what is far away.
void VolumeDetailTest::in_perspective_too() {
  const int finest = finest_level(kCells);
  f_->trigger("camera_perspective");
  QVERIFY(mip().navigation().perspective());
  QVERIFY(f_->settle());
  for (const int notches : {0, 8}) {
    zoom(notches);
    QVERIFY(mip().rays().shows_detail());
    QCOMPARE(level(), (std::pair{finest, finest}));
    const int other = wrong();
    QVERIFY2(other >= 0 && other < 50, qPrintable(QString::number(other)));
  }
}

void VolumeDetailTest::as_much_is_read_as_there_is_room_for() {
  const int finest = finest_level(kCells);
  feed().set_most_cells(kCells.count() / 100);
  mip().navigation().set_preset(MipPreset::front);
  QVERIFY(f_->settle());
  // All of it is coarse, a little of it is fine.
  QVERIFY(level().first < finest);
  zoom(14);
  QVERIFY(mip().rays().shows_detail());
  QVERIFY(level().first > finest - finer_);
  // A clipping box leaves less to read; this one begins where particles are not split.
  f_->document.view().set_clip(Region{{4, 4, 8}, {6, 6, 10}});
  QVERIFY(f_->settle());
  QCOMPARE(level().first, finest);
  QVERIFY(mip().rays().shows_detail());
  // But for the outline of the box, a line along each of its edges in sight.
  const int other = wrong();
  QVERIFY2(other >= 0 && other < 1000, qPrintable(QString::number(other)));
}

void VolumeDetailTest::only_an_overview_is_refined() {
  QVERIFY(mip().rays().detail());
  // Other data take its place, as in the views of slices.
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(!mip().rays().detail());
  QVERIFY(!feed().busy());
  QCOMPARE(mip().overlays().info().finer_levels, 0);
}

APRSCOPE_GUI_TESTS(VolumeDetailTest)
#include "volume_detail_test.moc"
