// The clipping box: drawn in the slices, seen in the 3-D view; and slices in that view.
#include "app/gui/views/clip_box.hpp"

#include <QAction>
#include <QMouseEvent>
#include <QSignalSpy>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/views/volume_slices.hpp"
#include "app/gui/window/crop_dialog.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{24, 32, 40};
// A bright block of side 3, outside of the middle half of y.
const Index3 kBright{12, 16, 34};

}  // namespace

class ClipBoxTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void only_what_is_in_the_box_is_seen();
  void edges_are_dragged_in_the_slices();
  void other_drags_are_those_without_a_box();
  void a_click_in_3d_goes_to_what_is_seen();
  void comparisons_are_clipped_too();
  void a_crop_begins_with_the_box();
  void it_follows_the_data_and_the_workspace();
  void slices_stand_in_the_volume();
  void perspective_is_an_action();

 private:
  QAction& action(const char* name) {
    return *f_->window->findChild<QAction*>(QLatin1String(name));
  }
  // Pixels of the 3-D view that are as bright as the block.
  int bright_pixels() {
    if (!f_->settle()) return -1;
    const QImage shot = f_->window->views().mip().grab().toImage();
    int count = 0;
    for (int y = 0; y < shot.height(); ++y) {
      for (int x = 0; x < shot.width(); ++x) {
        const QColor c = shot.pixelColor(x, y);
        count += c.lightness() > 250 && c.saturation() < 10 ? 1 : 0;
      }
    }
    return count;
  }
  const std::optional<Region>& clip() { return f_->document.view().clip(); }
  std::unique_ptr<WindowFixture> f_;
};

void ClipBoxTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), kSize, kBright);
  QVERIFY(f_->drop({f_->file("block.tif")}));
  ViewOptions options = f_->document.view().options();
  options.box = options.planes = options.captions = false;
  f_->document.view().set_options(options);
  const Item& item = *f_->document.items().current();
  DisplaySettings display = item.display;
  display.contrast = {0.0, 4000.0, 1.0};
  display.crosshair = display.scale_bar = false;
  f_->document.edits().set_display(item.id, display);
  QVERIFY(f_->settle());
}

void ClipBoxTest::only_what_is_in_the_box_is_seen() {
  QVERIFY(bright_pixels() > 50);
  QTest::keyClick(f_->window.get(), Qt::Key_B, Qt::ControlModifier);
  QVERIFY(action("clipping_box").isChecked());
  QCOMPARE(clip(), std::optional(Region{{6, 8, 10}, {18, 24, 30}}));
  QVERIFY(bright_pixels() < 50);
  QCOMPARE(f_->slice(Axis::z).tools().box(), clip());
  f_->document.view().set_clip(Region{{6, 8, 30}, {18, 24, 40}});
  QVERIFY(bright_pixels() > 50);
  QTest::keyClick(f_->window.get(), Qt::Key_B, Qt::ControlModifier);
  QVERIFY(!clip() && !action("clipping_box").isChecked());
  QVERIFY(!f_->slice(Axis::z).tools().box());
  QVERIFY(bright_pixels() > 50);
}

void ClipBoxTest::edges_are_dragged_in_the_slices() {
  f_->trigger("clipping_box");
  QVERIFY(bright_pixels() < 50);
  // The right edge of the box in xy, to the end of the image.
  SliceView& xy = f_->slice(Axis::z);
  const QPoint from = xy.to_widget(16.0, 30.0).toPoint();
  const QPoint to = xy.to_widget(16.0, 39.0).toPoint();
  QTest::mousePress(&xy, Qt::LeftButton, {}, from);
  QTest::mouseMove(&xy, (from + to) / 2);
  QTest::mouseMove(&xy, to);
  QTest::mouseRelease(&xy, Qt::LeftButton, {}, to);
  QVERIFY(clip().has_value());
  QVERIFY2(clip()->end.y >= 38, qPrintable(QString::number(clip()->end.y)));
  QCOMPARE(clip()->begin.y, std::int64_t{10});
  QCOMPARE(f_->slice(Axis::x).tools().box(), clip());
  QVERIFY(bright_pixels() > 50);
}

void ClipBoxTest::other_drags_are_those_without_a_box() {
  f_->trigger("clipping_box");
  const std::optional<Region> before = clip();
  SliceView& xy = f_->slice(Axis::z);
  const auto drag = [&](double row, double col, double to_row, double to_col,
                        Qt::KeyboardModifiers keys = {}) {
    const QPoint from = xy.to_widget(row, col).toPoint();
    const QPoint to = xy.to_widget(to_row, to_col).toPoint();
    QTest::mousePress(&xy, Qt::LeftButton, keys, from);
    // QTest::mouseMove() has no modifiers.
    QMouseEvent move(QEvent::MouseMove, QPointF(to), xy.mapToGlobal(QPointF(to)), Qt::NoButton,
                     Qt::LeftButton, keys);
    QApplication::sendEvent(&xy, &move);
    QTest::mouseRelease(&xy, Qt::LeftButton, keys, to);
  };
  // Inside and outside: the crosshair.
  drag(12.5, 14.5, 18.5, 24.5);
  QCOMPARE(clip(), before);
  QCOMPARE(f_->document.view().crosshair().x, std::int64_t{18});
  QCOMPARE(f_->document.view().crosshair().y, std::int64_t{24});
  drag(2.5, 2.5, 4.5, 6.5);
  QCOMPARE(clip(), before);
  QCOMPARE(f_->document.view().crosshair().x, std::int64_t{4});
  // With Ctrl, all of the box.
  drag(14.5, 20.5, 16.5, 24.5, Qt::ControlModifier);
  QCOMPARE(clip(), std::optional(Region{{6, 10, 14}, {18, 26, 34}}));
  // A brush paints over it.
  f_->window->views().set_brush(true);
  QSignalSpy strokes(&xy, &SliceView::stroke);
  drag(16.5, 15.5, 20.5, 28.5);
  QCOMPARE(strokes.count(), 1);
  QCOMPARE(clip(), std::optional(Region{{6, 10, 14}, {18, 26, 34}}));
  f_->window->views().set_brush(false);
}

void ClipBoxTest::a_click_in_3d_goes_to_what_is_seen() {
  MipView& mip = f_->window->views().mip();
  mip.navigation().set_preset(MipPreset::front);
  QVERIFY(f_->settle());
  const QPoint at = mip.to_widget(kBright.z + 0.5, kBright.x + 0.5, kBright.y + 0.5).toPoint();
  // Without the slices of the block: what is behind it.
  f_->document.view().set_clip(Region{{18, 0, 0}, kSize});
  QVERIFY(f_->settle());
  QTest::mouseClick(&mip, Qt::LeftButton, {}, at);
  QTRY_COMPARE(f_->document.view().crosshair().y, kBright.y);
  QVERIFY2(f_->document.view().crosshair().z >= 18,
           qPrintable(QString::number(f_->document.view().crosshair().z)));
  QTest::qWait(QApplication::doubleClickInterval() + 50);
  f_->document.view().set_clip(std::nullopt);
  QVERIFY(f_->settle());
  QTest::mouseClick(&mip, Qt::LeftButton, {}, at);
  QTRY_VERIFY(std::abs(f_->document.view().crosshair().z - kBright.z) <= 1);
}

void ClipBoxTest::comparisons_are_clipped_too() {
  // By edges, not by the middles of pixels.
  Volume coarse, fine;
  coarse.pixels = Pixels<std::uint8_t>({10, 10, 10});
  fine.pixels = Pixels<std::uint8_t>({80, 80, 80});
  const auto a = Dataset::create(std::move(coarse));
  const auto b = Dataset::create(std::move(fine));
  const auto mapped = [&](const Region& box) { return Comparison::mapped(box, *a, *b); };
  QCOMPARE(mapped(Region{{0, 0, 0}, {10, 10, 10}}), (Region{{0, 0, 0}, {80, 80, 80}}));
  QCOMPARE(mapped(Region{{2, 0, 9}, {8, 1, 10}}), (Region{{16, 0, 72}, {64, 8, 80}}));
  QCOMPARE(Comparison::mapped(Region{{15, 16, 0}, {17, 24, 80}}, *b, *a),
           (Region{{1, 2, 0}, {3, 3, 10}}));
  QCOMPARE(Comparison::mapped(Region{{1, 2, 3}, {4, 5, 6}}, *a, *a),
           (Region{{1, 2, 3}, {4, 5, 6}}));
  // In the window: both sides.
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  f_->trigger("clipping_box");
  const std::optional<Region> box = clip();
  f_->trigger("compare");
  QVERIFY(f_->settle());
  auto* area = f_->window->findChild<CompareArea*>();
  QVERIFY(area != nullptr);
  QTest::keyClick(f_->window.get(), Qt::Key_2);
  QVERIFY(f_->settle());
  QCOMPARE(area->volumes().left().navigation().only(), box);
  QCOMPARE(area->volumes().right().navigation().only(), box);
  f_->trigger("clipping_box");
  QVERIFY(!area->volumes().left().navigation().only());
  // Bookmarks are those of the four views; perspective is of what is seen.
  QVERIFY(!action("add_bookmark").isEnabled() && !action("bookmarks_list").isEnabled());
  f_->trigger("camera_perspective");
  QVERIFY(area->volumes().leading().navigation().perspective());
  f_->trigger("compare");
  QVERIFY(action("add_bookmark").isEnabled());
  QVERIFY(!action("camera_perspective").isChecked());
}

void ClipBoxTest::a_crop_begins_with_the_box() {
  f_->trigger("clipping_box");
  f_->trigger("crop");
  auto* dialog = f_->window->findChild<CropDialog*>();
  QVERIFY(dialog != nullptr);
  QCOMPARE(dialog->box(), (Region{{6, 8, 10}, {18, 24, 30}}));
  // Both are one box while the dialog is open, and after it.
  const Region other{{2, 3, 4}, {20, 30, 40}};
  dialog->set_box(other);
  QCOMPARE(clip(), std::optional(other));
  QVERIFY(bright_pixels() > 50);
  dialog->reject();
  QCOMPARE(clip(), std::optional(other));
  QCOMPARE(f_->slice(Axis::y).tools().box(), std::optional(other));
  // Without a clipping box the box of a crop is drawn, but hides nothing.
  f_->trigger("clipping_box");
  f_->trigger("crop");
  QTRY_VERIFY((dialog = f_->window->findChild<CropDialog*>()) != nullptr && dialog->isVisible());
  dialog->set_box({{6, 8, 10}, {18, 24, 30}});
  QVERIFY(!clip() && f_->slice(Axis::y).tools().box());
  QVERIFY(bright_pixels() > 50);
  dialog->reject();
  QVERIFY(!f_->slice(Axis::y).tools().box());
}

void ClipBoxTest::it_follows_the_data_and_the_workspace() {
  f_->trigger("clipping_box");
  const std::optional<Region> box = clip();
  // Results of the same size have it, too.
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_apr());
  QCOMPARE(clip(), box);
  QVERIFY(bright_pixels() < 50);
  // Also when that is taken back.
  f_->document.view().set_crosshair({3, 4, 5});
  f_->trigger("undo");
  QCOMPARE(clip(), box);
  QCOMPARE(f_->document.view().crosshair(), (Index3{3, 4, 5}));
  f_->trigger("redo");
  QCOMPARE(clip(), box);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  f_->trigger("clipping_box");
  QVERIFY(!clip());
  f_->window->open_workspace_from(f_->file("w.aprscope"));
  QTRY_COMPARE(clip(), box);
  QVERIFY(f_->settle());
  // Data of another size lets go of it.
  write_block_tiff(f_->file("other.tif"), {20, 24, 28}, {10, 10, 10});
  QVERIFY(f_->drop({f_->file("other.tif")}));
  QVERIFY(!clip());
  QVERIFY(!f_->slice(Axis::z).tools().box());
}

void ClipBoxTest::slices_stand_in_the_volume() {
  MipView& mip = f_->window->views().mip();
  f_->document.view().set_crosshair({2, 2, 2});
  f_->trigger("show_slices_in_3d");
  QVERIFY(f_->settle());
  QVERIFY(mip.slices().shown());
  // No slice crosses the block.
  QVERIFY(bright_pixels() < 5);
  f_->document.view().set_crosshair({kBright.z, 2, 2});
  QVERIFY(bright_pixels() > 20);
  // With the 3-D view alone on screen they are still made.
  f_->window->views().maximise(ViewPlace::mip);
  f_->document.view().set_crosshair({3, 2, 2});
  QVERIFY(bright_pixels() < 5);
  f_->document.view().set_crosshair({kBright.z, 2, 2});
  QVERIFY(bright_pixels() > 20);
  // A click goes to what is seen there.
  mip.navigation().set_preset(MipPreset::front);
  QVERIFY(f_->settle());
  const QPoint at = mip.to_widget(kBright.z + 0.5, kBright.x + 0.5, kBright.y + 0.5).toPoint();
  QTest::mouseClick(&mip, Qt::LeftButton, {}, at);
  QTRY_COMPARE(f_->document.view().crosshair(), kBright);
  f_->trigger("show_slices_in_3d");
  QVERIFY(!mip.slices().shown());
  QVERIFY(bright_pixels() > 20);
}

void ClipBoxTest::perspective_is_an_action() {
  MipView& mip = f_->window->views().mip();
  QVERIFY(!mip.navigation().perspective() && !action("camera_perspective").isChecked());
  QTest::keyClick(f_->window.get(), Qt::Key_4, Qt::AltModifier);
  QVERIFY(mip.navigation().perspective());
  QVERIFY(action("camera_perspective").isChecked());
  // Whoever sets the camera, the action tells how it is.
  RayCamera camera = mip.navigation().ray_camera();
  camera.perspective = false;
  mip.navigation().set_ray_camera(camera);
  QVERIFY(!action("camera_perspective").isChecked());
}

APRSCOPE_GUI_TESTS(ClipBoxTest)
#include "clip_box_test.moc"
