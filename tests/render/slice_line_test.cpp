// The line in a slice: drawn, moved and written with the mouse.
#include <QSignalSpy>
#include <cmath>

#include "tests/render/slice_view_fixture.hpp"

using namespace aprscope;        // NOLINT: a test program
using namespace aprscope::test;  // NOLINT

class SliceLineTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    view_ = std::make_unique<SliceView>(Axis::z);
    view_->set_shape({5, 40, 60}, {2.0, 0.5, 0.5, "µm"});
    view_->set_plane(plane_of(40, 60, 0.0F), 2);
    QVERIFY(show(*view_, {600, 400}));
    make_bare(*view_);
    view_->tools().set_line_tool(true);
  }
  void cleanup() { view_.reset(); }

  void a_drag_draws_a_line_and_a_click_sets_the_crosshair() {
    QSignalSpy drawn(view_.get(), &SliceView::line_drawn);
    QSignalSpy moved(view_.get(), &SliceView::crosshair_moved);
    drag(*view_, Qt::LeftButton, at(10.5, 10.5), at(10.5, 50.5));
    QVERIFY(view_->tools().line().has_value());
    QVERIFY(is({{10.5, 10.5}, {10.5, 50.5}}));
    QVERIFY(drawn.count() > 1);
    QCOMPARE(moved.count(), 0);
    // Elsewhere a click sets the crosshair, and the line stays.
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, at(30.5, 20.5));
    QCOMPARE(view_->crosshair(), (Index3{2, 30, 20}));
    QVERIFY(is({{10.5, 10.5}, {10.5, 50.5}}));
    // A drag elsewhere draws another line, as far as the image goes.
    drag(*view_, Qt::LeftButton, at(30.5, 20.5), at(30.5, 20.5) + QPoint(5000, 0));
    QVERIFY(is({{30.5, 20.5}, {30.5, 60.0}}));
    QCOMPARE(moved.count(), 1);
  }

  void its_ends_and_all_of_it_are_dragged() {
    view_->tools().set_line(PlaneLine{{10.5, 10.5}, {10.5, 50.5}});
    drag(*view_, Qt::LeftButton, at(10.5, 50.5), at(25.5, 40.5));
    QVERIFY(is({{10.5, 10.5}, {25.5, 40.5}}));
    drag(*view_, Qt::LeftButton, at(10.5, 10.5), at(25.5, 10.5));
    QVERIFY(is({{25.5, 10.5}, {25.5, 40.5}}));
    // All of it, no further than the image goes.
    drag(*view_, Qt::LeftButton, at(25.5, 25.5), at(15.5, 30.5));
    QVERIFY(is({{15.5, 15.5}, {15.5, 45.5}}));
    drag(*view_, Qt::LeftButton, at(15.5, 30.5), at(15.5, 59.5));
    QVERIFY(is({{15.5, 30.0}, {15.5, 60.0}}));
    // The cursor tells what a press would take.
    QTest::mouseMove(view_.get(), at(15.5, 45.0));
    QTRY_COMPARE(view_->cursor().shape(), Qt::SizeAllCursor);
    QTest::mouseMove(view_.get(), at(15.5, 60.0));
    QTRY_COMPARE(view_->cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseMove(view_.get(), at(30.5, 30.0));
    QTRY_COMPARE(view_->cursor().shape(), Qt::CrossCursor);
  }

  void shift_holds_it_in_eight_directions() {
    const QPoint from = at(20.5, 10.5);
    const QPoint to = at(22.5, 50.5);
    QTest::mousePress(view_.get(), Qt::LeftButton, Qt::ShiftModifier, from);
    for (const QPoint& on : {(from + to) / 2, to}) {
      // QTest::mouseMove() has no modifiers.
      QMouseEvent move(QEvent::MouseMove, QPointF(on), view_->mapToGlobal(QPointF(on)),
                       Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
      QCoreApplication::sendEvent(view_.get(), &move);
    }
    QTest::mouseRelease(view_.get(), Qt::LeftButton, Qt::ShiftModifier, to);
    QVERIFY(is({{20.5, 10.5}, {20.5, 50.5}}));
  }

  void its_length_is_written_beside_it() {
    const auto yellow = [&] {
      const QImage shot = picture_of(*view_);
      int count = 0;
      // Above the line only: the text.
      const int below = at(20.5, 0.0).y() - 6;
      for (int y = 0; y < below; ++y) {
        for (int x = 0; x < shot.width(); ++x) {
          const QColor c = color_at(shot, QPointF(x, y));
          count += c.red() > 180 && c.green() > 140 && c.blue() < 90 ? 1 : 0;
        }
      }
      return count;
    };
    QCOMPARE(yellow(), 0);
    view_->tools().set_line(PlaneLine{{20.5, 10.5}, {20.5, 50.5}});
    QVERIFY2(yellow() > 20, qPrintable(QString::number(yellow())));
  }

  void a_line_longer_than_the_image_can_be_dragged() {
    view_->tools().set_line(PlaneLine{{20.5, 5.0}, {20.5, 200.0}});
    drag(*view_, Qt::LeftButton, at(20.5, 30.5), at(30.5, 20.5));
    QVERIFY(is({{30.5, 5.0}, {30.5, 200.0}}));
  }

  void a_drag_ends_with_the_tool() {
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, at(10.5, 10.5));
    QTest::mouseMove(view_.get(), at(10.5, 30.5));
    view_->tools().set_line_tool(false);
    view_->tools().set_line(std::nullopt);
    QTest::mouseMove(view_.get(), at(10.5, 50.5));
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, at(10.5, 50.5));
    QVERIFY(!view_->tools().line());
  }

  void without_the_tool_drags_are_those_of_the_crosshair() {
    view_->tools().set_line_tool(false);
    drag(*view_, Qt::LeftButton, at(10.5, 10.5), at(20.5, 50.5));
    QVERIFY(!view_->tools().line());
    QCOMPARE(view_->crosshair(), (Index3{2, 20, 50}));
  }

 private:
  [[nodiscard]] QPoint at(double row, double col) const {
    return view_->to_widget(row, col).toPoint();
  }
  // To within a pixel of the screen.
  bool is(const PlaneLine& expected) {
    const auto& line = view_->tools().line();
    if (!line) return false;
    const auto near = [](const PlanePoint& a, const PlanePoint& b) {
      return std::abs(a.row - b.row) < 0.15 && std::abs(a.col - b.col) < 0.15;
    };
    return near(line->from, expected.from) && near(line->to, expected.to);
  }

  std::unique_ptr<SliceView> view_;
};

APRSCOPE_VIEW_TESTS(SliceLineTest)
#include "slice_line_test.moc"
