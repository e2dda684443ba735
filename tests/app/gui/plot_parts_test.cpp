// What curves are drawn with: ticks, marks, what is told of a place, and pictures of plots.
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QToolButton>
#include <map>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_head.hpp"
#include "app/gui/widgets/curve_marks.hpp"
#include "app/gui/widgets/curve_reading.hpp"
#include "app/gui/widgets/plot_picture.hpp"
#include "app/gui/widgets/plot_tickers.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class PlotPartsTest : public QObject {
  Q_OBJECT

 private slots:
  void ticks_of_decades_have_room();
  void both_sides_of_0_have_ticks();
  void a_frequency_stands_above_its_length();
  void words_of_close_marks_take_turns();
  void a_place_reads_the_point_that_counts_there();
  void the_head_names_lines_and_chooses_the_scale();
  void pictures_are_written_by_their_ending();

 private:
  static QVector<QString> labels(QCPAxisTicker& ticker, double low, double high) {
    QVector<double> ticks;
    QVector<QString> words;
    ticker.generate({low, high}, QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &words);
    return words;
  }
  static QVector<double> ticks(QCPAxisTicker& ticker, double low, double high) {
    QVector<double> found;
    ticker.generate({low, high}, QLocale::c(), QLatin1Char('g'), 6, found, nullptr, nullptr);
    return found;
  }
};

void PlotPartsTest::ticks_of_decades_have_room() {
  const auto ticker = decades_ticker();
  ticker->setTickCount(4);
  // Hardly a decade: multiples of its power.
  const QVector<double> few = ticks(*ticker, 1.5, 12.0);
  QVERIFY(few.contains(2.0) && few.contains(5.0) && few.contains(10.0));
  const QVector<double> many = ticks(*ticker, 1.0, 1e6);
  QVERIFY(many.contains(1e3) || many.contains(1e2));
  QVERIFY(!many.contains(2.0));
}

void PlotPartsTest::both_sides_of_0_have_ticks() {
  QCOMPARE(both_sides(0.0), 0.0);
  QCOMPARE(both_sides(99.0), 2.0);
  QCOMPARE(both_sides(-99.0), -2.0);
  const QVector<QString> words = labels(*two_sided_ticker(), -2.2, 2.2);
  QVERIFY(words.contains(QStringLiteral("0")));
  QVERIFY(words.contains(QStringLiteral("10²")));
  QVERIFY(words.contains(QStringLiteral("−10²")));
}

void PlotPartsTest::a_frequency_stands_above_its_length() {
  const QVector<QString> words = labels(*reciprocals_ticker(QStringLiteral("Å")), 0.0, 0.25);
  QVERIFY(words.contains(QStringLiteral("0")));
  QVERIFY(words.contains(QStringLiteral("0.2\n5 Å")));
}

void PlotPartsTest::words_of_close_marks_take_turns() {
  QCustomPlot plot;
  plot.resize(400, 300);
  plot.xAxis->setRange(0.0, 1.0);
  plot.replot();
  draw_level(plot, {0.5, "half"}, 0.25, Qt::black);
  draw_curve_marks(plot, {{0.31, "second"}, {0.3, "first"}}, Qt::black);
  std::map<QString, double> height;
  for (int i = 0; i < plot.itemCount(); ++i) {
    if (const auto* words = qobject_cast<QCPItemText*>(plot.item(i))) {
      height[words->text()] = words->position->coords().y();
    }
  }
  QCOMPARE(height.size(), std::size_t{3});
  QCOMPARE(height["half"], 0.25);
  QVERIFY(height["second"] > height["first"]);
}

void PlotPartsTest::a_place_reads_the_point_that_counts_there() {
  Curve curve;
  curve.x = {"x", "Size", "µm", {0, 10, 20}};
  curve.ys = {{"cells", "Cells", "", {5, 6, 7}}};
  QCOMPARE(line_words(curve.x), QStringLiteral("Size / µm"));
  QCOMPARE(line_words(curve.ys[0]), QStringLiteral("Cells"));
  // The nearest point of a line; a step goes on to the next, and the last is as wide as the others.
  curve.shape = CurveShape::straight;
  QCOMPARE(curve_point_at(curve, 6.0), std::optional<std::size_t>(1));
  QCOMPARE(curve_end(curve), 20.0);
  QVERIFY(!curve_point_at(curve, 21.0));
  curve.shape = CurveShape::steps_before;
  QCOMPARE(curve_point_at(curve, 4.0), std::optional<std::size_t>(1));
  curve.shape = CurveShape::steps;
  QCOMPARE(curve_point_at(curve, 6.0), std::optional<std::size_t>(0));
  QCOMPARE(curve_end(curve), 30.0);
  QCOMPARE(curve_point_at(curve, 30.0), std::optional<std::size_t>(2));
  QVERIFY(!curve_point_at(curve, 31.0));
  QVERIFY(!curve_point_at(curve, -1.0));
  QCOMPARE(curve_reading(curve, 2), QStringLiteral("Size 20 … 30   Cells 7"));
  curve.reciprocal_of = "Å";
  QCOMPARE(curve_reading(curve, 1), QStringLiteral("Size 10 … 20 (0.1 Å)   Cells 6"));
  QCOMPARE(curve_end(Curve()), 0.0);
  QVERIFY(!curve_point_at(Curve(), 0.0));
}

void PlotPartsTest::the_head_names_lines_and_chooses_the_scale() {
  CurveHead head(QStringLiteral("curve"), nullptr);
  head.set_lines({{"a", "A", "", {1}}, {"b", "B", "dB", {2}}});
  const auto* b = head.findChild<QLabel*>(QStringLiteral("curve_name_b"));
  QVERIFY(b != nullptr);
  QCOMPARE(b->text(), QStringLiteral("B / dB"));
  head.set_lines({{"a", "A", "", {1}}});
  QVERIFY(head.findChild<QLabel*>(QStringLiteral("curve_name_a")) != nullptr);
  QVERIFY(head.findChild<QLabel*>(QStringLiteral("curve_name_b")) == nullptr);
  // Only what the user presses is a choice.
  std::vector<CurveScale> chosen;
  QObject::connect(&head, &CurveHead::scale_chosen,
                   [&](CurveScale scale) { chosen.push_back(scale); });
  head.set_scale(CurveScale::logarithmic);
  QVERIFY(chosen.empty() && head.scale_button().isChecked());
  head.show();
  QVERIFY(QTest::qWaitForWindowExposed(&head));
  QTest::mouseClick(&head.scale_button(), Qt::LeftButton);
  QVERIFY(chosen == std::vector<CurveScale>{CurveScale::linear});
}

void PlotPartsTest::pictures_are_written_by_their_ending() {
  QTemporaryDir folder;
  QCustomPlot plot;
  plot.resize(200, 100);
  for (const char* ending : {"png", "svg", "pdf"}) {
    const QString path = folder.filePath(QStringLiteral("plot.") + QLatin1String(ending));
    const Status done = write_plot_picture(plot, false, path);
    QVERIFY2(done.ok(), done ? "" : done.error().message().c_str());
    QVERIFY(QFileInfo(path).size() > 100);
  }
  QVERIFY(!QImage(folder.filePath(QStringLiteral("plot.png"))).isNull());
  QVERIFY(!write_plot_picture(plot, false, folder.filePath(QStringLiteral("plot.txt"))));
  QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("plot.txt"))));
}

APRSCOPE_GUI_TESTS(PlotPartsTest)
#include "plot_parts_test.moc"
