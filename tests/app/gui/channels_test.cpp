// Channels of a file over each other: colours of the file, eyes, contrast, 3-D, status bar, undo,
// workspaces.
#include "app/gui/document/channels.hpp"

#include <QSlider>
#include <QToolButton>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/widgets/channel_rows.hpp"
#include "app/gui/widgets/number_field.hpp"
#include "app/gui/window/status_info.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/app/gui/channels_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ChannelsTest : public ChannelsFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void one_click_shows_all_in_the_colours_of_the_file();
  void an_eye_hides_and_shows();
  void another_colour_and_contrast_reach_slices_and_3d();
  void all_axes_show_them();
  void three_d_adds_the_projections();
  void clicks_on_matter_go_to_the_channel_that_is_seen();
  void the_status_bar_tells_all_values();
  void a_click_on_a_name_chooses_without_reading_again();
  void time_changes_all_channels_together();
  void what_is_done_can_be_undone();
  void a_workspace_remembers();
};

void ChannelsTest::one_click_shows_all_in_the_colours_of_the_file() {
  QVERIFY(open());
  // One channel alone, in grey, as before.
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
  QVERIFY(together());
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  // A tenth of the first channel's range lies everywhere.
  QVERIFY(near(kSecond, QColor(255, 26, 255)));
  QVERIFY(near(kNeither, QColor(0, 26, 0)));
  auto* rows = f_->window->findChild<ChannelRows*>();
  QVERIFY(rows->isVisible());
  QCOMPARE(rows->rows().size(), std::size_t{2});
  QCOMPARE(rows->rows()[0].name, QStringLiteral("GFP"));
  QCOMPARE(rows->rows()[1].look.colour, (Rgb{255, 0, 255}));
  QVERIFY(rows->rows()[0].chosen && !rows->rows()[1].chosen);
  // And back.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channels_together")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!rows->isVisible());
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
}

void ChannelsTest::an_eye_hides_and_shows() {
  QVERIFY(open());
  QVERIFY(together());
  auto* first = child<QToolButton>(QStringLiteral("channel_eye_0"));
  auto* second = child<QToolButton>(QStringLiteral("channel_eye_1"));
  QTest::mouseClick(second, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
  QVERIFY(near(kSecond, QColor(0, 26, 0)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 0)) <= 6);
  QTest::mouseClick(second, Qt::LeftButton);
  QTest::mouseClick(first, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 0, 255)));
  QVERIFY(near(kFirst, QColor(0, 0, 0)));
  QTest::mouseClick(second, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 0, 0)));
}

void ChannelsTest::another_colour_and_contrast_reach_slices_and_3d() {
  QVERIFY(open());
  QVERIFY(together());
  pick_colour(1, QStringLiteral("Blue"));
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 255)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 255)) <= 6);
  auto* high = child<RealField>(QStringLiteral("channel_high_1"));
  high->setFocus();
  QTest::keyClick(high, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(high, QStringLiteral("6000"));
  QTest::keyClick(high, Qt::Key_Return);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 128)));
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(0, 26, 128)) <= 6);
  auto* gamma = child<RealField>(QStringLiteral("channel_gamma_1"));
  gamma->setFocus();
  QTest::keyClick(gamma, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(gamma, QStringLiteral("2"));
  QTest::keyClick(gamma, Qt::Key_Return);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 64)));
  // By the data again: what is bright there is drawn in the full colour.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_auto_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(0, 26, 255)));
}

void ChannelsTest::all_axes_show_them() {
  QVERIFY(open());
  QVERIFY(together());
  f_->document.view().set_crosshair({2, kBoth.x, kBoth.y});
  QVERIFY(f_->settle());
  QVERIFY(near({8, kBoth.x, 9}, QColor(0, 255, 0), Axis::x));
  QVERIFY(near({8, kBoth.x, 17}, QColor(255, 26, 255), Axis::x));
  QVERIFY(near({8, 10, kBoth.y}, QColor(255, 255, 255), Axis::y));
  QVERIFY(near({8, 20, kBoth.y}, QColor(0, 26, 0), Axis::y));
}

void ChannelsTest::three_d_adds_the_projections() {
  QVERIFY(open());
  QVERIFY(together());
  QVERIFY(distance(in_3d(9.5, 9.5), QColor(0, 255, 0)) <= 6);
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(255, 255, 255)) <= 6);
  QVERIFY(distance(in_3d(9.5, 17.5), QColor(255, 26, 255)) <= 6);
  QVERIFY(distance(in_3d(20.5, 25.5), QColor(0, 26, 0)) <= 6);
}

void ChannelsTest::clicks_on_matter_go_to_the_channel_that_is_seen() {
  QVERIFY(open());
  QVERIFY(together());
  f_->trigger("show_translucent");
  MipView& mip = f_->window->views().mip();
  mip.navigation().set_preset(MipPreset::front);
  const auto click = [&](const Index3& p) {
    f_->document.view().set_crosshair({8, 2, 2});
    if (!f_->settle()) return;
    QTest::mouseClick(
        &mip, Qt::LeftButton, {},
        mip.to_widget(8.0, static_cast<double>(p.x) + 0.5, static_cast<double>(p.y) + 0.5)
            .toPoint());
  };
  const auto crosshair = [&] { return f_->document.view().crosshair(); };
  QVERIFY(f_->settle());
  QVERIFY(mip.rays().shows_matter());
  // With the first channel, which is the chosen one, hidden, there is only the second to be seen.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_0")), Qt::LeftButton);
  QVERIFY(f_->settle());
  click(kSecond);
  QTRY_COMPARE(crosshair(), (Index3{0, kSecond.x, kSecond.y}));
  click(kFirst);
  QTest::qWait(700);  // longer than a double click may take
  QCOMPARE(crosshair(), (Index3{8, 2, 2}));
}

void ChannelsTest::the_status_bar_tells_all_values() {
  QVERIFY(open());
  QVERIFY(together());
  SliceView& xy = f_->slice(Axis::z);
  StatusInfo& status = *f_->window->findChild<StatusInfo*>();
  const auto hover = [&](const Index3& p) {
    return move_pointer(
        xy, xy.to_widget(static_cast<double>(p.x) + 0.5, static_cast<double>(p.y) + 0.5).toPoint());
  };
  QVERIFY(hover(kSecond));
  QTRY_COMPARE(status.value_text(), QStringLiteral("GFP 400  ·  mCherry 3000"));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_0")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(hover(kFirst));
  QTRY_COMPARE(status.value_text(), QStringLiteral("mCherry 0"));
}

void ChannelsTest::a_click_on_a_name_chooses_without_reading_again() {
  QVERIFY(open());
  QVERIFY(together());
  // Not one byte of it is there any more: what is shown is at hand.
  std::filesystem::remove_all(f_->file("two.ome.zarr").toStdString());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_name_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  const Item& item = *f_->document.items().current();
  QCOMPARE(item.selection.channel, 1);
  QCOMPARE(item.recipe.channel, 1);
  QCOMPARE(item.dataset->probe(kSecond).value, 3000.0F);
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  QCOMPARE(child<QSlider>(QStringLiteral("channel_slider"))->value(), 1);
  QVERIFY(f_->window->findChild<ChannelRows*>()->rows()[1].chosen);
}

void ChannelsTest::time_changes_all_channels_together() {
  QVERIFY(open());
  QVERIFY(together());
  auto* time = child<QSlider>(QStringLiteral("time_slider"));
  time->setFocus();
  QTest::keyClick(time, Qt::Key_End);
  QTRY_COMPARE(f_->document.items().current()->selection.time, 1);
  // As soon as one has changed, the other has.
  const auto channels = f_->document.channels().of(*f_->document.items().current());
  QCOMPARE(channels.size(), std::size_t{2});
  QCOMPARE(channels[0].dataset->probe(kBoth).value, 2000.0F);
  QCOMPARE(channels[1].dataset->probe(kBoth).value, 1500.0F);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(128, 128, 128)));
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(128, 128, 128)) <= 6);
}

void ChannelsTest::what_is_done_can_be_undone() {
  QVERIFY(open());
  QVERIFY(together());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
  QVERIFY(child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QCOMPARE(at(kFirst).red(), at(kFirst).green());
  QVERIFY(!child<QToolButton>(QStringLiteral("channels_together"))->isChecked());
  f_->trigger("redo");
  QVERIFY(f_->settle());
  QVERIFY(near(kSecond, QColor(255, 26, 255)));
}

void ChannelsTest::a_workspace_remembers() {
  QVERIFY(open());
  QVERIFY(together());
  pick_colour(0, QStringLiteral("Yellow"));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  const QString path = f_->file("channels.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  const DisplaySettings before = f_->document.items().current()->display;
  const std::uint64_t id = f_->document.items().current_id();
  QVERIFY(f_->drop({path}));
  QVERIFY(f_->document.items().current_id() != id);
  QCOMPARE(f_->document.items().current()->display, before);
  QVERIFY(near(kBoth, QColor(255, 255, 0)));
  QVERIFY(!child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(near(kBoth, QColor(255, 255, 255)));
}

APRSCOPE_GUI_TESTS(ChannelsTest)
#include "channels_test.moc"
