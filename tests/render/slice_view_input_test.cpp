// Mouse, wheel and keys in a slice view.
#include <QSignalSpy>
#include <cmath>

#include "render/slice_box.hpp"
#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class SliceViewInputTest : public QObject {
  Q_OBJECT

 private slots:
  void click_and_drag_set_the_crosshair() {
    SliceView view(Axis::y);
    view.set_shape({20, 30, 40}, {2.0, 1.0, 1.0, "µm"});
    view.set_plane(plane_of(20, 30, 0.0F), 7);
    QVERIFY(show(view, {400, 400}));
    QSignalSpy moved(&view, &SliceView::crosshair_moved);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.to_widget(3.5, 12.5).toPoint());
    QCOMPARE(moved.count(), 1);
    QCOMPARE(moved[0][0].value<Index3>(), (Index3{3, 12, 7}));
    QCOMPARE(view.crosshair(), (Index3{3, 12, 7}));
    drag(view, Qt::LeftButton, view.to_widget(3.5, 12.5).toPoint(),
         view.to_widget(15.5, 20.5).toPoint());
    QCOMPARE(view.crosshair(), (Index3{15, 20, 7}));
    QVERIFY(moved.count() > 3);
    // Beyond the picture: its edge.
    drag(view, Qt::LeftButton, view.to_widget(15.5, 20.5).toPoint(), {399, 1});
    QCOMPARE(view.crosshair(), (Index3{0, 29, 7}));
    view.set_crosshair({1, 2, 3});
    const auto count = moved.count();
    QCOMPARE(view.crosshair(), (Index3{1, 2, 3}));
    QCOMPARE(moved.count(), count);
  }

  void keys_move_crosshair_and_slices() {
    SliceView view(Axis::z);
    view.set_shape({20, 30, 40}, {});
    view.set_plane(plane_of(30, 40, 0.0F), 5);
    view.set_crosshair({5, 10, 10});
    QVERIFY(show(view, {300, 300}));
    QSignalSpy asked(&view, &SliceView::slice_requested);
    connect(&view, &SliceView::slice_requested, &view,
            [&](std::int64_t index) { view.set_plane(plane_of(30, 40, 0.0F), index); });
    QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(view.index(), 6);
    QTest::keyClick(&view, Qt::Key_PageUp, Qt::ShiftModifier);
    QCOMPARE(view.index(), 0);
    const auto count = asked.count();
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(asked.count(), count);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.index(), 19);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.index(), 0);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.crosshair(), (Index3{5, 12, 11}));
    const double zoom = view.navigation().zoom();
    QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.navigation().zoom() > 1.2 * zoom);
    QTest::keyClick(&view, Qt::Key_F);
    QVERIFY(std::abs(view.navigation().zoom() - zoom) < 1e-9);
  }

  void a_box_is_drawn_moved_and_resized() {
    SliceView view(Axis::x);  // rows are z, columns y
    view.set_shape({20, 30, 40}, {});
    view.set_plane(plane_of(20, 40, 100.0F), 7);
    view.set_contrast({0.0, 100.0});
    view.set_crosshair({1, 7, 1});
    QVERIFY(show(view, {440, 260}));
    make_bare(view);
    const auto at = [&](double row, double col) { return view.to_widget(row, col).toPoint(); };
    QSignalSpy dragged(&view, &SliceView::box_dragged);
    QSignalSpy moved(&view, &SliceView::crosshair_moved);
    const auto box = [&] { return *view.tools().box(); };
    const auto is = [&](const Region& b) { return box().begin == b.begin && box().end == b.end; };
    // All of the image: a drag draws a rectangle; rows of x stay.
    view.tools().set_box(Region{{0, 5, 0}, {20, 9, 40}});
    drag(view, Qt::LeftButton, at(4.5, 10.5), at(11.5, 24.5));
    QVERIFY(is({{4, 5, 10}, {12, 9, 25}}));
    QVERIFY(dragged.count() > 1);
    QCOMPARE(dragged.last()[0].value<Region>().end, (Index3{12, 9, 25}));
    QCOMPARE(moved.count(), 0);
    // Inside: the whole box, as far as the image goes.
    drag(view, Qt::LeftButton, at(8.5, 17.5), at(10.5, 14.5));
    QVERIFY(is({{6, 5, 7}, {14, 9, 22}}));
    drag(view, Qt::LeftButton, at(8.5, 17.5), at(8.5, 39.5));
    QVERIFY(is({{6, 5, 25}, {14, 9, 40}}));
    // An edge, a corner, and an edge past the other one.
    drag(view, Qt::LeftButton, at(10.5, 25), at(10.5, 30));
    QVERIFY(is({{6, 5, 30}, {14, 9, 40}}));
    drag(view, Qt::LeftButton, at(14, 30), at(18, 20));
    QVERIFY(is({{6, 5, 20}, {18, 9, 40}}));
    drag(view, Qt::LeftButton, at(6, 30.5), at(20, 30.5));
    QVERIFY(is({{18, 5, 20}, {20, 9, 40}}));
    // Outside: a new one, in any direction.
    drag(view, Qt::LeftButton, at(12.5, 15.5), at(2.5, 5.5));
    QVERIFY(is({{2, 5, 5}, {13, 9, 16}}));
    QCOMPARE(moved.count(), 0);
    // What is outside is dark, where the slice is in the box; else all is.
    const auto grey = [&](double row, double col) {
      return qGray(color_at(picture_of(view), view.to_widget(row, col)).rgb());
    };
    QVERIFY(grey(8.5, 10.5) > 240);
    QVERIFY(grey(16.5, 30.5) < 160);
    view.tools().set_box(Region{{2, 8, 5}, {13, 9, 16}});
    QVERIFY(grey(8.5, 10.5) < 160);
    // A click sets the crosshair and leaves the box.
    const Region before = box();
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(8.5, 10.5));
    QCOMPARE(view.crosshair(), (Index3{8, 7, 10}));
    QVERIFY(is(before));
    // Without a box, drags move the crosshair again.
    view.tools().set_box({});
    drag(view, Qt::LeftButton, at(8.5, 10.5), at(3.5, 4.5));
    QCOMPARE(view.crosshair(), (Index3{3, 7, 4}));
    QVERIFY(grey(16.5, 30.5) > 240);
  }

  void spans_keep_a_pixel_and_stay_in_the_image() {
    QCOMPARE(span_with_edge({3, 8}, -1, 5.4, 10), (BoxSpan{5, 8}));
    QCOMPARE(span_with_edge({3, 8}, -1, 8.2, 10), (BoxSpan{7, 8}));
    QCOMPARE(span_with_edge({3, 8}, -1, 99.0, 10), (BoxSpan{8, 10}));
    QCOMPARE(span_with_edge({3, 8}, 1, 3.0, 10), (BoxSpan{3, 4}));
    QCOMPARE(span_with_edge({3, 8}, 1, -4.0, 10), (BoxSpan{0, 3}));
    QCOMPARE(span_with_edge({0, 1}, 1, -4.0, 1), (BoxSpan{0, 1}));
    QCOMPARE(span_with_edge({9, 10}, 1, 9.0, 10), (BoxSpan{9, 10}));
    QCOMPARE(moved_span({3, 8}, -7.0, 10), (BoxSpan{0, 5}));
    QCOMPARE(moved_span({3, 8}, 1.6, 10), (BoxSpan{5, 10}));
    QCOMPARE(drawn_span(-5.0, 3.2, 10), (BoxSpan{0, 4}));
    QCOMPARE(drawn_span(22.0, 9.7, 10), (BoxSpan{9, 10}));
  }

  void wheel_asks_for_slices_without_losing_steps() {
    SliceView view(Axis::z);
    view.set_shape({20, 30, 40}, {});
    view.set_plane(plane_of(30, 40, 0.0F), 10);
    QVERIFY(show(view, {300, 300}));
    QSignalSpy asked(&view, &SliceView::slice_requested);
    // Three notches before anything was answered.
    for (int i = 0; i < 3; ++i) wheel(view, {150, 150}, -1);
    QCOMPARE(asked.count(), 3);
    QCOMPARE(asked[2][0].toLongLong(), 13);
    view.set_plane(plane_of(30, 40, 0.0F), 11);  // a late answer
    wheel(view, {150, 150}, -1);
    QCOMPARE(asked[3][0].toLongLong(), 14);
    view.set_plane(plane_of(30, 40, 0.0F), 14);
    wheel(view, {150, 150}, 2);
    QCOMPARE(asked[4][0].toLongLong(), 12);
    wheel(view, {150, 150}, 100);
    QCOMPARE(asked[5][0].toLongLong(), 0);
  }

  void zoom_keeps_the_point_under_the_cursor() {
    SliceView view(Axis::z);
    make_bare(view);
    view.set_shape({1, 30, 40}, {1.0, 2.0, 1.0, "µm"});
    Plane plane = plane_of(30, 40, 0.0F);
    pixel(plane, 20, 31) = 1.0F;
    view.set_plane(plane, 0);
    QVERIFY(show(view, {400, 300}));
    const QPointF anchor = view.to_widget(20.5, 31.5);
    const double before = view.navigation().zoom();
    for (const int notches : {1, 3, -2, 4}) {
      wheel(view, anchor, notches, Qt::ControlModifier);
      const QPointF now = view.to_widget(20.5, 31.5);
      QVERIFY(std::abs(now.x() - anchor.x()) < 0.01 && std::abs(now.y() - anchor.y()) < 0.01);
      QVERIFY(distance(color_at(picture_of(view), anchor), kWhite) <= 1);
    }
    QVERIFY(view.navigation().zoom() > 2.0 * before);
    // A resized view stays where the user went; a fitted one stays fitted.
    const double zoomed = view.navigation().zoom();
    view.resize(500, 400);
    QApplication::processEvents();
    QCOMPARE(view.navigation().zoom(), zoomed);
    view.navigation().fit();
    const double fitted = view.navigation().zoom();
    view.resize(250, 200);
    QTRY_VERIFY(std::abs(view.navigation().zoom() - 0.5 * fitted) < 1e-6);
  }

  void pan_by_middle_right_and_space() {
    SliceView view(Axis::z);
    view.set_shape({1, 100, 100}, {});
    view.set_plane(plane_of(100, 100, 0.0F), 0);
    QVERIFY(show(view, {300, 300}));
    const auto moves = [&](Qt::MouseButton button) {
      const QPointF before = view.to_widget(40, 60);
      drag(view, button, {150, 150}, {180, 130});
      return view.to_widget(40, 60) - before;
    };
    for (const Qt::MouseButton button : {Qt::MiddleButton, Qt::RightButton}) {
      const QPointF by = moves(button);
      QVERIFY(std::abs(by.x() - 30) < 1e-6 && std::abs(by.y() + 20) < 1e-6);
    }
    const Index3 crosshair = view.crosshair();
    QTest::keyPress(&view, Qt::Key_Space);
    const QPointF by = moves(Qt::LeftButton);
    QTest::keyRelease(&view, Qt::Key_Space);
    QVERIFY(std::abs(by.x() - 30) < 1e-6 && std::abs(by.y() + 20) < 1e-6);
    QCOMPARE(view.crosshair(), crosshair);
    QVERIFY(moves(Qt::LeftButton).manhattanLength() < 1e-6);
    QVERIFY(view.crosshair() != crosshair);
  }

  void hovering_tells_the_voxel_and_when_it_ends() {
    SliceView view(Axis::x);
    view.set_shape({10, 5, 20}, {});
    view.set_plane(plane_of(10, 20, 0.0F), 3);
    QVERIFY(show(view, {400, 300}));
    QSignalSpy hovered(&view, &SliceView::hovered);
    QSignalSpy left(&view, &SliceView::hover_left);
    QTest::mouseMove(&view, view.to_widget(6.5, 17.5).toPoint());
    QTRY_VERIFY(hovered.count() > 0);
    QCOMPARE(hovered.last()[0].value<Index3>(), (Index3{6, 3, 17}));
    QTest::mouseMove(&view, {200, 2});  // beside the picture
    QTRY_COMPARE(left.count(), 1);
  }

  void double_click_asks_for_the_whole_window() {
    SliceView view(Axis::z);
    view.set_shape({1, 10, 10}, {});
    view.set_plane(plane_of(10, 10, 0.0F), 0);
    QVERIFY(show(view, {300, 300}));
    QSignalSpy asked(&view, &SliceView::maximise_requested);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {100, 100});
    QCOMPARE(asked.count(), 1);
  }
};

APRSCOPE_VIEW_TESTS(SliceViewInputTest)
#include "slice_view_input_test.moc"
