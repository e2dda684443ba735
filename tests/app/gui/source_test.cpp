// Channels and time points of one file are chosen with sliders.
#include <QSlider>

#include "app/gui/source_bar.hpp"
#include "core/apr/conversion.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class SourceTest : public QObject {
  Q_OBJECT

 private slots:
  void sliders_choose_channel_and_time();
  void a_channel_gets_a_contrast_of_its_own();
  void sliders_stay_long_in_a_small_window();
  void one_channel_needs_no_sliders();
  void the_recipe_knows_the_choice();
};

namespace {

// Two channels at three times; every voxel has the value 1000 · channel + 100 · time + 7.
void write_series(const QString& path) {
  std::vector<Apr> series;
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 3; ++time) {
      Volume volume;
      volume.pixels = Pixels<std::uint16_t>(
          {8, 16, 24}, static_cast<std::uint16_t>(1000 * channel + 100 * time + 7));
      auto apr = convert(volume, {});
      if (!apr) qFatal("%s", apr.error().message().c_str());
      apr->channel = channel == 0 ? "red" : "green";
      apr->channel_index = channel;
      apr->time = time;
      series.push_back(*std::move(apr));
    }
  }
  const Status written = write_apr_series(series, path.toStdString());
  if (!written) qFatal("%s", written.error().message().c_str());
}

}  // namespace

void SourceTest::sliders_choose_channel_and_time() {
  WindowFixture f;
  write_series(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  auto* channel = f.window->findChild<QSlider*>(QStringLiteral("channel_slider"));
  auto* time = f.window->findChild<QSlider*>(QStringLiteral("time_slider"));
  QVERIFY(channel->isVisible() && time->isVisible());
  QCOMPARE(channel->maximum(), 1);
  QCOMPARE(time->maximum(), 2);
  const auto shown = [&] { return f.picture(Axis::z).plane.values.front(); };
  const auto expected = [&] {
    const auto& names = f.document.current()->source->channels;
    const bool green = names[static_cast<std::size_t>(channel->value())] == "green";
    return static_cast<float>((green ? 1000 : 0) + 100 * time->value() + 7);
  };
  QCOMPARE(shown(), expected());
  time->setFocus();
  QTest::keyClick(time, Qt::Key_End);
  QTRY_COMPARE_WITH_TIMEOUT(shown(), expected(), 20000);
  QCOMPARE(time->value(), 2);
  QTest::keyClick(channel, Qt::Key_Right);
  QTRY_COMPARE_WITH_TIMEOUT(shown(), expected(), 20000);
  QCOMPARE(channel->value(), 1);
  QVERIFY(f.settle());
  // Still one entry in the list.
  QCOMPARE(f.document.items().size(), std::size_t{1});
}

void SourceTest::a_channel_gets_a_contrast_of_its_own() {
  WindowFixture f;
  write_series(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  const auto id = f.document.current()->id;
  const auto contrast = [&] { return f.document.current()->display.contrast; };
  const Contrast first = contrast();
  f.document.select(id, {1, 0});
  QVERIFY(f.settle());
  const Contrast second = contrast();
  QVERIFY(second.low > first.low + 500.0);
  // Along time the contrast stays, so that changes can be seen.
  f.document.select(id, {1, 2});
  QVERIFY(f.settle());
  QCOMPARE(contrast(), second);
  // So does one that was set by hand.
  DisplaySettings display = f.document.current()->display;
  display.contrast = {5.0, 3000.0, 0.7};
  f.document.set_display(id, display);
  f.document.select(id, {0, 2});
  QVERIFY(f.settle());
  QCOMPARE(contrast(), display.contrast);
}

void SourceTest::sliders_stay_long_in_a_small_window() {
  WindowFixture f;
  write_series(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  for (const int width : {1400, 900, 760}) {
    f.window->resize(width, 700);
    QTest::qWait(50);
    for (const char* name : {"channel_slider", "time_slider"}) {
      const auto* slider = f.window->findChild<QSlider*>(QLatin1String(name));
      QVERIFY(slider->isVisible());
      QVERIFY2(
          slider->width() >= 100,
          qPrintable(QStringLiteral("%1 in %2: %3").arg(name).arg(width).arg(slider->width())));
    }
  }
}

void SourceTest::one_channel_needs_no_sliders() {
  WindowFixture f;
  write_block_tiff(f.file("one.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("one.tif")}));
  QVERIFY(!f.window->findChild<SourceBar*>()->isVisible());
}

void SourceTest::the_recipe_knows_the_choice() {
  WindowFixture f;
  write_series(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  f.document.select(f.document.current()->id, {1, 2});
  QVERIFY(f.settle());
  f.document.apply(*complete({"box", {}}));
  QVERIFY(f.settle());
  QCOMPARE(f.document.current()->recipe.channel, 1);
  QCOMPARE(f.document.current()->recipe.time, 2);
  QCOMPARE(f.document.current()->recipe.input, f.file("series.apr").toStdString());
}

APRSCOPE_GUI_TEST_MAIN(SourceTest)
#include "source_test.moc"
