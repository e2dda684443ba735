// The surface in the 3-D view, coloured by another item of the list.
#include <QComboBox>
#include <QToolButton>
#include <cmath>

#include "app/gui/document/paint_choice.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/views/paint_link.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/threshold_line.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

template <class Value>
Volume volume_of(const Size3& size, const VoxelSize& voxel, const Value& value) {
  Pixels<float> pixels(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        pixels.at(z, x, y) = static_cast<float>(value(z, x, y));
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  return volume;
}

constexpr std::int64_t kSide = 24;
const Size3 kCube{kSide, kSide, kSide};
const VoxelSize kAngstrom{2.0, 2.0, 2.0, "Å"};

// A block from 4 to 20 along each side, with something that differs between two halves.
Volume map_half(double noise) {
  return volume_of(kCube, kAngstrom, [&](auto z, auto x, auto y) {
    const auto in = [](std::int64_t i) { return i >= 4 && i < 20; };
    const auto i = static_cast<double>((z * kSide + x) * kSide + y);
    return (in(z) && in(x) && in(y) ? 10.0 : 0.0) + noise * std::sin(i * i);
  });
}

}  // namespace

class PaintTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void another_image_of_the_same_size_colours_the_surface();
  void it_goes_where_its_item_goes_or_fits_no_more();
  void local_resolution_comes_first_and_is_told_in_angstrom();

 private:
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  QComboBox& choice() { return *find<QComboBox>("threshold_paint"); }
  MipView& mip() { return f_->window->views().mip(); }
  bool settled() { return f_->settle() && mip().wait_until_exact(std::chrono::seconds(20)); }
  std::uint64_t id_of(const char* name) {
    for (const Item& item : f_->document.items().all()) {
      if (item.name.contains(QLatin1String(name))) return item.id;
    }
    return 0;
  }
  // The surface of the block, seen along z with nothing over it.
  void show_surface() {
    mip().overlays().set_box_visible(false);
    mip().overlays().set_planes_visible(false);
    mip().overlays().set_hud_visible(false);
    mip().navigation().set_preset(MipPreset::front);
    QTest::keyClick(f_->window.get(), Qt::Key_F10);
    auto* what = find<QComboBox>("measure_choice");
    what->setFocus();
    QTest::keyClicks(what, QStringLiteral("topo"));
    QVERIFY(settled());
    QTRY_VERIFY(f_->window->measurement_view().curve().threshold().at().has_value());
    QVERIFY(settled());
    QTRY_VERIFY(mip().rays().shows_surface());
  }
  void press(Qt::Key key) {
    choice().setFocus();
    QTest::keyClick(&choice(), key);
    QVERIFY(settled());
  }
  // Of the surface at a row of the block.
  QColor color(double x) {
    const QPointF at = mip().to_widget(4.0, x, 12.0);
    const QImage shot = mip().grab().toImage();
    return shot.pixelColor((at * shot.width() / mip().width()).toPoint());
  }
  // The tint of a plain surface is red rather than blue; the colours of low values are blue, those
  // of high ones green.
  bool one_colour() {
    const int low = color(5.5).red() - color(5.5).blue();
    const int high = color(18.5).red() - color(18.5).blue();
    return low > 60 && std::abs(low - high) < 10;
  }
  bool many_colours() {
    return color(5.5).blue() > color(5.5).red() && color(18.5).green() > color(18.5).blue() + 60 &&
           color(18.5).green() > color(18.5).red();
  }

  std::unique_ptr<WindowFixture> f_;
};

void PaintTest::init() {
  f_ = std::make_unique<WindowFixture>();
  const auto write = [&](const Volume& volume, const char* name) {
    QVERIFY(write_image(volume, f_->file(name).toStdString()).ok());
  };
  write(volume_of(kCube, kAngstrom, [](auto, auto x, auto) { return x; }), "ramp.mrc");
  write(volume_of({8, kSide, kSide}, kAngstrom, [](auto, auto x, auto) { return x; }), "flat.mrc");
  write(map_half(0.0), "map.mrc");
  for (const char* name : {"ramp.mrc", "flat.mrc", "map.mrc"}) {
    QVERIFY(f_->drop({f_->file(name)}));
  }
  QCOMPARE(f_->document.items().current_id(), id_of("map"));
}

void PaintTest::cleanup() { f_.reset(); }

void PaintTest::another_image_of_the_same_size_colours_the_surface() {
  QVERIFY(!choice().isVisible());
  show_surface();
  QTRY_VERIFY(choice().isVisible());
  // What has another size is not offered, nor is the map itself.
  QCOMPARE(choice().count(), 2);
  QVERIFY(choice().itemText(1).contains(QStringLiteral("ramp")));
  QTRY_VERIFY(one_colour());
  press(Qt::Key_Down);
  QTRY_VERIFY(mip().paint().shown() != nullptr);
  QTRY_VERIFY(many_colours());
  // Limits are those on the block, not of the whole ramp.
  QCOMPARE(mip().paint().shown()->limits.low, 4.0);
  QCOMPARE(mip().paint().shown()->limits.high, 19.0);
  QVERIFY(mip().paint().shown()->unit.isEmpty());
  press(Qt::Key_Up);
  QTRY_VERIFY(mip().paint().shown() == nullptr);
  QTRY_VERIFY(one_colour());
  // Without a surface there is nothing to colour.
  QTest::mouseClick(find<QToolButton>("threshold_surface"), Qt::LeftButton);
  QTRY_VERIFY(!choice().isVisible());
}

void PaintTest::it_goes_where_its_item_goes_or_fits_no_more() {
  show_surface();
  press(Qt::Key_Down);
  QTRY_VERIFY(many_colours());
  // Of another size than what is current now.
  f_->document.items().set_current(id_of("flat"));
  QVERIFY(f_->settle());
  f_->document.items().set_current(id_of("map"));
  QVERIFY(settled());
  QTRY_VERIFY(mip().rays().shows_surface());
  QVERIFY(mip().paint().shown() == nullptr);
  QCOMPARE(choice().currentIndex(), 0);
  press(Qt::Key_Down);
  QTRY_VERIFY(many_colours());
  f_->document.edits().close(id_of("ramp"));
  QVERIFY(settled());
  QTRY_VERIFY(one_colour());
  QVERIFY(!choice().isVisible());
  // Back again it is offered, and chosen by nobody.
  f_->trigger("undo");
  QVERIFY(f_->settle());
  f_->document.items().set_current(id_of("map"));
  QVERIFY(settled());
  QTRY_VERIFY(mip().rays().shows_surface() && choice().isVisible());
  QCOMPARE(choice().currentIndex(), 0);
  QTRY_VERIFY(one_colour());
}

void PaintTest::local_resolution_comes_first_and_is_told_in_angstrom() {
  QVERIFY(write_image(map_half(1.0), f_->file("half2.mrc").toStdString()).ok());
  f_->document.runner().apply(Operation{
      "local_resolution", {{"other", f_->file("half2.mrc").toStdString()}, {"radius", 16.0}}});
  QVERIFY(f_->settle());
  const Item& made = *f_->document.items().current();
  const std::uint64_t resolution = made.id;
  QVERIFY(is_in_angstrom(made));
  QVERIFY(!is_in_angstrom(*f_->document.items().find(id_of("map"))));
  f_->document.items().set_current(made.parent);
  QVERIFY(f_->settle());
  show_surface();
  QTRY_COMPARE(choice().count(), 3);
  QCOMPARE(choice().itemData(1).toULongLong(), resolution);
  QVERIFY(choice().itemText(1).startsWith(QStringLiteral("Local resolution (map")));
  press(Qt::Key_Down);
  QTRY_VERIFY(mip().paint().shown() != nullptr);
  const SurfacePaint& paint = *mip().paint().shown();
  QCOMPARE(paint.unit, QStringLiteral("Å"));
  QVERIFY(paint.positive);
  // Nyquist is 4 Å.
  QVERIFY(paint.limits.low >= 4.0 && paint.limits.high >= paint.limits.low);
}

APRSCOPE_GUI_TESTS(PaintTest)
#include "paint_test.moc"
