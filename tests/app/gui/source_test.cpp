// Channels and time points of one file are chosen with sliders.
#include <QCheckBox>
#include <QFile>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>

#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/data_list.hpp"
#include "app/gui/window/export_dialog.hpp"
#include "app/gui/window/source_bar.hpp"
#include "app/gui/window/time_player.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/filter/stencil_spec.hpp"
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
  void a_result_keeps_its_channel_in_a_workspace();
  void results_say_their_channel_and_time();
  void time_points_play_round_and_round();
  void keys_step_through_time();
  void a_time_point_that_cannot_be_read_ends_playing();
  void all_channels_and_time_points_are_exported();
};

// A result is written for all that its file has, not for the channel on screen alone.
void SourceTest::all_channels_and_time_points_are_exported() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  f.document.opener().select(f.document.items().current()->id, {1, 2});
  QVERIFY(f.settle());
  // The mean of values that are all the same.
  QVERIFY(f.document.runner().apply(*parse_stencil_spec("gaussian:sigma=1")) != 0);
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{2});
  f.trigger("export");
  auto* dialog = f.window->findChild<ExportDialog*>();
  QVERIFY(dialog != nullptr);
  auto* all = dialog->findChild<QCheckBox*>(QStringLiteral("export_all_parts"));
  QVERIFY(all->isVisible() && all->isEnabled());
  QCOMPARE(all->text(), QStringLiteral("all 2 channels and 3 time points"));
  if (!all->isChecked()) QTest::mouseClick(all, Qt::LeftButton, {}, QPoint(8, all->height() / 2));
  QVERIFY(all->isChecked());
  auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  path->setFocus();
  path->selectAll();
  QTest::keyClicks(path, f.file("all.apr"));
  QTest::keyClick(path, Qt::Key_Return);
  QVERIFY(f.settle());
  const auto info = inspect(f.file("all.apr").toStdString());
  QVERIFY2(info.ok(), info.ok() ? "" : info.error().message().c_str());
  QCOMPARE(info->channels.size(), std::size_t{2});
  QCOMPARE(info->times, 3);
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 3; ++time) {
      const auto part = load(*info, {channel, time});
      QVERIFY(part.ok());
      const bool green = info->channels[static_cast<std::size_t>(channel)] == "green";
      const float wanted = static_cast<float>((green ? 1000 : 0) + 100 * time + 7);
      for (const float v : std::get<Apr>(*part).main_field()->to_float()) QCOMPARE(v, wanted);
    }
  }
  // It holds more than the item, which a workspace would otherwise read from it.
  QVERIFY(f.document.items().current()->saved_as.empty());
}

void SourceTest::sliders_choose_channel_and_time() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  auto* channel = f.window->findChild<QSlider*>(QStringLiteral("channel_slider"));
  auto* time = f.window->findChild<QSlider*>(QStringLiteral("time_slider"));
  QVERIFY(channel->isVisible() && time->isVisible());
  QCOMPARE(channel->maximum(), 1);
  QCOMPARE(time->maximum(), 2);
  const auto shown = [&] { return f.picture(Axis::z).plane.values.front(); };
  const auto expected = [&] {
    const auto& names = f.document.items().current()->source->channels;
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
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
}

void SourceTest::a_channel_gets_a_contrast_of_its_own() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  const auto id = f.document.items().current()->id;
  const auto contrast = [&] { return f.document.items().current()->display.contrast; };
  const Contrast first = contrast();
  f.document.opener().select(id, {1, 0});
  QVERIFY(f.settle());
  const Contrast second = contrast();
  QVERIFY(second.low > first.low + 500.0);
  // Along time the contrast stays, so that changes can be seen.
  f.document.opener().select(id, {1, 2});
  QVERIFY(f.settle());
  QCOMPARE(contrast(), second);
  // So does one that was set by hand.
  DisplaySettings display = f.document.items().current()->display;
  display.contrast = {5.0, 3000.0, 0.7};
  f.document.edits().set_display(id, display);
  f.document.opener().select(id, {0, 2});
  QVERIFY(f.settle());
  QCOMPARE(contrast(), display.contrast);
}

void SourceTest::sliders_stay_long_in_a_small_window() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
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
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  f.document.opener().select(f.document.items().current()->id, {1, 2});
  QVERIFY(f.settle());
  f.document.runner().apply(*complete({"box", {}}));
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().current()->recipe.channel, 1);
  QCOMPARE(f.document.items().current()->recipe.time, 2);
  QCOMPARE(f.document.items().current()->recipe.input, f.file("series.apr").toStdString());
}

void SourceTest::a_result_keeps_its_channel_in_a_workspace() {
  const aprscope::test::TemporaryFolder folder;
  const QString image = QString::fromStdString((folder / "series.apr").string());
  const QString path = QString::fromStdString((folder / "w.aprscope").string());
  const QString written = QString::fromStdString((folder / "further.apr").string());
  write_series_apr(image);
  const auto first_value = [](const Item& item) {
    return item.dataset->values().particles().front();
  };
  {
    WindowFixture f;
    QVERIFY(f.drop({image}));
    const std::uint64_t original = f.document.items().current()->id;
    const float before = first_value(*f.document.items().current());
    f.document.runner().apply(*complete({"box", {}}));
    QVERIFY(f.settle());
    QCOMPARE(first_value(*f.document.items().current()), before);
    // A file is read without its parent's data.
    f.document.exporter().export_item(f.document.items().current()->id, written);
    QVERIFY(f.settle());
    f.document.items().set_current(original);
    f.document.runner().apply(*complete({"gaussian", {}}));
    QVERIFY(f.settle());
    // The original shows another channel and time by now; what was made of it stays.
    f.document.opener().select(original, {1, 2});
    QVERIFY(f.settle());
    QVERIFY(first_value(*f.document.items().find(original)) != before);
    QVERIFY(f.window->save_workspace_to(path).ok());
  }
  WindowFixture f;
  QVERIFY(f.drop({path}));
  QCOMPARE(f.document.items().all().size(), std::size_t{3});
  QCOMPARE(first_value(f.document.items().all()[0]), 1207.0F);
  for (const std::size_t i : {1U, 2U}) {
    const Item& result = f.document.items().all()[i];
    QCOMPARE(result.recipe.channel, 0);
    QCOMPARE(result.recipe.time, 0);
    const auto again = load_file(image.toStdString());
    QVERIFY(again.ok());
    QVERIFY2(std::abs(first_value(result) - 7.0F) < 1e-3F ||
                 std::abs(first_value(result) - 1007.0F) < 1e-3F,
             qPrintable(QString::number(static_cast<double>(first_value(result)))));
    QCOMPARE(first_value(result), first_value(f.document.items().all()[3 - i]));
  }
}

void SourceTest::results_say_their_channel_and_time() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  const std::uint64_t original = f.document.items().current()->id;
  f.document.opener().select(original, {1, 2});
  QVERIFY(f.settle());
  QVERIFY(f.document.runner().apply(*complete({"box", {}})) != 0);
  QVERIFY(f.settle());
  const std::uint64_t result = f.document.items().current()->id;
  // The original goes on to another; the result stays what it is.
  f.document.opener().select(original, {0, 0});
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().full_name(result),
           QStringLiteral("series › Box mean (channel 2, time point 3)"));
  QCOMPARE(f.document.items().full_name(original),
           QStringLiteral("series (channel 1, time point 1)"));
  const auto* list = f.window->findChild<DataList*>();
  QCOMPARE(list->row(result)->text(0), QStringLiteral("Box mean · channel 2, time point 3"));
  QVERIFY(f.slice(Axis::z).overlays().caption().mode.contains(
      QStringLiteral("channel 2, time point 3")));
}

void SourceTest::time_points_play_round_and_round() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  auto* play = f.window->findChild<QToolButton*>(QStringLiteral("time_play"));
  auto* rate = f.window->findChild<WholeField*>(QStringLiteral("time_rate"));
  QVERIFY(play->isVisible() && rate->isVisible());
  rate->setFocus();
  QTest::keyClick(rate, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(rate, QStringLiteral("50"));
  QTest::keyClick(rate, Qt::Key_Return);
  // In order, none left out, and again from the first; on the channel that was chosen.
  std::vector<int> seen;
  connect(&f.document.items(), &ItemList::data_changed, this, [&] {
    const SourceSelection now = f.document.items().current()->selection;
    QCOMPARE(now.channel, 0);
    if (seen.empty() || seen.back() != now.time) seen.push_back(now.time);
  });
  QTest::mouseClick(play, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(seen.size() >= 5, 30000);
  for (std::size_t i = 0; i < 5; ++i) QCOMPARE(seen[i], static_cast<int>((i + 1) % 3));
  QTest::keyClick(f.window.get(), Qt::Key_Space, Qt::ControlModifier);
  QVERIFY(!play->isChecked());
  QVERIFY(!f.window->findChild<TimePlayer*>()->plays());
  QVERIFY(f.settle());
  const int still = f.document.items().current()->selection.time;
  const auto* slider = f.window->findChild<QSlider*>(QStringLiteral("time_slider"));
  QCOMPARE(slider->value(), still);
  QCOMPARE(f.picture(Axis::z).plane.values.front(), static_cast<float>(100 * still + 7));
  const std::size_t count = seen.size();
  QTest::qWait(200);  // ten time points long
  QCOMPARE(seen.size(), count);
  // What follows has nothing to play.
  QTest::mouseClick(play, Qt::LeftButton);
  write_block_tiff(f.file("one.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("one.tif")}));
  QVERIFY(!play->isChecked());
  QVERIFY(!play->isVisible());
}

void SourceTest::keys_step_through_time() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  const auto shows = [&](int time) {
    return f.document.items().current()->selection.time == time &&
           f.picture(Axis::z).plane.values.front() == static_cast<float>(100 * time + 7);
  };
  QVERIFY(f.window->action(QStringLiteral("next_time"))->isEnabled());
  QTest::keyClick(f.window.get(), Qt::Key_Right, Qt::AltModifier);
  QTRY_VERIFY(shows(1));
  QTest::keyClick(f.window.get(), Qt::Key_Left, Qt::AltModifier);
  QTRY_VERIFY(shows(0));
  // Two presses while the first is being read are two.
  QTest::keyClick(f.window.get(), Qt::Key_Right, Qt::AltModifier);
  QTest::keyClick(f.window.get(), Qt::Key_Right, Qt::AltModifier);
  QTRY_VERIFY(shows(2));
  // It ends at the last one, and stops what plays.
  QTest::keyClick(f.window.get(), Qt::Key_Right, Qt::AltModifier);
  QVERIFY(f.settle());
  QTest::qWait(150);
  QVERIFY(shows(2));
  f.trigger("play_time");
  QVERIFY(f.window->findChild<TimePlayer*>()->plays());
  QTest::keyClick(f.window.get(), Qt::Key_Left, Qt::AltModifier);
  QVERIFY(!f.window->findChild<TimePlayer*>()->plays());
  write_block_tiff(f.file("one.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f.drop({f.file("one.tif")}));
  QVERIFY(!f.window->action(QStringLiteral("next_time"))->isEnabled());
}

void SourceTest::a_time_point_that_cannot_be_read_ends_playing() {
  WindowFixture f;
  write_series_apr(f.file("series.apr"));
  QVERIFY(f.drop({f.file("series.apr")}));
  auto* play = f.window->findChild<QToolButton*>(QStringLiteral("time_play"));
  QVERIFY(QFile::remove(f.file("series.apr")));
  QTest::mouseClick(play, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!play->isChecked(), 30000);
  QCOMPARE(f.document.items().current()->selection.time, 0);
}

APRSCOPE_GUI_TESTS(SourceTest)
#include "source_test.moc"
