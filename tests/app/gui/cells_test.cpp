// Cells: found over the slices, their table, and corrections by mouse.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <cmath>

#include "app/gui/document/label_choice.hpp"
#include "app/gui/panels/cells_panel.hpp"
#include "app/gui/panels/correction_bar.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr std::int64_t kSide = 40;

// Four cells of 18 × 18 columns between walls, in each of 12 slices.
Volume tissue() {
  Pixels<std::uint16_t> pixels(Size3{12, kSide, kSide});
  const auto wall = [](std::int64_t i) { return i < 2 || i >= kSide - 2 || i == 19 || i == 20; };
  for (std::int64_t z = 0; z < 12; ++z) {
    for (std::int64_t x = 0; x < kSide; ++x) {
      for (std::int64_t y = 0; y < kSide; ++y) {
        pixels.at(z, x, y) = static_cast<std::uint16_t>(wall(x) || wall(y) ? 3000 : 100);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "tissue";
  volume.voxel = {1.0, 0.5, 0.5, "µm"};
  return volume;
}

}  // namespace

class CellsTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void cells_lie_over_the_slices_while_they_are_looked_for();
  void walls_that_are_taken_away_are_dotted();
  void finding_them_shows_a_table_with_units_and_flags();
  void the_table_is_kept_and_exported();
  void a_click_in_a_slice_chooses_the_row_and_a_row_its_cell();
  void cells_are_merged_and_split_by_clicks_and_undone();
  void corrections_in_a_row_are_all_done();
  void what_cannot_be_corrected_is_said();
  void the_next_suspicious_cell_is_chosen();
  void nothing_is_drawn_when_that_is_off_or_another_tab_is_open();

 private:
  MeasurementView& view() { return f_->window->measurement_view(); }
  const Table& table() { return view().table().table(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  const Labels* labels() {
    const Item* item = f_->document.items().current();
    return item != nullptr ? item->dataset->labels().get() : nullptr;
  }
  // The colour of the xy slice at a pixel.
  QColor color(std::int64_t x, std::int64_t y) {
    SliceView& slice = f_->slice(Axis::z);
    const QImage shot = slice.grab().toImage();
    const double ratio = static_cast<double>(shot.width()) / slice.width();
    const QPointF at =
        slice.to_widget(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5) * ratio;
    return shot.pixelColor(at.toPoint());
  }
  bool coloured(std::int64_t x, std::int64_t y) { return color(x, y).hsvSaturation() > 25; }
  void click(std::int64_t x, std::int64_t y, Qt::KeyboardModifiers keys = {}) {
    SliceView& slice = f_->slice(Axis::z);
    const QPointF at = slice.to_widget(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5);
    QTest::mouseClick(&slice, Qt::LeftButton, keys, at.toPoint());
  }
  void press(const char* name) {
    auto* button = find<QAbstractButton>(name);
    QVERIFY(button != nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
  }
  void open_panel() {
    QTest::keyClick(f_->window.get(), Qt::Key_F11, Qt::ControlModifier);
    QTRY_COMPARE(f_->window->shown_panel(), QStringLiteral("cells"));
  }
  void find_cells() {
    open_panel();
    QVERIFY(f_->settle());
    press("cells_apply");
    QVERIFY(f_->settle());
    QTRY_VERIFY(labels() != nullptr && view().isVisible() && table().rows() == 4);
  }

  std::unique_ptr<WindowFixture> f_;
};

void CellsTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QVERIFY(write_tiff(tissue(), f_->file("tissue.tif").toStdString()).ok());
  QVERIFY(f_->drop({f_->file("tissue.tif")}));
}

void CellsTest::cleanup() { f_.reset(); }

void CellsTest::cells_lie_over_the_slices_while_they_are_looked_for() {
  QVERIFY(!coloured(8, 8));
  open_panel();
  QTRY_COMPARE(find<QLabel>("cells_note")->text(), QStringLiteral("4 cells"));
  QTRY_VERIFY(coloured(8, 8) && coloured(8, 30) && coloured(30, 8) && coloured(30, 30));
  // Neighbours have colours of their own.
  QVERIFY(color(8, 8) != color(8, 30) || color(8, 8) != color(30, 8));
  QVERIFY(labels() == nullptr);
}

void CellsTest::walls_that_are_taken_away_are_dotted() {
  open_panel();
  auto* merge = find<QDoubleSpinBox>("merge");
  QVERIFY(merge != nullptr);
  const auto type = [&](const char* value) {
    merge->setFocus();
    merge->selectAll();
    QTest::keyClicks(merge, QLatin1String(value));
    QTest::keyClick(merge, Qt::Key_Enter);
    QVERIFY(f_->settle());
  };
  // Differences between pixels along the wall in the middle, which the image itself does not have.
  const auto changes = [&] {
    int count = 0;
    for (std::int64_t i = 4; i < 16; ++i) {
      for (const std::int64_t wall : {19, 20})
        count += color(i, wall) != color(i + 1, wall) ? 1 : 0;
    }
    return count;
  };
  type("0");
  QTRY_COMPARE(find<QLabel>("cells_note")->text(), QStringLiteral("4 cells"));
  QTRY_COMPARE(changes(), 0);
  // All walls go: one cell, and dots where they were. It is all of the image, which is said behind.
  type("4000");
  QTRY_VERIFY(find<QLabel>("cells_note")
                  ->text()
                  .startsWith(QStringLiteral("1 cell from 4, walls dotted:")));
  QTRY_VERIFY(changes() >= 4);
}

void CellsTest::finding_them_shows_a_table_with_units_and_flags() {
  find_cells();
  QCOMPARE(QString::fromStdString(table().id), QStringLiteral("cells"));
  const Column* volume = table().column("volume");
  QVERIFY(volume != nullptr);
  QCOMPARE(QString::fromStdString(volume->unit), QStringLiteral("µm³"));
  // Each has its quarter of 12 × 40 × 40 voxels of 0.25 µm³, and all touch the border.
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double one = std::get<std::vector<double>>(volume->cells)[i];
    QVERIFY(std::abs(one - 1200.0) < 200.0);
    sum += one;
    QVERIFY(QString::fromStdString(cell_text(*table().column("flags"), i))
                .contains(QStringLiteral("border")));
  }
  QCOMPARE(sum, 4800.0);
  // Right beside the volume.
  const auto place = [&](const char* id) { return table().column(id) - table().columns.data(); };
  QCOMPARE(place("flags") - place("volume"), 1);
}

void CellsTest::the_table_is_kept_and_exported() {
  find_cells();
  press("cells_keep");
  QVERIFY(f_->settle());
  const Item* item = f_->document.items().current();
  QVERIFY(item != nullptr && item->is_measurement());
  const std::uint64_t id = item->id;
  QVERIFY(f_->document.exporter().export_item(id, f_->file("cells.csv")) != 0);
  QVERIFY(f_->settle());
  // One file a table.
  QFile file(f_->file("cells-cells.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
  QVERIFY(lines.size() >= 5);
  QVERIFY2(lines.front().startsWith(QStringLiteral("label,volume (µm³),flags")),
           qPrintable(lines.front()));
}

void CellsTest::a_click_in_a_slice_chooses_the_row_and_a_row_its_cell() {
  find_cells();
  click(8, 8);
  QTRY_COMPARE(view().table().chosen_rows().size(), std::size_t{1});
  const std::size_t row = view().table().chosen_rows().front();
  const auto& names = std::get<std::vector<std::int64_t>>(table().column("label")->cells);
  QCOMPARE(static_cast<std::uint32_t>(names[row]), f_->window->labels().chosen().front());
  QVERIFY(std::get<std::vector<double>>(table().column("x")->cells)[row] < 20.0);
  QVERIFY(std::get<std::vector<double>>(table().column("y")->cells)[row] < 20.0);
  click(30, 30, Qt::ShiftModifier);
  QTRY_COMPARE(view().table().chosen_rows().size(), std::size_t{2});
  // The last row: its cell is chosen, and the crosshair goes there.
  QTableView& cells = view().table().view();
  const QModelIndex last = cells.model()->index(3, 0);
  cells.scrollTo(last);
  QTest::mouseClick(cells.viewport(), Qt::LeftButton, {}, cells.visualRect(last).center());
  QTRY_COMPARE(f_->window->labels().chosen(),
               std::vector<std::uint32_t>{static_cast<std::uint32_t>(names[3])});
  QTRY_VERIFY(f_->document.view().crosshair().x >= 20 && f_->document.view().crosshair().y >= 20);
}

void CellsTest::cells_are_merged_and_split_by_clicks_and_undone() {
  find_cells();
  const std::vector<std::uint32_t> before = labels()->values;
  const std::size_t items = f_->document.items().all().size();
  press("correct_merge");
  click(8, 8);
  click(8, 30);
  QTRY_COMPARE(table().rows(), std::size_t{3});
  // The item itself changed.
  QCOMPARE(f_->document.items().all().size(), items);
  QCOMPARE(f_->document.items().current()->recipe.steps.size(), std::size_t{2});
  const std::vector<std::uint32_t> merged = labels()->values;
  QVERIFY(merged != before);
  f_->document.undo_stack().undo();
  QTRY_COMPARE(table().rows(), std::size_t{4});
  QVERIFY(labels()->values == before);
  f_->document.undo_stack().redo();
  QTRY_COMPARE(table().rows(), std::size_t{3});
  QVERIFY(labels()->values == merged);
  QVERIFY(f_->settle());
  // The tool that was on goes off, and the wall in the image parts it again.
  press("correct_split");
  QVERIFY(!find<QToolButton>("correct_merge")->isChecked());
  click(8, 8);
  click(8, 30);
  press("correct_done");
  QTRY_COMPARE(table().rows(), std::size_t{4});
  QTest::keyClick(find<QToolButton>("correct_split"), Qt::Key_Escape);
  QVERIFY(!find<QToolButton>("correct_split")->isChecked());
}

void CellsTest::corrections_in_a_row_are_all_done() {
  find_cells();
  press("correct_delete");
  click(8, 8);
  click(8, 30);
  click(30, 8);
  QTRY_COMPARE(table().rows(), std::size_t{1});
  QCOMPARE(f_->document.items().current()->recipe.steps.size(), std::size_t{4});
}

void CellsTest::what_cannot_be_corrected_is_said() {
  find_cells();
  QSignalSpy said(&f_->document.messages(), &Messages::said);
  press("correct_merge");
  click(8, 8);
  click(9, 9);
  QTRY_VERIFY(said.count() > 0);
  QCOMPARE(table().rows(), std::size_t{4});
}

void CellsTest::the_next_suspicious_cell_is_chosen() {
  find_cells();
  press("correct_next");
  QTRY_COMPARE(f_->window->labels().chosen().size(), std::size_t{1});
  const auto first = f_->window->labels().chosen();
  press("correct_next");
  QTRY_VERIFY(f_->window->labels().chosen() != first);
}

void CellsTest::nothing_is_drawn_when_that_is_off_or_another_tab_is_open() {
  open_panel();
  QTRY_VERIFY(coloured(8, 8));
  press("cells_shown");
  QTRY_VERIFY(!coloured(8, 8));
  press("cells_shown");
  QTRY_VERIFY(coloured(8, 8));
  QTest::keyClick(f_->window.get(), Qt::Key_F10);
  QTRY_VERIFY(!coloured(8, 8));
}

APRSCOPE_GUI_TESTS(CellsTest)
#include "cells_test.moc"
