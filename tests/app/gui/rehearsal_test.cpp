// Views are drawn once before there are data; that leaves no trace.
#include "app/gui/views/rehearsal.hpp"

#include <QElapsedTimer>
#include <QSignalSpy>

#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;
using namespace std::chrono_literals;

class RehearsalTest : public QObject {
  Q_OBJECT

 private slots:
  void views_are_drawn_once_before_they_are_seen();
  void data_that_come_meanwhile_are_shown();
  void it_goes_on_beside_an_image();
  void views_that_await_data_are_left_alone();
  void it_waits_while_there_is_input();
};

namespace {

std::array<VtkWidget*, 4> all_views(WindowFixture& f) {
  return {&f.slice(Axis::z), &f.slice(Axis::x), &f.slice(Axis::y), &f.window->views().mip()};
}

// The bright block is seen in the middle of each slice, and in the projection.
void verify_block_is_shown(WindowFixture& f) {
  const Index3 bright{10, 20, 60};
  write_block_tiff(f.file("block.tif"), {24, 48, 96}, bright);
  QVERIFY(f.drop({f.file("block.tif")}));
  f.document.view().set_crosshair(bright);
  QVERIFY(f.settle());
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const QImage shown = f.slice(axis).grabFramebuffer();
    const double ratio = f.slice(axis).devicePixelRatioF();
    const double row = static_cast<double>(axis == Axis::z ? bright.x : bright.z) + 0.5;
    const double col = static_cast<double>(axis == Axis::y ? bright.x : bright.y) + 0.5;
    // Beside the lines of the crosshair, which cross in the middle of the voxel.
    const QPointF at = f.slice(axis).to_widget(row - 0.3, col - 0.3) * ratio;
    QVERIFY2(shown.pixelColor(at.toPoint()).lightness() > 200, qPrintable(f.file("block.tif")));
    const QPointF dark = f.slice(axis).to_widget(row - 5.0, col - 5.0) * ratio;
    QVERIFY(shown.pixelColor(dark.toPoint()).lightness() < 100);
  }
  QVERIFY(f.window->views().mip().frame().exact);
  QCOMPARE(f.window->views().mip().frame().level_max, 7);
}

}  // namespace

void RehearsalTest::views_are_drawn_once_before_they_are_seen() {
  WindowFixture f;
  QVERIFY(!f.window->views().isVisible());
  for (const VtkWidget* view : all_views(f)) QCOMPARE(view->context_count(), 0);
  Rehearsal rehearsal(f.document, f.window->views());
  QSignalSpy ended(&rehearsal, &Rehearsal::ended);
  rehearsal.start(0ms);
  QVERIFY(ended.wait(60000));
  QVERIFY(!f.window->views().isVisible());
  for (const VtkWidget* view : all_views(f)) QCOMPARE(view->context_count(), 1);
  // Nothing is left of it: slices are empty, and so is the projection.
  const QColor background = f.theme.view_theme().background;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const QImage empty = f.slice(axis).grabFramebuffer();
    QCOMPARE(empty.pixelColor(empty.rect().center()), background);
  }
  QCOMPARE(f.window->views().mip().frame().width, 0);
  const WindowFixture fresh;
  MipView& never_drawn = fresh.window->views().mip();
  QVERIFY(f.window->views().mip().grabFramebuffer() == never_drawn.grabFramebuffer());
  verify_block_is_shown(f);
  // What was prepared is what is used.
  for (const VtkWidget* view : all_views(f)) QCOMPARE(view->context_count(), 1);
}

void RehearsalTest::data_that_come_meanwhile_are_shown() {
  WindowFixture f;
  Rehearsal rehearsal(f.document, f.window->views());
  QSignalSpy ended(&rehearsal, &Rehearsal::ended);
  rehearsal.start(0ms);
  // After the first view, and before the others.
  QTRY_COMPARE(f.slice(Axis::z).context_count(), 1);
  QCOMPARE(f.window->views().mip().context_count(), 0);
  verify_block_is_shown(f);
  QTRY_COMPARE(ended.count(), 1);
  verify_block_is_shown(f);
}

void RehearsalTest::it_goes_on_beside_an_image() {
  WindowFixture f;
  verify_block_is_shown(f);
  std::array<QImage, 4> before;
  const auto views = all_views(f);
  for (std::size_t i = 0; i < views.size(); ++i) before[i] = views[i]->grabFramebuffer();
  QCoreApplication::processEvents();
  const std::uint64_t frames = views[0]->frame_count();
  Rehearsal rehearsal(f.document, f.window->views());
  QSignalSpy ended(&rehearsal, &Rehearsal::ended);
  rehearsal.start(0ms);
  QVERIFY(ended.wait(60000));
  QTRY_VERIFY(views[0]->frame_count() > frames);
  for (std::size_t i = 0; i < views.size(); ++i) {
    QVERIFY(views[i]->grabFramebuffer() == before[i]);
  }
  // Views that are hidden behind one that is maximised.
  f.window->views().maximise(ViewPlace::mip);
  rehearsal.start(0ms);
  QVERIFY(ended.wait(60000));
  f.window->views().maximise({});
  verify_block_is_shown(f);
}

void RehearsalTest::views_that_await_data_are_left_alone() {
  WindowFixture f;
  f.window->await_data();
  QTRY_VERIFY(f.window->views().isVisible());
  QCoreApplication::processEvents();
  Rehearsal rehearsal(f.document, f.window->views());
  QSignalSpy ended(&rehearsal, &Rehearsal::ended);
  rehearsal.start(0ms);
  QTest::qWait(600);
  QCOMPARE(ended.count(), 0);
  QCOMPARE(f.window->views().mip().frame().width, 0);
  verify_block_is_shown(f);
  QVERIFY(ended.count() == 1 || ended.wait(60000));
  verify_block_is_shown(f);
}

void RehearsalTest::it_waits_while_there_is_input() {
  WindowFixture f;
  Rehearsal rehearsal(f.document, f.window->views());
  QSignalSpy ended(&rehearsal, &Rehearsal::ended);
  rehearsal.start(300ms);
  QElapsedTimer since;
  since.start();
  int keys = 0;
  // A machine that is too busy to press keys so often tells nothing.
  for (; keys < 20 && since.restart() < 250; ++keys) {
    QTest::keyClick(f.window.get(), Qt::Key_Shift);
    QTest::qWait(50);
    if (since.elapsed() < 250) QCOMPARE(f.slice(Axis::z).context_count(), 0);
  }
  if (keys < 20) QSKIP("the machine is too busy to press keys in time");
  QVERIFY(ended.wait(60000));
  QCOMPARE(f.slice(Axis::z).context_count(), 1);
}

APRSCOPE_GUI_TESTS(RehearsalTest)
#include "rehearsal_test.moc"
