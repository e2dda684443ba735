// Measuring in the window: live, kept, exported, undone, saved; and the views of curves and tables.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidgetItemIterator>
#include <cmath>
#include <functional>

#include <qcustomplot.h>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "app/gui/window/data_list.hpp"
#include "core/base/atomic_file.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class MeasureTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void the_panel_shows_what_it_measures_at_once();
  void edits_are_followed();
  void keep_makes_an_item_that_can_be_undone();
  void a_kept_measurement_leaves_filters_the_data();
  void a_recipe_leaves_data_and_what_was_measured_on_it();
  void measurements_are_nothing_to_compare();
  void what_is_measured_again_when_its_data_is_gone_comes_back();
  void it_is_exported_by_the_dialog();
  void a_workspace_measures_again();
  void the_pointer_reads_the_curve();
  void topology_is_chosen_by_its_name();
  void values_on_both_sides_of_0_share_a_logarithmic_axis();
  void a_line_can_have_an_axis_of_its_own();
  void a_curve_is_saved_as_a_picture();
  void tables_are_sorted_filtered_and_copied();
  void curves_of_other_data_are_shown_beside();
  void a_filter_is_measured_before_it_is_applied();

 private:
  MeasurementView& view() { return f_->window->measurement_view(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void open_panel() {
    QTest::keyClick(f_->window.get(), Qt::Key_F10);
    QVERIFY(f_->settle());
    QTRY_VERIFY(view().isVisible());
  }
  void keep() {
    const std::size_t before = f_->document.items().all().size();
    QTest::mouseClick(find<QPushButton>("measure_keep"), Qt::LeftButton);
    QVERIFY(f_->settle());
    QCOMPARE(f_->document.items().all().size(), before + 1);
    QVERIFY(f_->document.items().current()->is_measurement());
  }
  double mean() {
    const Column* column = view().table().table().column("mean");
    return column != nullptr ? std::get<std::vector<double>>(column->cells).front() : -1.0;
  }

  std::unique_ptr<WindowFixture> f_;
};

// 8 × 16 × 24 pixels of 100, and 27 of them 4000.
constexpr double kPixels = 8.0 * 16.0 * 24.0;
constexpr double kMean = 100.0 + 27.0 * 3900.0 / kPixels;

void MeasureTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), {8, 16, 24}, {4, 8, 12});
  QVERIFY(f_->drop({f_->file("block.tif")}));
}

void MeasureTest::cleanup() { f_.reset(); }

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

void MeasureTest::a_kept_measurement_leaves_filters_the_data() {
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

void MeasureTest::the_pointer_reads_the_curve() {
  open_panel();
  CurveView& curve = view().curve();
  QTRY_VERIFY(curve.plot().axisRect()->width() > 50);
  QCPAxis& x = *curve.plot().xAxis;
  const double first = curve.curve().x.values.front();
  const double second = curve.curve().x.values.at(1);
  // In a narrow panel a bar is less than a pixel wide: the first ones are looked at from near.
  x.setRange(first, first + 20 * (second - first));
  curve.plot().replot();
  const int row = curve.plot().axisRect()->rect().center().y();
  QVERIFY(move_pointer(curve.plot(),
                       {static_cast<int>(std::lround(x.coordToPixel((first + second) / 2))), row}));
  QTRY_VERIFY2(curve.reading().contains(QStringLiteral("Grey value 100 ")) &&
                   curve.reading().contains(QStringLiteral("Pixels %1").arg(kPixels - 27.0)),
               qPrintable(curve.reading()));
  // The button changes the scale.
  QVERIFY(curve.scale() == CurveScale::logarithmic);
  QTest::mouseClick(&curve.scale_button(), Qt::LeftButton);
  QVERIFY(curve.scale() == CurveScale::linear);
  QCOMPARE(curve.plot().yAxis->range().lower, 0.0);
  QVERIFY(curve.plot().yAxis->range().upper >= kPixels - 27.0);
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

void MeasureTest::values_on_both_sides_of_0_share_a_logarithmic_axis() {
  Curve curve;
  curve.id = "signed";
  curve.label = "Signed";
  curve.x = {"x", "x", "", {0, 1, 2, 3}};
  curve.ys = {{"y", "y", "", {-10000, -1, 0, 100}}};
  curve.scale = CurveScale::logarithmic;
  CurveView shown;
  shown.resize(500, 300);
  shown.set_curve(curve);
  shown.show();
  QVERIFY(QTest::qWaitForWindowExposed(&shown));
  const QCPAxis& y = *shown.plot().yAxis;
  const auto height = [&](int point) {
    return y.coordToPixel(shown.plot().graph(0)->data()->at(point)->value);
  };
  // Every value has a height of its own, in order, and all are in sight.
  // Its numbers rise, whichever side is the larger.
  for (const bool mirrored : {false, true}) {
    for (double& v : curve.ys[0].values) v = mirrored ? -v : v;
    shown.set_curve(curve);
    shown.plot().replot(QCustomPlot::rpImmediateRefresh);
    const QVector<double> ticks = shown.plot().yAxis->tickVector();
    QVERIFY(ticks.size() >= 3 && std::is_sorted(ticks.begin(), ticks.end()));
    QCOMPARE(shown.plot().yAxis->tickVectorLabels().size(), ticks.size());
  }
  for (double& v : curve.ys[0].values) v = -v;
  shown.set_curve(curve);
  for (int i = 0; i < 3; ++i) QVERIFY(height(i) > height(i + 1) + 5.0);
  QVERIFY(height(0) < shown.plot().axisRect()->bottom());
  QVERIFY(height(3) > shown.plot().axisRect()->top());
  // A hundredth of the range is seen: linear it would be a pixel.
  QVERIFY(height(2) - height(3) > 30.0);
}

void MeasureTest::a_line_can_have_an_axis_of_its_own() {
  Curve curve;
  curve.id = "two";
  curve.label = "Two";
  curve.x = {"x", "x", "", {1, 2, 3}};
  curve.ys = {{"small", "Small", "", {0.02, 0.03, 0.05}},
              {"large", "Large", "dB", {900, 950, 990}}};
  curve.scale = CurveScale::logarithmic;
  CurveView shown;
  shown.resize(500, 200);
  shown.set_right({"large"});
  shown.set_curve(curve);
  shown.show();
  QVERIFY(QTest::qWaitForWindowExposed(&shown));
  QCustomPlot& plot = shown.plot();
  QVERIFY(plot.yAxis2->visible());
  QCOMPARE(plot.yAxis2->label(), QStringLiteral("Large / dB"));
  QCOMPARE(plot.yAxis->label(), QStringLiteral("Small"));
  // Each fills the height with its own values, as they are.
  QVERIFY(plot.yAxis->range().upper < 1.0 && plot.yAxis->range().lower > 0.0);
  QVERIFY(plot.yAxis2->range().lower > 800.0 && plot.yAxis2->range().upper < 1100.0);
  QCOMPARE(plot.graph(1)->data()->at(1)->value, 950.0);
  // Less than a decade has numbers, too.
  plot.replot(QCustomPlot::rpImmediateRefresh);
  QVERIFY(!plot.yAxis->tickVector().isEmpty());
  shown.set_right({});
  shown.set_curve(curve);
  QVERIFY(!plot.yAxis2->visible());
  QVERIFY(plot.yAxis->range().upper > 990.0);
}

void MeasureTest::a_curve_is_saved_as_a_picture() {
  open_panel();
  CurveView& curve = view().curve();
  const QString png = f_->file("curve.png");
  // From the menu of the plot, into the dialog's field: both run loops of their own.
  bool asked = false;
  const auto again = [&](const std::function<void()>& work) {
    QTimer::singleShot(50, f_->window.get(), work);
  };
  const std::function<void()> answer = [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) {
      again(answer);
      return;
    }
    asked = true;
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(png);
    QTest::keyClick(name, Qt::Key_Return);
  };
  const std::function<void()> choose = [&] {
    QWidget* menu = QApplication::activePopupWidget();
    if (menu == nullptr) {
      again(choose);
      return;
    }
    again(answer);
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
  };
  again(choose);
  // As the window system asks for one.
  const QPoint middle = curve.plot().rect().center();
  QContextMenuEvent event(QContextMenuEvent::Mouse, middle, curve.plot().mapToGlobal(middle));
  QApplication::sendEvent(&curve.plot(), &event);
  QTRY_VERIFY(asked);
  QTRY_VERIFY(QFileInfo::exists(png));
  const QImage picture(png);
  QCOMPARE(picture.size(), 2 * curve.plot().size());
  // The first curve's colour is in it.
  const QColor line = curve.plot().graph(0)->pen().color();
  bool drawn = false;
  for (int y = 0; y < picture.height() && !drawn; ++y) {
    for (int x = 0; x < picture.width() && !drawn; ++x) drawn = picture.pixelColor(x, y) == line;
  }
  QVERIFY(drawn);
  const auto begins = [&](const char* file, const char* with) {
    QFile in(f_->file(file));
    return curve.write_picture(f_->file(file)).ok() && in.open(QIODevice::ReadOnly) &&
           in.readAll().left(200).contains(with);
  };
  QVERIFY(begins("curve.svg", "<svg"));
  QVERIFY(begins("curve.pdf", "%PDF"));
  QVERIFY(!curve.plot().legend->visible());
  const Status text = curve.write_picture(f_->file("curve.txt"));
  QVERIFY(!text && text.error().message().find(".svg") != std::string::npos);
  QVERIFY(!curve.write_picture(f_->file("missing/curve.png")));
}

void MeasureTest::tables_are_sorted_filtered_and_copied() {
  Table table{"cells", "Cells", {}};
  std::vector<std::string> names;
  std::vector<double> volumes;
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 40; ++i) {
    names.push_back("cell " + std::to_string(i));
    volumes.push_back(i == 7 ? std::nan("") : 0.5 * ((i * 17) % 40));
    numbers.push_back(i);
  }
  table.columns = {{"name", "Name", "", names},
                   {"volume", "Volume", "µm³", volumes},
                   {"number", "Number", "", numbers}};
  TableView shown;
  shown.resize(400, 300);
  shown.set_table(table);
  shown.show();
  QVERIFY(QTest::qWaitForWindowExposed(&shown));
  QTableView& view = shown.view();
  const auto text = [&](int row, int column) {
    return view.model()->index(row, column).data().toString();
  };
  QCOMPARE(text(0, 0), QStringLiteral("cell 0"));
  // A click on a head sorts by numbers, not by their digits.
  QHeaderView* head = view.horizontalHeader();
  const auto click_head = [&](int column) {
    const int x = head->sectionViewportPosition(column) + head->sectionSize(column) / 2;
    QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, QPoint(x, head->height() / 2));
  };
  // What is not known comes last.
  click_head(1);
  QTRY_COMPARE(text(39, 0), QStringLiteral("cell 7"));
  for (int row = 0; row + 2 < 40; ++row)
    QVERIFY(text(row, 1).toDouble() <= text(row + 1, 1).toDouble());
  click_head(2);
  click_head(2);
  QTRY_COMPARE(text(0, 2), QStringLiteral("39"));
  QCOMPARE(text(30, 2), QStringLiteral("9"));
  // Only rows with these words.
  QTest::keyClicks(&shown.filter(), QStringLiteral("CELL 3"));
  QTRY_COMPARE(view.model()->rowCount(), 11);  // 3, 30 … 39
  // A row that is clicked is told by its place in the table.
  QSignalSpy chosen(&shown, &TableView::row_chosen);
  const QRect cell = view.visualRect(view.model()->index(1, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell.center());
  QCOMPARE(chosen.last().at(0).value<std::size_t>(), std::size_t{38});
  view.setFocus();
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  const QString copied = QGuiApplication::clipboard()->text();
  QCOMPARE(
      copied,
      QStringLiteral("Name\tVolume (µm³)\tNumber\ncell 38\t%1\t38\n").arg(0.5 * ((38 * 17) % 40)));
}

void MeasureTest::curves_of_other_data_are_shown_beside() {
  write_block_tiff(f_->file("other.tif"), {8, 16, 24}, {2, 3, 4});
  QVERIFY(f_->drop({f_->file("other.tif")}));
  open_panel();
  auto* choice = find<QComboBox>("measure_choice");
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("topo"));
  QVERIFY(f_->settle());
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{1});
  auto* beside = find<QComboBox>("measure_beside");
  QCOMPARE(beside->count(), 2);
  beside->setFocus();
  QTest::keyClicks(beside, QStringLiteral("block"));
  QVERIFY(f_->settle());
  // The blocks are alike, but for where they are.
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{2});
  QCOMPARE(view().curve().curve().ys[0].label, std::string("other"));
  QCOMPARE(view().curve().curve().ys[1].label, std::string("block"));
  auto* title = find<QLabel>("measurement_title");
  QVERIFY2(title->text().contains(QStringLiteral("no difference")), qPrintable(title->text()));
  // The same of a measurement that is kept.
  QTest::mouseClick(find<QPushButton>("measure_keep"), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_measurement());
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{2});
  // It goes with the other data.
  for (const Item& item : f_->document.items().all()) {
    if (item.name == QStringLiteral("block")) {
      f_->document.edits().close(item.id);
      break;
    }
  }
  QVERIFY(f_->settle());
  QTRY_COMPARE(view().curve().curve().ys.size(), std::size_t{1});
  QCOMPARE(beside->count(), 1);
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

APRSCOPE_GUI_TEST_MAIN(MeasureTest)
#include "measure_test.moc"
