// Translucent matter in the window: its depth, clicks, workspaces and movies.
#include "app/gui/panels/rays_box.hpp"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSlider>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/document/turn_export.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{24, 32, 40};
// The middles of two blocks of side 7 behind each other, seen from the front: a dim one covers a
// bright one.
constexpr Index3 kDim{5, 16, 20};
constexpr Index3 kBright{18, 16, 20};

void write_blocks(const QString& path) {
  Pixels<std::uint16_t> pixels(kSize, 100);
  for (std::int64_t z = -3; z <= 3; ++z) {
    for (std::int64_t x = -3; x <= 3; ++x) {
      for (std::int64_t y = -3; y <= 3; ++y) {
        pixels.at(kDim.z + z, kDim.x + x, kDim.y + y) = 2000;
        pixels.at(kBright.z + z, kBright.x + x, kBright.y + y) = 4000;
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {1.0, 1.0, 1.0, "µm"};
  if (!write_tiff(volume, path.toStdString())) qFatal("cannot write the test image");
}

}  // namespace

class RaysBoxTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void matter_in_front_covers_what_is_behind();
  void clicks_go_to_what_is_seen();
  void particles_and_comparisons_too();
  void it_is_in_workspaces_and_movies();

 private:
  MipView& mip() { return f_->window->views().mip(); }
  // The grey in the middle of the 3-D view, between the lines of the crosshair's planes.
  int middle(MipView& view) {
    if (!f_->settle()) return -1;
    const QImage shot = view.grab().toImage();
    const QPointF at = view.to_widget(0.0, kDim.x + 1.5, kDim.y + 1.5) * shot.devicePixelRatio();
    return shot.pixelColor(at.toPoint()).lightness();
  }
  template <class Widget>
  Widget* found(const char* name) {
    auto* const widget = f_->window->findChild<Widget*>(QLatin1String(name));
    if (widget == nullptr || !widget->isVisible()) qFatal("%s is not shown", name);
    return widget;
  }
  // Chooses by keys, as the mouse would in the list.
  void choose(Qt::Key key) {
    auto* const kind = found<QComboBox>("rays");
    kind->setFocus();
    QTest::keyClick(kind, key);
  }
  std::unique_ptr<WindowFixture> f_;
};

void RaysBoxTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_blocks(f_->file("blocks.tif"));
  QVERIFY(f_->drop({f_->file("blocks.tif")}));
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  f_->document.view().set_crosshair({0, 0, 0});
  mip().navigation().set_preset(MipPreset::front);
  DisplaySettings display = f_->document.items().current()->display;
  display.contrast = {100.0, 4000.0, 1.0};
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
}

void RaysBoxTest::matter_in_front_covers_what_is_behind() {
  auto* const depth = found<QSlider>("ray_depth");
  QVERIFY(!depth->isEnabled());
  QVERIFY(middle(mip()) > 250);
  choose(Qt::Key_Down);
  QVERIFY(depth->isEnabled());
  QVERIFY(mip().rays().shows_matter() || f_->settle());
  depth->setFocus();
  QTest::keyClick(depth, Qt::Key_Home);
  const int opaque = middle(mip());
  QVERIFY2(std::abs(opaque - 255 * 1900 / 3900) <= 2, qPrintable(QString::number(opaque)));
  // One sees deeper, at last so deep that all is dim; and the depth is told in the unit of the
  // data.
  depth->setValue(80);
  QVERIFY2(middle(mip()) > opaque + 20, qPrintable(QString::number(middle(mip()))));
  QTest::keyClick(depth, Qt::Key_End);
  QVERIFY2(middle(mip()) < opaque, qPrintable(QString::number(middle(mip()))));
  const auto* const length = found<QLabel>("ray_depth_length");
  QCOMPARE(length->text(), QStringLiteral("16 µm"));
  // The command of the menu is the same.
  QVERIFY(f_->window->findChild<QAction*>(QStringLiteral("show_translucent"))->isChecked());
  QTest::keyClick(f_->window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(found<QComboBox>("rays")->currentIndex(), 0);
  QVERIFY(!depth->isEnabled());
  QVERIFY(middle(mip()) > 250);
}

void RaysBoxTest::clicks_go_to_what_is_seen() {
  const auto click = [&] {
    if (!f_->settle()) return;
    QTest::mouseClick(&mip(), Qt::LeftButton, {},
                      mip().to_widget(0.0, kDim.x + 1.5, kDim.y + 1.5).toPoint());
  };
  const auto at = [&] { return f_->document.view().crosshair().z; };
  click();
  QTRY_COMPARE(at(), kBright.z - 3);
  f_->document.view().set_crosshair({0, 0, 0});
  f_->trigger("show_translucent");
  auto* const depth = found<QSlider>("ray_depth");
  depth->setValue(depth->minimum());
  click();
  QTRY_COMPARE(at(), kDim.z - 3);
}

void RaysBoxTest::particles_and_comparisons_too() {
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_apr());
  f_->trigger("show_translucent");
  auto* const depth = found<QSlider>("ray_depth");
  depth->setValue(depth->minimum());
  QVERIFY(mip().rays().shows_matter() || f_->settle());
  mip().navigation().set_preset(MipPreset::front);
  const int dim = middle(mip());
  QVERIFY2(dim > 80 && dim < 150, qPrintable(QString::number(dim)));
  f_->trigger("compare");
  CompareSettings settings = f_->window->comparison().settings();
  settings.place = ComparePlace::volume;
  f_->window->comparison().set_settings(settings);
  auto* const left = f_->window->findChild<MipView*>(QStringLiteral("compare_mip_left"));
  QVERIFY(f_->settle());
  QTRY_VERIFY(left->isVisible() && left->rays().shows_matter());
}

void RaysBoxTest::it_is_in_workspaces_and_movies() {
  const auto first_picture = [&](const char* name) {
    const Item& item = *f_->document.items().current();
    if (export_turn(f_->document, item, f_->file(name), 2) == 0 || !f_->settle()) {
      return QByteArray();
    }
    QFile file(f_->file(name) + QStringLiteral("/frame_0001.png"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray maximum = first_picture("maximum");
  f_->trigger("show_translucent");
  auto* const depth = found<QSlider>("ray_depth");
  depth->setValue(20);
  const double set = f_->document.view().options().depth;
  const QByteArray matter = first_picture("matter");
  QVERIFY(!maximum.isEmpty() && !matter.isEmpty() && matter != maximum);
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  f_->trigger("show_translucent");
  depth->setValue(70);
  f_->window->open_workspace_from(f_->file("w.aprscope"));
  QTRY_VERIFY(f_->document.view().options().translucent);
  QCOMPARE(f_->document.view().options().depth, set);
  QTRY_COMPARE(found<QSlider>("ray_depth")->value(), 20);
  QCOMPARE(found<QComboBox>("rays")->currentIndex(), 1);
  // A depth that is no step of the slider stays what it is.
  ViewOptions options = f_->document.view().options();
  for (const double odd : {0.0123, 3.5}) {
    options.depth = odd;
    f_->document.view().set_options(options);
    choose(Qt::Key_Up);
    choose(Qt::Key_Down);
    QCOMPARE(f_->document.view().options().depth, odd);
  }
  QCOMPARE(found<QLabel>("ray_depth_length")->text(), QStringLiteral("110 µm"));
}

APRSCOPE_GUI_TESTS(RaysBoxTest)
#include "rays_box_test.moc"
