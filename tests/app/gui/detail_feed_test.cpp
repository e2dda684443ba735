// Particles that do not fit into memory show an overview; where a slice is zoomed in, the file is
// read at the level that the screen can show, in the real window with real events.
#include "app/gui/views/detail_feed.hpp"

#include <QFile>
#include <QWheelEvent>
#include <cmath>
#include <set>

#include "app/gui/document/large_files.hpp"
#include "app/gui/window/message_bar.hpp"
#include "app/gui/window/status_info.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/registry.hpp"
#include "render/screenshot.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{64, 96, 128};
// Less than its particles take.
constexpr std::uint64_t kLittle = 100'000;

}  // namespace

class DetailFeedTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void what_one_zooms_in_on_is_read_at_full_resolution();
  void the_level_follows_the_zoom();
  void the_wheel_steps_through_the_slices_of_the_file();
  void other_orientations_are_read_too();
  void slices_beside_are_there_already();
  void a_preview_hides_it();
  void a_file_that_has_gone_is_told_once();

 private:
  // Converts an image, and opens its particles as an overview.
  void open_particles(const char* image, const char* particles);
  // Zooms by notches of the wheel with Ctrl about a place in pixels of the full image.
  void zoom(Axis axis, double row, double col, int notches);
  void turn(Axis axis, int notches, Qt::KeyboardModifiers keys = Qt::NoModifier);
  [[nodiscard]] const SliceDetail& detail(Axis axis) { return f_->slice(axis).overlays().detail(); }
  // Whether what a view shows in detail is the finest level of the file in this slice.
  void expect_finest(Axis axis, std::int64_t slice);
  const Item& current() { return *f_->document.items().current(); }

  std::unique_ptr<WindowFixture> f_;
  QString path_;
  // All of the file, and pixels of the image in one of its overview.
  Pixels<float> whole_;
  std::int64_t side_ = 1;
};

void DetailFeedTest::init() {
  f_ = std::make_unique<WindowFixture>();
  f_->document.opener().large_files().set_memory(kLittle);
  write_cells_tiff(f_->file("cells.tif"), kSize);
  open_particles("cells.tif", "cells.apr");
}

void DetailFeedTest::open_particles(const char* image, const char* particles) {
  auto pixels = load_file(f_->file(image).toStdString());
  QVERIFY(pixels.ok());
  auto made = execute({{"convert", {}}}, Dataset::create(*std::move(pixels)), *cpu_backend());
  QVERIFY(made.ok());
  const Apr& apr = made->data->apr();
  path_ = f_->file(particles);
  QVERIFY(write_apr(apr, path_.toStdString(), {.with_tree = true}).ok());
  auto all = reconstruct(*apr.access, apr.main_field()->to_float(), ReconstructionMode::constant,
                         whole(apr.access->size()));
  QVERIFY(all.ok());
  whole_ = *std::move(all);
  QVERIFY(f_->drop({path_}));
  QVERIFY(file_level(current()));
  side_ = std::int64_t{1} << (finest_level(whole_.size) - *file_level(current()));
  QVERIFY(side_ >= 4);
}

void DetailFeedTest::zoom(Axis axis, double row, double col, int notches) {
  SliceView& view = f_->slice(axis);
  const auto side = static_cast<double>(side_);
  for (int i = 0; i < std::abs(notches); ++i) {
    const QPointF at = view.to_widget(row / side, col / side);
    QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, notches > 0 ? 120 : -120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
  }
  QVERIFY(f_->settle());
}

void DetailFeedTest::turn(Axis axis, int notches, Qt::KeyboardModifiers keys) {
  SliceView& view = f_->slice(axis);
  const QPointF at = view.rect().center();
  QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&view, &wheel);
  QVERIFY(f_->settle());
}

void DetailFeedTest::expect_finest(Axis axis, std::int64_t slice) {
  const SliceDetail& shown = detail(axis);
  QVERIFY(!shown.plane.values.empty());
  const auto row0 = std::llround(shown.row * static_cast<double>(side_));
  const auto col0 = std::llround(shown.col * static_cast<double>(side_));
  QCOMPARE(shown.rows * static_cast<double>(side_), static_cast<double>(shown.plane.rows));
  QCOMPARE(shown.cols * static_cast<double>(side_), static_cast<double>(shown.plane.cols));
  for (std::int64_t r = 0; r < shown.plane.rows; ++r) {
    for (std::int64_t c = 0; c < shown.plane.cols; ++c) {
      const float wanted = axis == Axis::z   ? whole_.at(slice, row0 + r, col0 + c)
                           : axis == Axis::x ? whole_.at(row0 + r, slice, col0 + c)
                                             : whole_.at(row0 + r, col0 + c, slice);
      QCOMPARE(shown.plane.values[static_cast<std::size_t>(r * shown.plane.cols + c)], wanted);
    }
  }
}

void DetailFeedTest::what_one_zooms_in_on_is_read_at_full_resolution() {
  SliceView& xy = f_->slice(Axis::z);
  f_->document.view().set_crosshair({30 / side_, 0, 0});
  QVERIFY(f_->settle());
  zoom(Axis::z, 48, 64, 14);
  const std::int64_t slice = 30 / side_ * side_ + side_ / 2;
  QCOMPARE(xy.navigation().fine_index(), slice);
  expect_finest(Axis::z, slice);
  QVERIFY2(xy.overlays().caption().mode.contains(QStringLiteral("level 7 of 7")),
           qPrintable(xy.overlays().caption().mode));
  // The picture has the values of pixels, not of the overview: at their centres.
  const QImage picture = screenshot(xy);
  const Contrast& contrast = current().display.contrast;
  int checked = 0;
  for (std::int64_t x = 40; x < 56; ++x) {
    for (std::int64_t y = 56; y < 72; ++y) {
      const QPointF at = xy.to_widget((static_cast<double>(x) + 0.5) / static_cast<double>(side_),
                                      (static_cast<double>(y) + 0.5) / static_cast<double>(side_));
      if (!xy.rect().adjusted(120, 90, -120, -90).contains(at.toPoint())) continue;
      const double grey = (static_cast<double>(whole_.at(slice, x, y)) - contrast.low) /
                          (contrast.high - contrast.low);
      const double wanted = 255.0 * std::pow(std::clamp(grey, 0.0, 1.0), 1.0 / contrast.gamma);
      const int seen = qGray(picture.pixel(at.toPoint()));
      QVERIFY2(std::abs(seen - wanted) < 3.0,
               qPrintable(QStringLiteral("%1 %2: %3 for %4").arg(x).arg(y).arg(seen).arg(wanted)));
      ++checked;
    }
  }
  QVERIFY(checked > 20);
  // The status bar tells the pixel of the file that the pointer is on, and its value.
  const QPointF on =
      xy.to_widget(50.5 / static_cast<double>(side_), 60.5 / static_cast<double>(side_));
  QTest::mouseMove(&xy, on.toPoint() - QPoint(2, 2));
  QTest::mouseMove(&xy, on.toPoint());
  auto* status = f_->window->findChild<StatusInfo*>();
  QVERIFY(status != nullptr);
  QTRY_VERIFY2(
      status->position_text().startsWith(position_words({slice, 50, 60}, AxisWords::rows_are_x)),
      qPrintable(status->position_text()));
  const QString value =
      QStringLiteral("value %1 ").arg(static_cast<double>(whole_.at(slice, 50, 60)), 0, 'g', 6);
  QVERIFY2(status->value_text().startsWith(value), qPrintable(status->value_text()));
}

void DetailFeedTest::the_level_follows_the_zoom() {
  // 1280 columns: more than the view has pixels.
  write_cells_tiff(f_->file("wide.tif"), {8, 384, 1280});
  open_particles("wide.tif", "wide.apr");
  SliceView& xy = f_->slice(Axis::z);
  const int finest = finest_level({8, 384, 1280});
  const int overview = *file_level(current());
  std::set<int> seen;
  for (int i = 0; i < 12; ++i) {
    const double cell = xy.navigation().zoom() * xy.devicePixelRatioF();
    int wanted = overview;
    // The cells of a level are at most 1.4 pixels of the screen wide, if the file has such.
    for (double side = cell; side > 1.4 && wanted < finest; side /= 2.0) ++wanted;
    seen.insert(wanted);
    const QString level = QStringLiteral("level %1 of %2").arg(wanted).arg(finest);
    const QString& mode = xy.overlays().caption().mode;
    QVERIFY2(mode.contains(level) == (wanted > overview), qPrintable(mode + " for " + level));
    const SliceDetail& shown = detail(Axis::z);
    QCOMPARE(shown.plane.values.empty(), wanted == overview);
    if (wanted > overview) {
      const double side = std::exp2(wanted - overview);
      QCOMPARE(shown.rows * side, static_cast<double>(shown.plane.rows));
    }
    zoom(Axis::z, 192, 640, 1);
  }
  QVERIFY2(seen.size() >= 2 && seen.contains(finest),
           qPrintable(QStringLiteral("%1 %2").arg(overview).arg(xy.navigation().zoom())));
  // What is out of sight is not read.
  QVERIFY(detail(Axis::z).plane.cols < 1280);
}

void DetailFeedTest::the_wheel_steps_through_the_slices_of_the_file() {
  SliceView& xy = f_->slice(Axis::z);
  f_->document.view().set_crosshair({30 / side_, 0, 0});
  QVERIFY(f_->settle());
  zoom(Axis::z, 48, 64, 14);
  const std::int64_t from = xy.navigation().fine_index();
  for (std::int64_t step = 1; step <= side_ + 1; ++step) {
    turn(Axis::z, -1);
    QCOMPARE(xy.navigation().fine_index(), from + step);
    QCOMPARE(f_->document.view().crosshair().z, (from + step) / side_);
    expect_finest(Axis::z, from + step);
  }
  QTest::keyClick(&xy, Qt::Key_Home);
  QVERIFY(f_->settle());
  expect_finest(Axis::z, 0);
  QTest::keyClick(&xy, Qt::Key_End);
  QVERIFY(f_->settle());
  expect_finest(Axis::z, kSize.z - 1);
  // What is already there is not read again: a small way, with the right button held.
  const SliceDetail before = detail(Axis::z);
  const QPoint middle = xy.rect().center();
  QTest::mousePress(&xy, Qt::RightButton, {}, middle);
  QTest::mouseMove(&xy, middle + QPoint(3, 2));
  QTest::mouseRelease(&xy, Qt::RightButton, {}, middle + QPoint(3, 2));
  QVERIFY(f_->settle());
  QCOMPARE(detail(Axis::z).row, before.row);
  QCOMPARE(detail(Axis::z).plane.rows, before.plane.rows);
}

void DetailFeedTest::other_orientations_are_read_too() {
  f_->document.view().set_crosshair({30 / side_, 50 / side_, 70 / side_});
  QVERIFY(f_->settle());
  zoom(Axis::x, 32, 64, 12);
  expect_finest(Axis::x, 50 / side_ * side_ + side_ / 2);
  zoom(Axis::y, 32, 48, 12);
  expect_finest(Axis::y, 70 / side_ * side_ + side_ / 2);
  QVERIFY(detail(Axis::z).plane.values.empty() || f_->slice(Axis::z).navigation().zoom() > 1.0);
}

// Of slices along z, the neighbours were read as well: the file is not needed for them.
void DetailFeedTest::slices_beside_are_there_already() {
  for (const Axis axis : {Axis::x, Axis::y}) {
    SliceView& view = f_->slice(axis);
    f_->document.view().set_crosshair({0, 48 / side_, 64 / side_});
    QVERIFY(f_->settle());
    zoom(axis, 32, axis == Axis::x ? 64 : 48, 14);
    const std::int64_t first = view.navigation().fine_index();
    expect_finest(axis, first);
    // Eight at a time, from a multiple of eight on.
    const bool last = first % 8 == 7;
    const QString elsewhere = f_->file("elsewhere.apr");
    QVERIFY(QFile::rename(path_, elsewhere));
    turn(axis, last ? 1 : -1);
    const std::int64_t next = view.navigation().fine_index();
    QCOMPARE(std::abs(next - first), 1);
    QCOMPARE(next / 8, first / 8);
    expect_finest(axis, next);
    QVERIFY(QFile::rename(elsewhere, path_));
  }
}

void DetailFeedTest::a_preview_hides_it() {
  f_->document.view().set_crosshair({30 / side_, 0, 0});
  QVERIFY(f_->settle());
  zoom(Axis::z, 48, 64, 14);
  QVERIFY(!detail(Axis::z).plane.values.empty());
  f_->document.preview().set(*complete({"median", {}}));
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(detail(Axis::z).plane.values.empty());
  f_->document.preview().clear();
  QVERIFY(f_->settle());
  QVERIFY(!detail(Axis::z).plane.values.empty());
  // Other data have none.
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  f_->document.opener().large_files().set_memory(UINT64_MAX);
  QVERIFY(f_->drop({f_->file("cells.apr")}));
  QVERIFY(!file_level(current()));
  zoom(Axis::z, 48, 64, 14);
  QVERIFY(detail(Axis::z).plane.values.empty());
  turn(Axis::z, -1);
  QVERIFY(f_->slice(Axis::z).navigation().fine_index() == f_->slice(Axis::z).index());
}

void DetailFeedTest::a_file_that_has_gone_is_told_once() {
  QVERIFY(QFile::remove(path_));
  // What was read before stays; another slice cannot be read.
  QVERIFY(!detail(Axis::z).plane.values.empty());
  turn(Axis::z, -1);
  QVERIFY(detail(Axis::z).plane.values.empty());
  auto* bar = f_->window->findChild<MessageBar*>();
  QVERIFY(bar != nullptr);
  QVERIFY2(bar->text().contains(QStringLiteral("cells.apr")), qPrintable(bar->text()));
  // The overview is there all the same.
  QVERIFY(!f_->picture(Axis::z).plane.values.empty());
}

APRSCOPE_GUI_TESTS(DetailFeedTest)
#include "detail_feed_test.moc"
