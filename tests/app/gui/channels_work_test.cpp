// Channels over each other that are converted and filtered, or cannot be read.
#include <QComboBox>
#include <QToolButton>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/document/channels.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/widgets/channel_rows.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/app/gui/channels_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ChannelsWorkTest : public ChannelsFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void particles_of_a_file_lie_over_each_other();
  void channels_converted_one_by_one_lie_over_each_other();
  void one_click_converts_and_filters_all_that_are_seen();
  void channels_share_a_structure_where_that_is_chosen();
  void a_workspace_shares_the_structure_again();
  void hidden_channels_are_left_alone();
  void a_filter_is_previewed_among_the_others();
  void one_that_cannot_be_read_closes_its_eye();
};

void ChannelsWorkTest::particles_of_a_file_lie_over_each_other() {
  QVERIFY(open("two.apr"));
  QVERIFY(together());
  // Names and colours: a file of particles has no colours, so green and magenta.
  const auto* rows = f_->window->findChild<ChannelRows*>();
  QCOMPARE(rows->rows()[0].look.colour, (Rgb{0, 255, 0}));
  QCOMPARE(rows->rows()[1].look.colour, (Rgb{255, 0, 255}));
  const bool first_is_gfp = rows->rows()[0].name == QLatin1String("GFP");
  const Index3 one = first_is_gfp ? kFirst : kSecond;
  const Index3 other = first_is_gfp ? kSecond : kFirst;
  const QColor a = at(one);
  QVERIFY2(a.green() > 200 && a.red() < 60, qPrintable(a.name()));
  const QColor b = at(other);
  QVERIFY2(b.red() > 200 && b.blue() > 200 && b.green() < 60, qPrintable(b.name()));
  const QColor both = at(kBoth);
  QVERIFY2(both.red() > 200 && both.green() > 200 && both.blue() > 200, qPrintable(both.name()));
  const QColor deep = in_3d(9.5, 13.5);
  QVERIFY2(deep.red() > 200 && deep.green() > 200, qPrintable(deep.name()));
}

void ChannelsWorkTest::channels_converted_one_by_one_lie_over_each_other() {
  QVERIFY(open());
  QVERIFY(together());
  const std::uint64_t original = f_->document.items().current_id();
  QVERIFY(f_->document.runner().apply(*complete({"convert", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t first = f_->document.items().current_id();
  // The other channel is nowhere yet.
  const ChannelItems others =
      other_channels(*f_->document.items().current(), f_->document.channels());
  QVERIFY(others.items.empty());
  QCOMPARE(others.missing, QStringList(QStringLiteral("channel 2")));
  QVERIFY(f_->document.items().find(first)->is_apr());
  QVERIFY(near(kSecond, QColor(0, 26, 0), Axis::z, 8));
  QVERIFY(!f_->window->findChild<ChannelRows*>()->rows()[1].there);
  f_->document.items().set_current(original);
  f_->document.opener().select(original, {1, 0});
  QVERIFY(f_->settle());
  QVERIFY(f_->document.runner().apply(*complete({"convert", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t second = f_->document.items().current_id();
  QVERIFY(second != first);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
  QVERIFY(near(kFirst, QColor(0, 255, 0), Axis::z, 8));
  QVERIFY(distance(in_3d(9.5, 13.5), QColor(255, 255, 255)) <= 10);
  // Its name leads to the other result.
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_name_0")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().current_id(), first);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
}

void ChannelsWorkTest::one_click_converts_and_filters_all_that_are_seen() {
  QVERIFY(open());
  QVERIFY(together());
  const ItemList& items = f_->document.items();
  QVERIFY(press(QStringLiteral("convert"), QStringLiteral("convert_button")));
  QCOMPARE(items.all().size(), std::size_t{3});
  QVERIFY(other_channels(*items.current(), f_->document.channels()).missing.isEmpty());
  // That of the channel that was chosen is looked at, and the other is seen with it.
  QCOMPARE(items.current_id(), items.all()[1].id);
  QCOMPARE(items.current()->recipe.channel, 0);
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
  QVERIFY(near(kFirst, QColor(0, 255, 0), Axis::z, 8));
  QVERIFY(near(kSecond, QColor(255, 26, 255), Axis::z, 8));
  // Each is what converting its channel gives.
  for (int channel = 0; channel < 2; ++channel) {
    const Item& made = items.all()[static_cast<std::size_t>(channel) + 1];
    QCOMPARE(made.recipe.channel, channel);
    QCOMPARE(made.parent, items.all()[0].id);
    QCOMPARE(made.recipe.steps.size(), std::size_t{1});
    const auto wanted = convert(first_image(channel), {});
    QVERIFY(wanted.ok());
    QCOMPARE(made.dataset->apr().access->count(), wanted->access->count());
    const auto both = Dataset::create(Data(*wanted));
    QVERIFY(std::ranges::equal(made.dataset->values().particles(), both->values().particles()));
  }
  // A filter of the results: again both.
  QVERIFY(press(QStringLiteral("filter"), QStringLiteral("filter_apply")));
  QCOMPARE(items.all().size(), std::size_t{5});
  QCOMPARE(items.all()[4].recipe.channel, 1);
  QCOMPARE(items.all()[4].recipe.steps, items.all()[3].recipe.steps);
  QCOMPARE(items.all()[4].parent, items.all()[2].id);
  QCOMPARE(items.current_id(), items.all()[3].id);
}

void ChannelsWorkTest::channels_share_a_structure_where_that_is_chosen() {
  QVERIFY(open());
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  auto* controls = f_->window->findChild<ConvertControls*>();
  QVERIFY(controls != nullptr);
  auto* structure = qobject_cast<QComboBox*>(controls->form()->control("structure"));
  QVERIFY(structure != nullptr);
  // One channel alone has nothing to share.
  QVERIFY(!structure->isEnabled());
  QVERIFY(together());
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  auto* box = controls->findChild<AllChannelsBox*>();
  QVERIFY(box != nullptr && box->isVisible() && !box->isChecked());
  QVERIFY(!structure->isEnabled());
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  QVERIFY(structure->isEnabled());
  QTest::keyClick(structure, Qt::Key_Down);
  QCOMPARE(structure->currentIndex(), 1);
  QVERIFY(press(QStringLiteral("convert"), QStringLiteral("convert_button")));
  const ItemList& items = f_->document.items();
  QCOMPARE(items.all().size(), std::size_t{3});
  QCOMPARE(items.current_id(), items.all()[1].id);
  const Apr& first = items.all()[1].dataset->apr();
  const Apr& second = items.all()[2].dataset->apr();
  QCOMPARE(items.all()[2].recipe.channel, 1);
  // One structure in memory: at each place the finer of both.
  QVERIFY(first.access == second.access);
  const auto one = convert(first_image(0), {});
  const auto other = convert(first_image(1), {});
  QVERIFY(one.ok() && other.ok());
  QVERIFY(first.access->count() > one->access->count());
  for (std::int64_t x = 0; x < 24; ++x) {
    for (std::int64_t y = 0; y < 32; ++y) {
      const Index3 p{8, x, y};
      QCOMPARE(first.access->find(p).level,
               std::max(one->access->find(p).level, other->access->find(p).level));
    }
  }
  // Each with its own values.
  QVERIFY(near(kBoth, QColor(255, 255, 255), Axis::z, 8));
  QVERIFY(near(kFirst, QColor(0, 255, 0), Axis::z, 8));
  QVERIFY(near(kSecond, QColor(255, 26, 255), Axis::z, 8));
  // Unchecked, each has its own again, and nothing is to be chosen.
  f_->document.items().set_current(items.all()[0].id);
  QVERIFY(f_->settle());
  QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  QVERIFY(!structure->isEnabled());
  // What it made alone does not say that it shares, as a workspace or an export would believe.
  const std::size_t before = items.all().size();
  QTest::mouseClick(child<QAbstractButton>(QStringLiteral("convert_button")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(items.all().size(), before + 1);
  QCOMPARE(parameter<std::string>(items.all().back().recipe.steps.back(), "structure"),
           std::string("own"));
}

void ChannelsWorkTest::a_workspace_shares_the_structure_again() {
  QVERIFY(open());
  QVERIFY(together());
  f_->document.runner().set_to_all_channels(true);
  QVERIFY(f_->document.runner().apply(
              *complete({"convert", {{"structure", std::string("shared")}}})) != 0);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  const std::uint64_t count = f_->document.items().all()[1].dataset->apr().access->count();
  const QString path = f_->file("w.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  f_->window->open_workspace_from(path);
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{3});
  const ItemList& items = f_->document.items();
  QVERIFY(items.all()[1].dataset->apr().access == items.all()[2].dataset->apr().access);
  QCOMPARE(items.all()[1].dataset->apr().access->count(), count);
  for (const int channel : {0, 1}) {
    const Item& item = items.all()[static_cast<std::size_t>(channel) + 1];
    QCOMPARE(item.recipe.channel, channel);
    QCOMPARE(item.file_channels, items.all()[0].file_channels);
  }
  QVERIFY(items.all()[1].dataset->apr().main_field()->values !=
          items.all()[2].dataset->apr().main_field()->values);
}

void ChannelsWorkTest::hidden_channels_are_left_alone() {
  QVERIFY(open());
  // One channel alone: there is nothing to choose.
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  auto* convert = child<QAbstractButton>(QStringLiteral("convert_button"));
  auto* box = convert->parentWidget()->findChild<AllChannelsBox*>();
  QVERIFY(box != nullptr && !box->isVisible());
  QVERIFY(together());
  QVERIFY(press(QStringLiteral("convert"), QStringLiteral("convert_button")));
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  f_->document.items().set_current(f_->document.items().all()[0].id);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  QTest::mouseClick(child<QToolButton>(QStringLiteral("channel_eye_1")), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(!box->isVisible());
  QTest::mouseClick(convert, Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{4});
}

void ChannelsWorkTest::a_filter_is_previewed_among_the_others() {
  QVERIFY(open());
  QVERIFY(together());
  const auto blurred = parse_stencil_spec("gaussian:sigma=3");
  QVERIFY(blurred.ok());
  f_->document.preview().set(*blurred);
  QVERIFY(f_->settle());
  // The first channel is spread out, the second as it was.
  const QColor first = at(kFirst);
  QVERIFY2(first.green() < 200 && first.red() <= 3, qPrintable(first.name()));
  QVERIFY(at(kSecond).red() >= 252);
  f_->document.preview().clear();
  QVERIFY(f_->settle());
  QVERIFY(near(kFirst, QColor(0, 255, 0)));
}

void ChannelsWorkTest::one_that_cannot_be_read_closes_its_eye() {
  QVERIFY(open());
  std::filesystem::remove_all(f_->file("two.ome.zarr").toStdString());
  auto* button = child<QToolButton>(QStringLiteral("channels_together"));
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!child<QToolButton>(QStringLiteral("channel_eye_1"))->isChecked());
  QVERIFY(near(kBoth, QColor(0, 255, 0)));
}

APRSCOPE_GUI_TESTS(ChannelsWorkTest)
#include "channels_work_test.moc"
