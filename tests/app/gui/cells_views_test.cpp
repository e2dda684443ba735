// Cells in 3-D, in the table and over other data.
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <algorithm>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_view.hpp"
#include "tests/app/gui/cells_views_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CellsViewsTest : public CellsViewsFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void surfaces_of_cells_are_shown_in_3d_and_clicked();
  void a_projection_has_the_colours_of_its_cells();
  void cells_of_particles_are_shown_in_3d();
  void a_correction_is_clicked_in_3d();
  void enter_goes_to_the_next_suspicious_cell();
  void the_status_line_tells_of_the_cell_under_the_pointer();
  void a_range_of_the_histogram_chooses_its_cells();
  void any_column_has_a_histogram();
  void cells_lie_over_other_data_of_the_same_size();
  void cells_of_other_data_go_and_change_with_it();
};

void CellsViewsTest::surfaces_of_cells_are_shown_in_3d_and_clicked() {
  w_->find_cells(4);
  mip().navigation().set_preset(MipPreset::front);
  QVERIFY(w_->window.settle());
  const int before = coloured(mip()).count;
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > before + 5000);
  // A click there chooses the cell and its row, and goes to it; Shift adds another.
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(8, 30));
  QTRY_COMPARE(w_->chosen(), std::vector<std::uint32_t>{w_->label({0, 8, 30})});
  QTRY_COMPARE(w_->view().table().chosen_rows().size(), std::size_t{1});
  QCOMPARE(w_->document().view().crosshair().z, std::int64_t{0});
  QVERIFY(std::abs(w_->document().view().crosshair().y - 30) <= 2);
  QVERIFY(w_->window.settle());
  QTest::mouseClick(&mip(), Qt::LeftButton, Qt::ShiftModifier, in_3d(30, 30));
  QTRY_COMPARE(w_->chosen(), (std::vector<std::uint32_t>{
                                 std::min(w_->label({0, 8, 30}), w_->label({0, 30, 30})),
                                 std::max(w_->label({0, 8, 30}), w_->label({0, 30, 30}))}));
  // The others are like glass: darker, as far as they do not lie before or behind.
  QVERIFY(w_->window.settle());
  const QImage shot = mip().grab().toImage();
  const double ratio = shot.devicePixelRatio();
  QTRY_VERIFY(w_->window.settle());
  const auto value = [&](std::int64_t x, std::int64_t y) {
    return mip().grab().toImage().pixelColor((QPointF(in_3d(x, y)) * ratio).toPoint()).value();
  };
  QTRY_VERIFY(value(30, 34) > value(34, 5) + 60);
  // All of them are cut by the border.
  w_->press("cells_whole_only");
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(coloured(mip()).count < before + 500);
  show_in_3d("Off");
  QTRY_VERIFY(!mip().shows_labels());
}

void CellsViewsTest::a_projection_has_the_colours_of_its_cells() {
  w_->find_cells(4);
  show_in_3d("Coloured");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > 1000);
  // Off with all cells.
  w_->press("cells_shown");
  QTRY_VERIFY(!mip().shows_labels());
}

void CellsViewsTest::cells_of_particles_are_shown_in_3d() {
  QVERIFY(w_->document().runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(w_->window.settle());
  w_->open_panel();
  QVERIFY(w_->window.settle());
  w_->press("cells_apply");
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(w_->labels() != nullptr);
  mip().navigation().set_preset(MipPreset::front);
  const int before = coloured(mip()).count;
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  QTRY_VERIFY(coloured(mip()).count > before + 5000);
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(30, 10));
  QTRY_COMPARE(w_->chosen().size(), std::size_t{1});
}

void CellsViewsTest::a_correction_is_clicked_in_3d() {
  w_->find_cells(4);
  mip().navigation().set_preset(MipPreset::front);
  show_in_3d("Surfaces");
  QTRY_VERIFY(mip().shows_labels());
  w_->press("correct_delete");
  QTest::mouseClick(&mip(), Qt::LeftButton, {}, in_3d(8, 8));
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QCOMPARE(w_->label({0, 8, 8}), 0U);
}

void CellsViewsTest::enter_goes_to_the_next_suspicious_cell() {
  w_->find_cells(4);
  w_->press("correct_next");
  QTRY_COMPARE(w_->chosen().size(), std::size_t{1});
  const auto first = w_->chosen();
  // In the bar and in a slice.
  QTest::keyClick(w_->find<QAbstractButton>("correct_next"), Qt::Key_Return);
  QTRY_VERIFY(w_->chosen().size() == 1 && w_->chosen() != first);
  const auto second = w_->chosen();
  QTest::keyClick(&w_->window.slice(Axis::z), Qt::Key_Return);
  QTRY_VERIFY(w_->chosen().size() == 1 && w_->chosen() != second);
}

void CellsViewsTest::the_status_line_tells_of_the_cell_under_the_pointer() {
  w_->find_cells(4);
  QVERIFY(move_pointer(w_->window.slice(Axis::z), w_->place(8, 8)));
  auto* value = w_->find<QLabel>("status_value");
  const QString cell = QStringLiteral("cell %1: ").arg(w_->label({0, 8, 8}));
  QTRY_VERIFY2(value->text().contains(cell), qPrintable(value->text()));
  QVERIFY2(value->text().contains(QStringLiteral("µm³ (border)")), qPrintable(value->text()));
}

void CellsViewsTest::a_range_of_the_histogram_chooses_its_cells() {
  w_->find_cells(4);
  auto& plot = w_->view().curve().plot();
  const auto drag = [&](double from, double to) {
    const int y = plot.axisRect()->center().y();
    const QPoint a(qRound(plot.xAxis->coordToPixel(from)), y);
    const QPoint b(qRound(plot.xAxis->coordToPixel(to)), y);
    QTest::mousePress(&plot, Qt::LeftButton, {}, a);
    QTest::mouseMove(&plot, (a + b) / 2);
    QTest::mouseMove(&plot, b);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, b);
  };
  // All four have about 1200 µm³.
  drag(1000.0, 1300.0);
  QTRY_COMPARE(w_->chosen().size(), std::size_t{4});
  QTRY_COMPARE(w_->view().table().chosen_rows().size(), std::size_t{4});
  drag(200.0, 700.0);
  QTRY_VERIFY(w_->chosen().empty());
}

void CellsViewsTest::any_column_has_a_histogram() {
  w_->find_cells(4);
  auto* curves = w_->find<QComboBox>("measurement_curves");
  QVERIFY(curves->isVisible());
  curves->setFocus();
  // Of places in the image: two cells have lower ones of each.
  const auto shown = [&] { return w_->view().curve().curve().x.id; };
  for (int i = 0; i < curves->count() && shown() != "y"; ++i) QTest::keyClick(curves, Qt::Key_Down);
  QCOMPARE(shown(), std::string("y"));
  QCOMPARE(curves->currentText(), QStringLiteral("Centroid y (px)"));
  auto& plot = w_->view().curve().plot();
  const int y = plot.axisRect()->center().y();
  const QPoint a(qRound(plot.xAxis->coordToPixel(8.0)), y);
  const QPoint b(qRound(plot.xAxis->coordToPixel(20.0)), y);
  QTest::mousePress(&plot, Qt::LeftButton, {}, a);
  QTest::mouseMove(&plot, (a + b) / 2);
  QTest::mouseMove(&plot, b);
  QTest::mouseRelease(&plot, Qt::LeftButton, {}, b);
  QTRY_COMPARE(w_->chosen().size(), std::size_t{2});
  for (const std::uint32_t label : w_->chosen()) {
    QVERIFY(label == w_->label({5, 8, 8}) || label == w_->label({5, 30, 8}));
  }
  // It stays when the table changes.
  w_->press("correct_merge");
  w_->click(8, 8);
  w_->click(30, 8);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->view().curve().curve().x.id, std::string("y"));
}

void CellsViewsTest::cells_lie_over_other_data_of_the_same_size() {
  w_->find_cells(4);
  const auto cells = w_->document().items().current()->dataset->labels();
  QVERIFY(!w_->find<QComboBox>("cells_of")->isVisible() ||
          w_->find<QComboBox>("cells_of")->count() > 1);
  QVERIFY(write_tiff(tissue(2, 12), w_->window.file("other.tif").toStdString()).ok());
  QVERIFY(w_->window.drop({w_->window.file("other.tif")}));
  QVERIFY(w_->document().items().current()->dataset->labels() == nullptr);
  auto* of = w_->find<QComboBox>("cells_of");
  QTRY_COMPARE(of->count(), 2);
  of->setFocus();
  QTest::keyClick(of, Qt::Key_Down);
  QVERIFY(w_->window.settle());
  QVERIFY(w_->document().labels().labels() == cells);
  QCOMPARE(w_->window.picture(Axis::z).labels.values.size(), std::size_t{1600});
  // Of an image of another size there are none.
  write_block_tiff(w_->window.file("block.tif"), {4, 6, 8}, {1, 2, 3});
  QVERIFY(w_->window.drop({w_->window.file("block.tif")}));
  QVERIFY(w_->document().labels().labels() != cells);
  QTRY_COMPARE(of->count(), 1);
}

void CellsViewsTest::cells_of_other_data_go_and_change_with_it() {
  w_->find_cells(4);
  const std::uint64_t cells = w_->document().items().current()->id;
  w_->press("correct_delete");
  w_->click(8, 8);
  QTRY_COMPARE(w_->table().rows(), std::size_t{3});
  QVERIFY(write_tiff(tissue(2, 12), w_->window.file("other.tif").toStdString()).ok());
  QVERIFY(w_->window.drop({w_->window.file("other.tif")}));
  auto* of = w_->find<QComboBox>("cells_of");
  QTRY_COMPARE(of->count(), 2);
  of->setFocus();
  QTest::keyClick(of, Qt::Key_Down);
  QVERIFY(w_->window.settle());
  QCOMPARE(w_->document().labels().other(), cells);
  const auto value = [&] { return w_->window.picture(Axis::z).labels.values; };
  QTRY_COMPARE(value().size(), std::size_t{1600});
  QCOMPARE(value()[8 * 40 + 8], 0U);
  // A correction there that is taken back is seen here.
  const std::uint64_t current = w_->document().items().current()->id;
  w_->document().items().change(cells, [&](Item& item) {
    auto labels = std::make_shared<Labels>(*item.dataset->labels());
    labels->values.assign(labels->values.size(), 1);
    item.dataset = item.dataset->with_labels(labels, {}, {});
  });
  QVERIFY(w_->window.settle());
  QTRY_COMPARE(value()[8 * 40 + 8], 1U);
  // Closed, it takes its cells with it.
  QSignalSpy spy(&w_->document().labels(), &ShownLabels::changed);
  w_->document().edits().close(cells);
  QCOMPARE(w_->document().items().current()->id, current);
  QCOMPARE(w_->document().labels().other(), 0U);
  QVERIFY(spy.count() > 0);
  QVERIFY(w_->window.settle());
  QTRY_VERIFY(value().empty());
}

APRSCOPE_GUI_TESTS(CellsViewsTest)
#include "cells_views_test.moc"
