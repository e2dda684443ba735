// A set of projections in the window: its table, its images, and rows that are left out.
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <algorithm>
#include <limits>

#include "app/gui/panels/left_out_box.hpp"
#include "app/gui/panels/reconstruct_panel.hpp"
#include "app/gui/panels/reprojection_box.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/ctf_view.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/direction_map.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "app/gui/window/data_list.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reprojection.hpp"
#include "tests/app/gui/reconstruct_fixture.hpp"
#include "tests/support/projection_set.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ReconstructRowsTest : public ReconstructFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void a_table_opens_as_its_images();
  void rows_and_images_are_tied();
  void a_row_brings_images_that_are_not_in_memory();
  void rows_without_a_tick_are_left_out();
  void rows_that_hold_a_condition_are_left_out();
  void all_images_are_correlated_with_a_map();
  void left_out_rows_come_back_with_a_workspace();
  void rows_that_cannot_be_used_are_left_out_by_a_button();
  void images_that_are_no_numbers_are_left_out_by_a_button();
};

void ReconstructRowsTest::a_table_opens_as_its_images() {
  open();
  const Item& item = *f_->document.items().current();
  QCOMPARE(item.dataset->size(), (Size3{60, 32, 32}));
  QCOMPARE(item.dataset->voxel().x, 2.0);
  QCOMPARE(QString::fromStdString(item.dataset->voxel().unit), QStringLiteral("Å"));
  const QString target = find<QLabel>("reconstruct_target")->text();
  QVERIFY2(target.startsWith(QStringLiteral("60 images of 32 × 32 px")), qPrintable(target));
  QVERIFY2(target.contains(QStringLiteral("half sets")), qPrintable(target));
  // A row for each image, with its angles.
  QTRY_COMPARE(table().rows(), std::size_t{60});
  QVERIFY(table().column("tilt") != nullptr);
  QTRY_COMPARE(views(), 60.0);
  // No defocus, no rings.
  QVERIFY(f_->window->findChild<CtfView*>()->picture().isNull());
}

void ReconstructRowsTest::rows_and_images_are_tied() {
  open({.defocus = true});
  QTRY_COMPARE(table().rows(), std::size_t{60});
  QTableView& rows = view().table().view();
  rows.scrollTo(rows.model()->index(4, 0));
  QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                    rows.visualRect(rows.model()->index(4, 0)).center());
  QTRY_COMPARE(f_->document.view().crosshair().z, 4);
  // The wheel over the slice goes on, and the row follows.
  SliceView& slice = f_->slice(Axis::z);
  QVERIFY(move_pointer(slice, slice.rect().center()));
  QTest::keyClick(&slice, Qt::Key_PageUp);
  QTRY_VERIFY(f_->document.view().crosshair().z != 4);
  const auto at = static_cast<std::size_t>(f_->document.view().crosshair().z);
  QTRY_COMPARE(view().table().chosen_rows(), std::vector<std::size_t>{at});
  // The microscope passes little near 0 frequency, and its rings are bright somewhere.
  const QImage rings = f_->window->findChild<CtfView*>()->picture();
  QVERIFY(!rings.isNull());
  QVERIFY(qGray(rings.pixel(rings.width() / 2, rings.height() / 2)) < 30);
  int brightest = 0;
  for (int x = 0; x < rings.width(); ++x) {
    brightest = std::max(brightest, qGray(rings.pixel(x, rings.height() / 2)));
  }
  QVERIFY(brightest > 200);
}

// Of a large set some images are slices at a time.
void ReconstructRowsTest::a_row_brings_images_that_are_not_in_memory() {
  open({.images = 3, .side = 256, .times = 200});
  const auto item = [&] { return f_->document.items().current(); };
  const std::int64_t at_a_time = item()->dataset->size().z;
  QVERIFY(at_a_time < 600);
  QTRY_COMPARE(table().rows(), std::size_t{600});
  QTableView& rows = view().table().view();
  rows.scrollTo(rows.model()->index(599, 0));
  QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                    rows.visualRect(rows.model()->index(599, 1)).center());
  QTRY_COMPARE(view().table().chosen_rows(), std::vector<std::size_t>{599});
  // Millions of pixels, which a slow machine takes a while for.
  constexpr int kMs = 60000;
  QTRY_COMPARE_WITH_TIMEOUT(item()->dataset->volume().projections->first_shown, at_a_time, kMs);
  QTRY_COMPARE(f_->document.view().crosshair().z, 599 - at_a_time);
  QVERIFY(f_->settle());
  QCOMPARE(view().table().chosen_rows(), std::vector<std::size_t>{599});
  QCOMPARE(item()->dataset->size().z, 600 - at_a_time);
  // Steps would be repeated on the first images.
  const auto smoothed = complete({"gaussian", {}});
  QVERIFY(smoothed);
  const Status refused = f_->document.backend().supports(*smoothed, *item()->dataset);
  QVERIFY(!refused);
  QVERIFY(refused.error().message().find("first ones of a set") != std::string::npos);
  // The slices walk through those rows.
  QVERIFY(move_pointer(f_->slice(Axis::z), f_->slice(Axis::z).rect().center()));
  QTest::keyClick(&f_->slice(Axis::z), Qt::Key_PageUp);
  QTRY_COMPARE(view().table().chosen_rows(), std::vector<std::size_t>{598});
  // And a slider brings the first ones back.
  auto* slider = find<QSlider>("images_slider");
  QVERIFY(slider != nullptr && slider->isVisible());
  QTest::keyClick(slider, Qt::Key_Home);
  QTRY_COMPARE_WITH_TIMEOUT(item()->dataset->volume().projections->first_shown, 0, kMs);
  QVERIFY(f_->settle());
  // The row is that of the slice, which stays where it is.
  const auto at = static_cast<std::size_t>(f_->document.view().crosshair().z);
  QTRY_COMPARE(view().table().chosen_rows(), std::vector<std::size_t>{at});
}

void ReconstructRowsTest::rows_without_a_tick_are_left_out() {
  open();
  QTRY_COMPARE(table().rows(), std::size_t{60});
  QTRY_VERIFY(view().table().ticks().has_value());
  QVERIFY(rows_without_tick().empty());
  click_tick(2);
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{2}));
  QCOMPARE(left_out(), std::string("3"));
  // Space takes those of all rows that are selected.
  QTableView& rows = view().table().view();
  QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                    rows.visualRect(rows.model()->index(4, 1)).center());
  for (int i = 0; i < 2; ++i) QTest::keyClick(&rows, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&rows, Qt::Key_Space);
  QTRY_COMPARE(left_out(), std::string("3,5-7"));
  QVERIFY(find<QLabel>("reconstruct_left_out")->text().contains(QStringLiteral("4 rows")));
  // Their views are not counted.
  QTRY_COMPARE(views(), 56.0);
  // Again: they have them back; undone: not.
  QTest::keyClick(&rows, Qt::Key_Space);
  QTRY_COMPARE(left_out(), std::string("3"));
  f_->document.undo_stack().undo();
  QCOMPARE(left_out(), std::string("3,5-7"));
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{2, 4, 5, 6}));
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, 56);
  QCOMPARE(map()->left_out, 4);
  const Operation& step = f_->document.items().current()->recipe.steps.back();
  QCOMPARE(std::get<std::string>(step.parameters.at("leave_out")), std::string("3,5-7"));
  // The recipe alone gives this map again.
  const auto again =
      execute({step}, f_->document.items().all().front().dataset, f_->document.backend());
  QVERIFY(again.ok());
  QVERIFY(again.value().data->volume().reconstruction->map == map()->map);
  // Of the map there are no ticks.
  QTRY_VERIFY(!view().table().ticks().has_value());
  f_->document.items().set_current(f_->document.items().all().front().id);
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{2, 4, 5, 6}));
  press("reconstruct_use_all");
  QTRY_VERIFY(rows_without_tick().empty());
  QVERIFY(left_out().empty());
}

void ReconstructRowsTest::rows_that_hold_a_condition_are_left_out() {
  open();
  QTRY_COMPARE(table().rows(), std::size_t{60});
  QTRY_VERIFY(view().table().ticks().has_value());
  auto* leave = find<QPushButton>("table_untick");
  QVERIFY(leave != nullptr && !leave->isVisible());
  QLineEdit& filter = view().table().filter();
  QTest::mouseClick(&filter, Qt::LeftButton);
  QTest::keyClicks(&filter, QStringLiteral("tilt > 90, image <= 40"));
  const Column* const tilt = table().column("tilt");
  QVERIFY(tilt != nullptr);
  const auto& tilts = std::get<std::vector<double>>(tilt->cells);
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < 40; ++i) {
    if (tilts[i] > 90.0) expected.push_back(i);
  }
  QVERIFY(expected.size() > 5 && expected.size() < 35);
  QTRY_COMPARE(view().table().view().model()->rowCount(), static_cast<int>(expected.size()));
  QTRY_VERIFY(leave->isVisible());
  // Nobody clicks before it has its place.
  QTest::qWait(100);
  QTest::mouseClick(leave, Qt::LeftButton);
  // A machine at its limit takes its time.
  QTRY_COMPARE_WITH_TIMEOUT(rows_without_tick(), expected, 30000);
  QVERIFY(!left_out().empty());
  f_->document.undo_stack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(rows_without_tick().empty(), 30000);
  f_->document.undo_stack().redo();
  QTRY_COMPARE_WITH_TIMEOUT(rows_without_tick(), expected, 30000);
  // A word finds as before.
  filter.selectAll();
  QTest::keyClicks(&filter, QStringLiteral("nothing like this"));
  QTRY_COMPARE(view().table().view().model()->rowCount(), 0);
  QVERIFY(!leave->isVisible());
  filter.clear();
  QTRY_COMPARE(view().table().view().model()->rowCount(), 60);
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, static_cast<std::int64_t>(60 - expected.size()));
}

void ReconstructRowsTest::all_images_are_correlated_with_a_map() {
  open();
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  const std::vector<float> made = map()->map;
  f_->document.items().set_current(f_->document.items().all().front().id);
  QTRY_VERIFY(find<QPushButton>("reprojection_all")->isVisible());
  QTRY_COMPARE(table().rows(), std::size_t{60});
  QVERIFY(table().column("correlation") == nullptr);
  press("reprojection_all");
  QTRY_VERIFY(table().column("correlation") != nullptr);
  QTRY_VERIFY(view().table().ticks().has_value());
  const auto found = std::get<std::vector<double>>(table().column("correlation")->cells);
  const auto expected = reprojection_correlations(
      made, 32, *f_->document.items().all().front().dataset->volume().projections);
  QVERIFY(expected.ok());
  QVERIFY(found == *expected);
  // Those below the median, by the column.
  std::vector<double> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  QLineEdit& filter = view().table().filter();
  QTest::keyClicks(&filter, QStringLiteral("correlation < %1").arg(sorted[30], 0, 'g', 17));
  QTRY_COMPARE(view().table().view().model()->rowCount(), 30);
  press("table_untick");
  QTRY_COMPARE(rows_without_tick().size(), std::size_t{30});
  QVERIFY(table().column("correlation") != nullptr);
  // They stay with their set.
  f_->document.items().set_current(f_->document.items().all().back().id);
  QVERIFY(f_->settle());
  f_->document.items().set_current(f_->document.items().all().front().id);
  QTRY_VERIFY(table().column("correlation") != nullptr);
  QTRY_COMPARE(rows_without_tick().size(), std::size_t{30});
}

void ReconstructRowsTest::left_out_rows_come_back_with_a_workspace() {
  open();
  QTRY_VERIFY(view().table().ticks().has_value());
  click_tick(7);
  QTRY_COMPARE(left_out(), std::string("8"));
  const QString path = f_->file("w.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  const std::uint64_t before = f_->document.items().all().front().id;
  f_->document.opener().open({path});
  QTRY_VERIFY(f_->document.items().current() != nullptr &&
              f_->document.items().all().front().id != before);
  QCOMPARE(left_out(), std::string("8"));
  QVERIFY(f_->settle());
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{7}));
}

void ReconstructRowsTest::rows_that_cannot_be_used_are_left_out_by_a_button() {
  truth_ = aprscope::test::write_projection_set(f_->folder().path());
  QFile star(f_->file("molecule.star"));
  QVERIFY(star.open(QIODevice::ReadOnly));
  QByteArray text = star.readAll();
  star.close();
  QVERIFY(text.contains("\n20@molecule.mrcs "));
  text.replace("\n20@molecule.mrcs ", "\n20@molecule.mrcs nan");
  QVERIFY(star.open(QIODevice::WriteOnly));
  QVERIFY(star.write(text) == text.size());
  star.close();
  QVERIFY(f_->drop({f_->file("molecule.star")}));
  QTest::keyClick(f_->window.get(), Qt::Key_F12);
  QVERIFY(f_->settle());
  QTRY_VERIFY(view().table().ticks().has_value());
  QVERIFY(table().column("problem") != nullptr);
  QVERIFY(find<QLabel>("reconstruct_left_out")->text().contains(QStringLiteral("1 rows cannot")));
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(!messages_.isEmpty());
  QVERIFY2(messages_.last().contains(QStringLiteral("image 20")), qPrintable(messages_.last()));
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  press("reconstruct_leave_out");
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{19}));
  QVERIFY(!find<QPushButton>("reconstruct_leave_out")->isVisible());
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, 59);
}

void ReconstructRowsTest::images_that_are_no_numbers_are_left_out_by_a_button() {
  truth_ = aprscope::test::write_projection_set(f_->folder().path());
  {
    QFile stack(f_->file("molecule.mrcs"));
    QVERIFY(stack.open(QIODevice::ReadWrite));
    const float none = std::numeric_limits<float>::quiet_NaN();
    for (const qint64 row : {4, 5, 40}) {
      // Behind the header, images of 32² floats.
      QVERIFY(stack.seek(1024 + row * 32 * 32 * 4 + 80));
      QVERIFY(stack.write(reinterpret_cast<const char*>(&none), sizeof none) == sizeof none);
    }
  }
  QVERIFY(f_->drop({f_->file("molecule.star")}));
  QTest::keyClick(f_->window.get(), Qt::Key_F12);
  QVERIFY(f_->settle());
  QTRY_VERIFY(view().table().ticks().has_value());
  // Nobody knows before the images are read.
  auto* words = find<QLabel>("reconstruct_left_out");
  auto* leave_out = find<QPushButton>("reconstruct_leave_out");
  QCOMPARE(words->text(), QStringLiteral("All rows are used"));
  QVERIFY(!leave_out->isVisible());
  messages_.clear();
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(!messages_.isEmpty());
  QVERIFY2(messages_.last().contains(QStringLiteral("3 images have pixels")),
           qPrintable(messages_.last()));
  QTRY_VERIFY(leave_out->isVisible());
  QCOMPARE(words->text(), QStringLiteral("3 images have pixels that are no numbers"));
  // One that is left out by hand is not counted twice.
  click_tick(4);
  QTRY_COMPARE(words->text(),
               QStringLiteral("2 images have pixels that are no numbers, 1 rows are left out"));
  press("reconstruct_leave_out");
  QTRY_COMPARE(rows_without_tick(), (std::vector<std::size_t>{4, 5, 40}));
  QCOMPARE(left_out(), std::string("5-6,41"));
  QCOMPARE(words->text(), QStringLiteral("3 rows are left out"));
  QVERIFY(!leave_out->isVisible());
  f_->document.undo_stack().undo();
  QCOMPARE(left_out(), std::string("5"));
  QTRY_VERIFY(leave_out->isVisible());
  f_->document.undo_stack().redo();
  QTRY_VERIFY(!leave_out->isVisible());
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, 57);
  QVERIFY(!f_->window->findChild<LeftOutBox*>()->isVisible());
  // Another set has none of them.
  QVERIFY(QDir(f_->folder().path()).mkdir(QStringLiteral("other")));
  aprscope::test::write_projection_set(f_->file("other").toStdString());
  QVERIFY(f_->drop({f_->file("other/molecule.star")}));
  QVERIFY(f_->settle());
  QTRY_COMPARE(words->text(), QStringLiteral("All rows are used"));
  QVERIFY(!leave_out->isVisible());
}

APRSCOPE_GUI_TESTS(ReconstructRowsTest)
#include "reconstruct_rows_test.moc"
