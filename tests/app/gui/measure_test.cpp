// Measuring in the window: live, kept, exported, undone, saved.
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <cmath>

#include <qcustomplot.h>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "app/gui/window/data_list.hpp"
#include "core/base/atomic_file.hpp"
#include "tests/app/gui/measure_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class MeasureTest : public MeasureFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void the_panel_shows_what_it_measures_at_once();
  void edits_are_followed();
  void keep_makes_an_item_that_can_be_undone();
  void a_kept_measurement_leaves_data_to_filters();
  void a_recipe_leaves_data_and_what_was_measured_on_it();
  void measurements_are_nothing_to_compare();
  void what_is_measured_again_when_its_data_is_gone_comes_back();
  void it_is_exported_by_the_dialog();
  void a_workspace_measures_again();
  void topology_is_chosen_by_its_name();
  void a_filter_is_measured_before_it_is_applied();
};

void MeasureTest::the_panel_shows_what_it_measures_at_once() {
  QVERIFY(!view().isVisible());
  open_panel();
  QVERIFY(std::abs(mean() - kMean) < 1e-9);
  const Curve& curve = view().curve().curve();
  QCOMPARE(curve.ys.front().values.front(), kPixels - 27.0);
  QCOMPARE(curve.ys.front().values.back(), 27.0);
  // What is drawn: the bar of 100 is there, and between it and that of 4000 is nothing.
  CurveView& drawn = view().curve();
  const auto filled = [&](double value) {
    const QImage shot = drawn.plot().toPixmap().toImage();
    const double scale = static_cast<double>(shot.width()) / drawn.plot().width();
    const int x = static_cast<int>(drawn.plot().xAxis->coordToPixel(value) * scale);
    const int y = static_cast<int>((drawn.plot().axisRect()->bottom() - 4) * scale);
    return shot.pixelColor(x, y);
  };
  const double bar = (curve.x.values[0] + curve.x.values[1]) / 2.0;
  QVERIFY(filled(bar) != filled(2000.0));
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  // Another panel has no use for it.
  QTest::keyClick(f_->window.get(), Qt::Key_F5);
  QTRY_VERIFY(!view().isVisible());
}

void MeasureTest::edits_are_followed() {
  open_panel();
  auto* region = find<QLineEdit>("region");
  QVERIFY(region != nullptr);
  region->setFocus();
  QTest::keyClicks(region, QStringLiteral("3:6,7:10,11:14"));
  QTest::keyClick(region, Qt::Key_Return);
  QVERIFY(f_->settle());
  QTRY_COMPARE(mean(), 4000.0);
  // What is no region is said, and nothing breaks.
  QTest::keyClicks(region, QStringLiteral("x"));
  QTest::keyClick(region, Qt::Key_Return);
  auto* note = find<QLabel>("measure_note");
  QTRY_VERIFY2(note->text().contains(QStringLiteral("is not Z0:Z1")), qPrintable(note->text()));
}

void MeasureTest::keep_makes_an_item_that_can_be_undone() {
  open_panel();
  const std::uint64_t data = f_->document.items().current()->id;
  keep();
  const Item& kept = *f_->document.items().current();
  QCOMPARE(kept.parent, data);
  QCOMPARE(kept.name, QStringLiteral("Histogram and statistics"));
  QCOMPARE(kept.recipe.steps.size(), std::size_t{1});
  QVERIFY(kept.dataset == f_->document.items().find(data)->dataset);
  QVERIFY(std::abs(mean() - kMean) < 1e-9);
  // Its row is below the data, and it stays visible with any panel.
  QTest::keyClick(f_->window.get(), Qt::Key_F5);
  QVERIFY(f_->settle());
  QVERIFY(view().isVisible());
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QTRY_VERIFY(!view().isVisible());
  f_->trigger("redo");
  QVERIFY(f_->settle());
  QTRY_VERIFY(view().isVisible());
  QVERIFY(std::abs(mean() - kMean) < 1e-9);
}

void MeasureTest::a_kept_measurement_leaves_data_to_filters() {
  open_panel();
  const std::uint64_t data = f_->document.items().current()->id;
  keep();
  QVERIFY(f_->document.runner().apply(Operation{"box", {}}) != 0);
  QVERIFY(f_->settle());
  const Item& made = *f_->document.items().current();
  QVERIFY(!made.is_measurement());
  QCOMPARE(made.parent, data);
  QCOMPARE(made.recipe.steps.size(), std::size_t{1});
  QCOMPARE(made.recipe.steps.front().id, std::string("box"));
}

void MeasureTest::a_recipe_leaves_data_and_what_was_measured_on_it() {
  Recipe recipe;
  recipe.steps = {*complete({"statistics", {}}), *complete({"box", {}}),
                  *complete({"statistics", {}})};
  QVERIFY(f_->document.runner().apply(recipe) != 0);
  QVERIFY(f_->settle());
  const std::vector<Item>& items = f_->document.items().all();
  QCOMPARE(items.size(), std::size_t{4});
  const auto& before = items[0];
  const auto box = std::find_if(items.begin(), items.end(), [&](const Item& item) {
    return item.parent == before.id && !item.is_measurement();
  });
  QVERIFY(box != items.end());
  const auto measured_on = [&](std::uint64_t id) {
    return std::count_if(items.begin(), items.end(), [&](const Item& item) {
      return item.parent == id && item.is_measurement();
    });
  };
  QCOMPARE(measured_on(before.id), 1);
  QCOMPARE(measured_on(box->id), 1);
  QVERIFY(f_->document.items().current()->is_measurement());
  // One step back undoes the recipe.
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
}

void MeasureTest::measurements_are_nothing_to_compare() {
  const std::uint64_t image = f_->document.items().current()->id;
  open_panel();
  keep();
  QVERIFY(!f_->window->comparison().set_active(true).ok());
  QVERIFY(f_->document.runner().apply(Operation{"box", {}}) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t box = f_->document.items().current()->id;
  QVERIFY(f_->window->comparison().set_active(true).ok());
  QCOMPARE(f_->window->comparison().a()->id, image);
  QCOMPARE(f_->window->comparison().b()->id, box);
}

void MeasureTest::what_is_measured_again_when_its_data_is_gone_comes_back() {
  open_panel();
  const std::uint64_t image = f_->document.items().current()->id;
  keep();
  const std::uint64_t first = f_->document.items().current()->id;
  f_->document.edits().close(image);
  f_->document.items().set_current(first);
  QVERIFY(f_->settle());
  keep();
  // Neither is part of what the other was made with.
  QCOMPARE(f_->document.items().current()->recipe.steps.size(), std::size_t{1});
  const QString path = f_->file("w.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  f_->window->open_workspace_from(path);
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{2});
  for (const Item& item : f_->document.items().all()) {
    QVERIFY(item.is_measurement());
    QVERIFY(!item.source);
  }
}

void MeasureTest::it_is_exported_by_the_dialog() {
  open_panel();
  keep();
  QTest::mouseClick(find<QPushButton>("measurement_export"), Qt::LeftButton);
  auto* dialog = find<QDialog>("export_dialog");
  QTRY_VERIFY(dialog != nullptr && dialog->isVisible());
  auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  QVERIFY(path->text().endsWith(QStringLiteral(".csv")));
  path->setText(f_->file("s.csv"));
  QTest::keyClick(path, Qt::Key_Return);
  QVERIFY(f_->settle());
  const auto text = read_text(f_->file("s-statistics.csv").toStdString());
  QVERIFY(text.ok());
  QCOMPARE(QString::fromStdString(*text), QString::fromStdString(to_csv(view().table().table())));
  QVERIFY(read_text(f_->file("s-histogram.csv").toStdString()).ok());
  // It is not said to be lost when the program ends.
  QVERIFY(f_->document.items().current()->exported);
}

void MeasureTest::a_workspace_measures_again() {
  open_panel();
  keep();
  const QString path = f_->file("w.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  f_->window->open_workspace_from(path);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QTRY_VERIFY(f_->document.items().current() != nullptr &&
              f_->document.items().current()->is_measurement());
  QTRY_VERIFY(view().isVisible());
  QVERIFY(std::abs(mean() - kMean) < 1e-9);
}

void MeasureTest::topology_is_chosen_by_its_name() {
  open_panel();
  auto* choice = find<QComboBox>("measure_choice");
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("topo"));
  QVERIFY(f_->settle());
  QTRY_VERIFY(view().table().table().column("ecc") != nullptr);
  // Everything from 100 on is the box, from 4000 on the block: one piece each, of their volumes.
  const Table& table = view().table().table();
  QCOMPARE(table.rows(), std::size_t{2});
  const auto euler = std::get<std::vector<std::int64_t>>(table.column("ecc")->cells);
  QCOMPARE(euler, (std::vector<std::int64_t>{1, 1}));
  const auto volume = std::get<std::vector<double>>(table.column("volume")->cells);
  QCOMPARE(volume, (std::vector<double>{kPixels * 2.0 * 0.5 * 0.5, 27.0 * 2.0 * 0.5 * 0.5}));
  QCOMPARE(table.column("volume")->unit, std::string("µm³"));
  // Each of its curves can be chosen.
  auto* curves = find<QComboBox>("measurement_curves");
  QVERIFY(curves->isVisible());
  QCOMPARE(curves->count(), 4);
  curves->setFocus();
  QTest::keyClicks(curves, QStringLiteral("vol"));
  QTRY_COMPARE(view().curve().curve().id, std::string("volume"));
  keep();
  QCOMPARE(f_->document.items().current()->name, QStringLiteral("Topology curves"));
}

void MeasureTest::a_filter_is_measured_before_it_is_applied() {
  open_panel();
  auto* choice = find<QComboBox>("measure_choice");
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("topo"));
  QVERIFY(f_->settle());
  keep();
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{1});
  QTest::keyClick(f_->window.get(), Qt::Key_F7);
  auto* filter = find<QComboBox>("filter_choice");
  QTRY_VERIFY(filter->isVisible());
  filter->setFocus();
  QTest::keyClicks(filter, QStringLiteral("Minimum"));
  QVERIFY(f_->settle());
  // Of the block of 3³ a minimum leaves one voxel.
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{2});
  auto* curves = find<QComboBox>("measurement_curves");
  curves->setCurrentIndex(curves->findData(QStringLiteral("volume")));
  const Curve& volume = view().curve().curve();
  QCOMPARE(volume.x.values.back(), 4000.0);
  QCOMPARE(volume.ys[0].values.back(), 27.0 * 0.5);
  QCOMPARE(volume.ys[1].values.back(), 0.5);
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QTest::mouseClick(find<QCheckBox>("filter_preview"), Qt::LeftButton);
  QVERIFY(f_->settle());
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{1});
}

APRSCOPE_GUI_TESTS(MeasureTest)
#include "measure_test.moc"
