// Slices that are an overview: a finer picture over a part of them, and steps through the finer
// slices.
#include "render/slice_detail.hpp"

#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class SliceDetailTest : public QObject {
  Q_OBJECT

 private:
  static QColor seen(SliceView& view, double row, double col) {
    return color_at(picture_of(view), view.to_widget(row, col));
  }
  static void expect(SliceView& view, double row, double col, int grey) {
    const QColor colour = seen(view, row, col);
    QVERIFY2(distance(colour, QColor(grey, grey, grey)) <= 1,
             qPrintable(QStringLiteral("%1, %2: %3").arg(row).arg(col).arg(colour.name())));
  }
  // A slice of 4 × 6 pixels of value 100, and 4 × 4 finer ones over pixels (1, 2) to (2, 3): dark
  // in their left half, bright in their right one.
  static SliceDetail detail(std::int64_t index) {
    SliceDetail out;
    out.plane = plane_of(4, 4, 0.0F);
    for (std::int64_t r = 0; r < 4; ++r) {
      for (std::int64_t c = 2; c < 4; ++c) pixel(out.plane, r, c) = 255.0F;
    }
    out.row = 1.0;
    out.col = 2.0;
    out.rows = 2.0;
    out.cols = 2.0;
    out.index = index;
    return out;
  }
  static void begin(SliceView& view) {
    make_bare(view);
    view.set_shape({8, 4, 6}, {});
    view.set_contrast({0.0, 255.0, 1.0});
    view.set_plane(plane_of(4, 6, 100.0F), 3);
  }
  static void turn(SliceView& view, int notches) {
    const QPointF at = view.rect().center();
    QWheelEvent wheel(at, view.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
  }

 private slots:
  void a_finer_picture_lies_where_it_belongs() {
    SliceView view(Axis::z);
    begin(view);
    QVERIFY(show(view, {300, 200}));
    expect(view, 1.5, 2.5, 100);
    view.overlays().set_detail(detail(3));
    expect(view, 1.5, 2.5, 0);
    expect(view, 1.5, 3.5, 255);
    expect(view, 2.9, 3.1, 255);
    // Around it the slice is as it was.
    expect(view, 0.8, 2.5, 100);
    expect(view, 1.5, 1.8, 100);
    expect(view, 3.2, 3.5, 100);
    expect(view, 1.5, 4.2, 100);
    // It has the colours of the slice, and moves with it.
    view.set_contrast({0.0, 510.0, 1.0});
    expect(view, 1.5, 3.5, 128);
    view.navigation().zoom_at(2.0, QPointF(view.rect().center()));
    expect(view, 1.5, 3.5, 128);
    expect(view, 1.5, 2.5, 0);
    view.overlays().set_detail({});
    expect(view, 1.5, 3.5, 50);
  }

  void of_channels_all_are_blended() {
    SliceView view(Axis::z);
    begin(view);
    QVERIFY(show(view, {300, 200}));
    const Contrast full{0.0, 255.0, 1.0};
    view.channels().set_looks({{true, {0, 255, 0}, full}, {true, {255, 0, 255}, full}});
    view.channels().set_planes({0, {{1, plane_of(4, 6, 50.0F)}}});
    const auto looks = [&](double row, double col, const QColor& wanted) {
      const QColor colour = seen(view, row, col);
      QVERIFY2(distance(colour, wanted) <= 2,
               qPrintable(QStringLiteral("%1, %2: %3").arg(row).arg(col).arg(colour.name())));
    };
    looks(1.5, 2.5, QColor(50, 100, 50));
    // Without all channels that are seen the finer one would lie: the slice stays.
    view.overlays().set_detail(detail(3));
    looks(1.5, 2.5, QColor(50, 100, 50));
    SliceDetail both = detail(3);
    both.others.push_back({1, plane_of(4, 4, 200.0F)});
    view.overlays().set_detail(both);
    looks(1.5, 2.5, QColor(200, 0, 200));
    looks(1.5, 3.5, QColor(200, 255, 200));
    looks(0.5, 2.5, QColor(50, 100, 50));
    // One that is hidden is not missed.
    view.channels().set_looks({{true, {0, 255, 0}, full}, {false, {255, 0, 255}, full}});
    view.overlays().set_detail(detail(3));
    looks(1.5, 3.5, QColor(0, 255, 0));
    looks(0.5, 2.5, QColor(0, 100, 0));
    // Alone, the channel has the view's own colours.
    view.channels().set_planes({});
    view.overlays().set_detail(both);
    expect(view, 1.5, 3.5, 255);
  }

  void it_goes_with_its_slice() {
    SliceView view(Axis::z);
    begin(view);
    QVERIFY(show(view, {300, 200}));
    view.overlays().set_detail(detail(3));
    // The same slice anew: it stays.
    view.set_plane(plane_of(4, 6, 200.0F), 3);
    expect(view, 1.5, 2.5, 0);
    expect(view, 0.5, 2.5, 200);
    view.set_plane(plane_of(4, 6, 200.0F), 4);
    expect(view, 1.5, 2.5, 200);
    view.overlays().set_detail(detail(4));
    expect(view, 1.5, 2.5, 0);
    // Two slices side by side have no part that is finer, nor is it drawn over labels.
    view.comparison().set_second_plane(plane_of(4, 6, 50.0F));
    QVERIFY(seen(view, 1.5, 2.5) != QColor(0, 0, 0));
    view.comparison().set_second_plane({});
    expect(view, 1.5, 2.5, 0);
    view.clear();
    QVERIFY(view.overlays().detail().plane.values.empty());
  }

  void a_step_leads_to_the_next_finer_slice() {
    SliceView view(Axis::z);
    begin(view);
    QVERIFY(show(view, {300, 200}));
    QSignalSpy slices(&view, &SliceView::slice_requested);
    QSignalSpy fine(&view, &SliceView::fine_stepped);
    // Four slices in one of the view's, 30 of them in all: slice 3 stands for 12 to 15.
    view.navigation().set_fine_steps({4, 1, 30});
    QCOMPARE(view.navigation().fine_index(), 14);
    turn(view, -1);
    QCOMPARE(view.navigation().fine_index(), 15);
    QCOMPARE(fine.size(), 1);
    QCOMPARE(slices.size(), 0);
    turn(view, -1);
    QCOMPARE(fine.size(), 1);
    QCOMPARE(slices.size(), 1);
    QCOMPARE(slices[0][0].toLongLong(), 4);
    view.set_plane(plane_of(4, 6, 100.0F), 4);
    QCOMPARE(view.navigation().fine_index(), 16);
    // Keys do the same, and steps back go to the last one of the slice before.
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(slices[1][0].toLongLong(), 3);
    view.set_plane(plane_of(4, 6, 100.0F), 3);
    QCOMPARE(view.navigation().fine_index(), 15);
    // Longer steps lead to where the cells of that length begin.
    view.navigation().set_fine_steps({4, 2, 30});
    QCOMPARE(view.navigation().fine_index(), 15);
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(view.navigation().fine_index(), 12);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(slices.back()[0].toLongLong(), 7);
    view.set_plane(plane_of(4, 6, 100.0F), 7);
    QCOMPARE(view.navigation().fine_index(), 28);
    const auto asked = slices.size();
    QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(slices.size(), asked);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(slices.back()[0].toLongLong(), 0);
    view.set_plane(plane_of(4, 6, 100.0F), 0);
    QCOMPARE(view.navigation().fine_index(), 0);
    // Another slice than steps led to shows its middle.
    view.set_plane(plane_of(4, 6, 100.0F), 5);
    QCOMPARE(view.navigation().fine_index(), 22);
    // Without finer slices steps are those of the view.
    view.navigation().set_fine_steps({});
    turn(view, -1);
    QCOMPARE(slices.back()[0].toLongLong(), 6);
  }

  void quick_steps_add_up_before_a_slice_is_shown() {
    SliceView view(Axis::z);
    begin(view);
    QVERIFY(show(view, {300, 200}));
    view.navigation().set_fine_steps({4, 1, 30});
    for (int i = 0; i < 5; ++i) turn(view, -1);
    view.set_plane(plane_of(4, 6, 100.0F), 4);
    QCOMPARE(view.navigation().fine_index(), 19);
  }
};

APRSCOPE_VIEW_TESTS(SliceDetailTest)
#include "slice_detail_test.moc"
