// Slices as thick as one likes: the maximum of several, on pixels and particles.
#include <QSpinBox>

#include "app/gui/window/status_info.hpp"
#include "core/operations/engine/registry.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{24, 32, 40};
// A bright block of side 3.
const Index3 kBright{12, 10, 30};

}  // namespace

class SlabTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void a_thick_slice_shows_what_lies_beside_it();
  void particles_too_in_every_orientation();
  void previews_and_levels_stay_thin();

 private:
  void type(int slices);
  float shown(Axis axis, std::int64_t row, std::int64_t col) {
    const Plane& plane = f_->picture(axis).plane;
    return plane.values[static_cast<std::size_t>(row * plane.cols + col)];
  }
  const Item& current() { return *f_->document.items().current(); }
  std::unique_ptr<WindowFixture> f_;
};

void SlabTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), kSize, kBright);
  QVERIFY(f_->drop({f_->file("block.tif")}));
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  // Four slices below the block.
  f_->document.view().set_crosshair({kBright.z + 5, kBright.x, kBright.y});
  QVERIFY(f_->settle());
}

void SlabTest::type(int slices) {
  auto* field = f_->window->findChild<QSpinBox*>(QStringLiteral("slab"));
  QVERIFY(field != nullptr && field->isVisible());
  field->setFocus();
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field, QString::number(slices));
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(f_->settle());
}

void SlabTest::a_thick_slice_shows_what_lies_beside_it() {
  QVERIFY(shown(Axis::z, kBright.x, kBright.y) < 200.0F);
  // Seven slices reach from 14 to 20, to the block's last one at 13 not yet; eight would not
  // either, as their middle is the sixth; nine do.
  type(7);
  QVERIFY(shown(Axis::z, kBright.x, kBright.y) < 200.0F);
  type(9);
  QCOMPARE(shown(Axis::z, kBright.x, kBright.y), 4000.0F);
  QVERIFY(shown(Axis::z, 1, 1) < 200.0F);
  QVERIFY2(f_->slice(Axis::z).overlays().caption().mode.startsWith(
               QStringLiteral("maximum of 9 slices")),
           qPrintable(f_->slice(Axis::z).overlays().caption().mode));
  // The value under the pointer is the one that is shown.
  QCOMPARE(f_->window->views().shown_value({kBright.z + 5, kBright.x, kBright.y}),
           std::optional<float>(4000.0F));
  // The wheel goes on slice by slice; at the end of the image the slab is cut.
  f_->document.view().set_crosshair({kSize.z - 1, kBright.x, kBright.y});
  QVERIFY(f_->settle());
  QVERIFY(shown(Axis::z, kBright.x, kBright.y) < 200.0F);
  type(999);
  QCOMPARE(shown(Axis::z, kBright.x, kBright.y), 4000.0F);
  type(1);
  QVERIFY(shown(Axis::z, kBright.x, kBright.y) < 200.0F);
  QVERIFY(!f_->slice(Axis::z).overlays().caption().mode.contains(QStringLiteral("maximum")));
}

void SlabTest::particles_too_in_every_orientation() {
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  QVERIFY(current().is_apr());
  f_->document.view().set_crosshair({kBright.z + 5, kBright.x + 5, kBright.y + 5});
  QVERIFY(f_->settle());
  QVERIFY(shown(Axis::x, kBright.z, kBright.y) < 1000.0F);
  QVERIFY(shown(Axis::y, kBright.z, kBright.x) < 1000.0F);
  type(11);
  QVERIFY(shown(Axis::z, kBright.x, kBright.y) > 3000.0F);
  QVERIFY(shown(Axis::x, kBright.z, kBright.y) > 3000.0F);
  QVERIFY(shown(Axis::y, kBright.z, kBright.x) > 3000.0F);
}

void SlabTest::previews_and_levels_stay_thin() {
  type(11);
  QCOMPARE(f_->picture(Axis::z).slab, std::int64_t{11});
  f_->document.preview().set(*complete({"median", {}}));
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  QCOMPARE(f_->picture(Axis::z).slab, std::int64_t{1});
  f_->document.preview().clear();
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).slab, std::int64_t{11});
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  DisplaySettings display = current().display;
  display.mode = ShowMode::level;
  f_->document.edits().set_display(current().id, display);
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).slab, std::int64_t{1});
}

APRSCOPE_GUI_TESTS(SlabTest)
#include "slab_test.moc"
