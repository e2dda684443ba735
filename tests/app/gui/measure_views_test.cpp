// Curves and tables of what is measured: read, scaled, sorted, copied, saved as pictures.
#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <cmath>
#include <functional>

#include <qcustomplot.h>

#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/base/atomic_file.hpp"
#include "tests/app/gui/measure_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class MeasureViewsTest : public MeasureFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void the_pointer_reads_the_curve();
  void values_on_both_sides_of_0_share_a_logarithmic_axis();
  void a_line_can_have_an_axis_of_its_own();
  void a_curve_is_saved_as_a_picture();
  void tables_are_sorted_filtered_and_copied();
  void curves_of_other_data_are_shown_beside();
};

void MeasureViewsTest::the_pointer_reads_the_curve() {
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

void MeasureViewsTest::values_on_both_sides_of_0_share_a_logarithmic_axis() {
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

void MeasureViewsTest::a_line_can_have_an_axis_of_its_own() {
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

void MeasureViewsTest::a_curve_is_saved_as_a_picture() {
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

void MeasureViewsTest::tables_are_sorted_filtered_and_copied() {
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

void MeasureViewsTest::curves_of_other_data_are_shown_beside() {
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

APRSCOPE_GUI_TESTS(MeasureViewsTest)
#include "measure_views_test.moc"
