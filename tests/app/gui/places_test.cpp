// Finding places: the maximum, what a projection shows, and images of one slice.
#include <QSignalSpy>

#include "app/gui/views/views_area.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class PlacesTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void a_key_goes_to_the_maximum();
  void a_click_in_the_projection_goes_to_what_is_seen();
  void an_image_of_one_slice_has_one_view();

 private:
  void open_block() {
    write_block_tiff(f_->file("block.tif"), {24, 48, 96}, bright_);
    QVERIFY(f_->drop({f_->file("block.tif")}));
  }
  // The block is 3 × 3 × 3 pixels.
  bool in_block(const Index3& p) const {
    return std::abs(p.z - bright_.z) <= 1 && std::abs(p.x - bright_.x) <= 1 &&
           std::abs(p.y - bright_.y) <= 1;
  }

  std::unique_ptr<WindowFixture> f_;
  const Index3 bright_{10, 20, 60};
};

void PlacesTest::a_key_goes_to_the_maximum() {
  open_block();
  QVERIFY(!in_block(f_->document.view().crosshair()));
  QTest::keyClick(f_->window.get(), Qt::Key_M, Qt::ControlModifier);
  QTRY_VERIFY(in_block(f_->document.view().crosshair()));
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).index, f_->document.view().crosshair().z);
  // Of particles, too.
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  f_->document.view().set_crosshair({0, 0, 0});
  QTest::keyClick(f_->window.get(), Qt::Key_M, Qt::ControlModifier);
  QTRY_VERIFY(in_block(f_->document.view().crosshair()));
  QVERIFY(f_->settle());
}

void PlacesTest::a_click_in_the_projection_goes_to_what_is_seen() {
  open_block();
  MipView& mip = f_->window->views().mip();
  f_->trigger("camera_front");
  // Nothing but the data is drawn.
  for (const char* drawn : {"show_box", "show_planes", "show_captions", "show_heads_up"}) {
    if (f_->window->action(QLatin1String(drawn))->isChecked()) f_->trigger(drawn);
  }
  QVERIFY(f_->settle());
  // Where the block is drawn.
  const QImage shot = mip.grab().toImage();
  QPointF sum(0.0, 0.0);
  int pixels = 0;
  for (int y = 0; y < shot.height(); ++y) {
    for (int x = 0; x < shot.width(); ++x) {
      if (qGray(shot.pixel(x, y)) < 250) continue;
      sum += QPointF(x + 0.5, y + 0.5);
      ++pixels;
    }
  }
  QVERIFY(pixels > 0);
  const QPoint at = (sum / pixels / shot.devicePixelRatio()).toPoint();
  QTest::mouseClick(&mip, Qt::LeftButton, Qt::NoModifier, at);
  QTRY_VERIFY(in_block(f_->document.view().crosshair()));
  // A drag turns the view and picks nothing.
  f_->document.view().set_crosshair({0, 0, 0});
  QSignalSpy picked(&mip, &MipView::picked);
  QTest::mousePress(&mip, Qt::LeftButton, Qt::NoModifier, at);
  QTest::mouseMove(&mip, at + QPoint(40, 25));
  QTest::mouseRelease(&mip, Qt::LeftButton, Qt::NoModifier, at + QPoint(40, 25));
  // Nor do two clicks, which maximise.
  QTest::mouseDClick(&mip, Qt::LeftButton, Qt::NoModifier, at);
  QTest::qWait(QApplication::doubleClickInterval() + 100);
  QCOMPARE(picked.count(), 0);
  QCOMPARE(f_->document.view().crosshair(), (Index3{0, 0, 0}));
  QVERIFY(f_->window->views().maximised() == ViewPlace::mip);
}

void PlacesTest::an_image_of_one_slice_has_one_view() {
  write_cells_tiff(f_->file("flat.tif"), {1, 60, 80});
  QVERIFY(f_->drop({f_->file("flat.tif")}));
  ViewsArea& views = f_->window->views();
  const auto shown = [&] {
    return std::array{views.slice(Axis::z).isVisible(), views.slice(Axis::x).isVisible(),
                      views.slice(Axis::y).isVisible(), views.mip().isVisible()};
  };
  QCOMPARE(shown(), (std::array{true, false, false, false}));
  QVERIFY(views.slice(Axis::z).width() > views.width() * 9 / 10);
  QVERIFY(views.slice(Axis::z).height() > views.height() * 9 / 10);
  // A stack brings the others back.
  open_block();
  QCOMPARE(shown(), (std::array{true, true, true, true}));
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(f_->settle());
  QCOMPARE(shown(), (std::array{true, false, false, false}));
}

APRSCOPE_GUI_TESTS(PlacesTest)
#include "places_test.moc"
