// Reconstruction in the window: a set of projections, its table, the map that grows and is kept.
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QStyleOptionViewItem>
#include <QTableView>
#include <QTimer>
#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <limits>

#include <qcustomplot.h>

#include "app/gui/document/map_growth.hpp"
#include "app/gui/panels/direction_feed.hpp"
#include "app/gui/panels/growing_surface.hpp"
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
#include "app/gui/window/export_dialog.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/projections.hpp"
#include "core/projections/reprojection.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/projection_set.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ReconstructTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void a_table_opens_as_its_images();
  void rows_and_images_are_tied();
  void a_row_brings_images_that_are_not_in_memory();
  void a_map_is_made_and_undone();
  void the_map_grows_and_is_kept_early();
  void a_run_can_be_cancelled();
  void a_missing_stack_is_said();
  void another_symmetry_shows_its_views();
  void an_asymmetric_unit_is_outlined();
  void rows_without_a_tick_are_left_out();
  void rows_that_hold_a_condition_are_left_out();
  void all_images_are_correlated_with_a_map();
  void left_out_rows_come_back_with_a_workspace();
  void rows_that_cannot_be_used_are_left_out_by_a_button();
  void images_that_are_no_numbers_are_left_out_by_a_button();
  void an_image_is_shown_beside_its_reprojection();
  void the_curve_of_the_half_maps_reads_right();

 private:
  // Clicks the tick of a row of the table.
  void click_tick(int row) {
    QTableView& rows = view().table().view();
    const QModelIndex index = rows.model()->index(row, 0);
    rows.scrollTo(index);
    QStyleOptionViewItem option;
    option.initFrom(&rows);
    option.rect = rows.visualRect(index);
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = index.data().toString();
    option.widget = &rows;
    const QRect box =
        rows.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &rows);
    QVERIFY(box.isValid());
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, box.center());
  }
  std::string left_out() { return f_->document.items().all().front().left_out; }
  std::vector<std::size_t> rows_without_tick() {
    std::vector<std::size_t> rows;
    const auto& ticks = view().table().ticks();
    for (std::size_t i = 0; ticks && i < ticks->size(); ++i) {
      if (!(*ticks)[i]) rows.push_back(i);
    }
    return rows;
  }
  void half_maps_are_not_replaced_unasked();
  MeasurementView& view() { return f_->window->measurement_view(); }
  const Table& table() { return view().table().table(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void press(const char* name) {
    auto* button = find<QAbstractButton>(name);
    QVERIFY(button != nullptr);
    QVERIFY(button->isVisible() && button->isEnabled());
    QTest::mouseClick(button, Qt::LeftButton);
  }
  void open(const aprscope::test::ProjectionSetFiles& settings = {}) {
    truth_ = aprscope::test::write_projection_set(f_->folder().path(), settings);
    QVERIFY(!truth_.empty());
    QVERIFY(f_->drop({f_->file("molecule.star")}));
    QVERIFY(f_->document.items().current() != nullptr);
    QTest::keyClick(f_->window.get(), Qt::Key_F12);
    QTRY_COMPARE(f_->window->shown_panel(), QStringLiteral("reconstruct"));
    QVERIFY(f_->settle());
  }
  // In the map of directions.
  double views() {
    double sum = 0.0;
    for (const double each : f_->window->findChild<DirectionMap*>()->directions().counts) {
      sum += each;
    }
    return sum;
  }
  void type_symmetry(const QString& name) {
    auto* symmetry = qobject_cast<QLineEdit*>(
        f_->window->findChild<ReconstructPanel*>()->form()->control("symmetry"));
    QVERIFY(symmetry != nullptr);
    symmetry->selectAll();
    QTest::keyClicks(symmetry, name);
    QTest::keyClick(symmetry, Qt::Key_Return);
  }
  MapGrowth& growth() { return f_->window->findChild<ReconstructPanel*>()->growth(); }
  const Reconstruction* map() {
    const Item* item = f_->document.items().current();
    if (item == nullptr || item->growing || item->is_apr()) return nullptr;
    return item->dataset->volume().reconstruction.get();
  }
  // Of the current item with the molecule that was projected.
  double correlation() {
    const std::vector<float>& found =
        f_->document.items().current()->dataset->values().pixels().values;
    if (found.size() != truth_.size()) return 0.0;
    double a = 0.0;
    double b = 0.0;
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      a += truth_[i];
      b += found[i];
    }
    a /= static_cast<double>(truth_.size());
    b /= static_cast<double>(truth_.size());
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      ab += (truth_[i] - a) * (found[i] - b);
      aa += (truth_[i] - a) * (truth_[i] - a);
      bb += (found[i] - b) * (found[i] - b);
    }
    return ab / std::sqrt(aa * bb);
  }

  std::unique_ptr<WindowFixture> f_;
  std::vector<float> truth_;
  QStringList messages_;
};

void ReconstructTest::init() {
  f_ = std::make_unique<WindowFixture>();
  messages_.clear();
  connect(&f_->document.messages(), &Messages::said, this,
          [this](MessageKind, const QString& text) { messages_ << text; });
}

void ReconstructTest::cleanup() { f_.reset(); }

void ReconstructTest::a_table_opens_as_its_images() {
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

void ReconstructTest::rows_and_images_are_tied() {
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
void ReconstructTest::a_row_brings_images_that_are_not_in_memory() {
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

void ReconstructTest::a_map_is_made_and_undone() {
  open({.images = 200});
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, 200);
  QVERIFY(!map()->partial);
  QCOMPARE(f_->document.items().current()->dataset->size(), (Size3{32, 32, 32}));
  QCOMPARE(f_->document.items().current()->dataset->voxel().x, 2.0);
  QVERIFY2(correlation() > 0.97, qPrintable(QString::number(correlation())));
  half_maps_are_not_replaced_unasked();
  // Nothing is left of what grew, and one step takes the map back.
  QCOMPARE(f_->document.growing().id(), 0U);
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  // Its half maps are measured below the slices.
  QTRY_VERIFY(view().isVisible() && view().measurement() != nullptr &&
              !view().measurement()->curves.empty());
  const std::vector<double>& fsc = view().measurement()->curves.front().ys.front().values;
  QVERIFY2(fsc.size() > 10 && fsc[4] > 0.9, qPrintable(QString::number(fsc.size())));
  // Looking at the map, another is made of the same images.
  QVERIFY(find<QPushButton>("reconstruct_start")->isEnabled());
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{3});
  QCOMPARE(f_->document.items().all()[2].parent, f_->document.items().all()[0].id);
  f_->document.undo_stack().undo();
  f_->document.undo_stack().undo();
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
}

// The main file is new, one of the half maps is there.
void ReconstructTest::half_maps_are_not_replaced_unasked() {
  QFile half(f_->file("out_half1.mrc"));
  QVERIFY(half.open(QIODevice::WriteOnly));
  half.close();
  ExportDialog dialog(*f_->document.items().current(), QStringLiteral("out"), f_->file(""),
                      f_->window.get());
  dialog.show();
  dialog.findChild<QRadioButton*>(QStringLiteral("export_mrc"))->click();
  QVERIFY(dialog.options().halves);
  QString asked;
  QTimer::singleShot(0, this, [&asked] {
    auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (question == nullptr) return;
    asked = question->text();
    question->button(QMessageBox::No)->click();
  });
  QMetaObject::invokeMethod(&dialog, "accept");
  QVERIFY2(asked.contains(QStringLiteral("out_half1.mrc")), qPrintable(asked));
  QCOMPARE(dialog.result(), int(QDialog::Rejected));
}

void ReconstructTest::the_map_grows_and_is_kept_early() {
  // Seven times the work: there is time to press some buttons.
  constexpr int kImages = 10'000;
  open({.images = kImages, .side = 48, .noise = 1.0});
  type_symmetry(QStringLiteral("D7"));
  press("reconstruct_start");
  QTRY_VERIFY_WITH_TIMEOUT(f_->document.growing().id() != 0, 60'000);
  const Item* item = f_->document.items().find(f_->document.growing().id());
  QVERIFY(item != nullptr && item->growing);
  QCOMPARE(f_->document.items().current(), item);
  // Its surface is seen in 3-D, unless its projection is wanted.
  MipView& mip = f_->window->views().mip();
  QTRY_VERIFY(mip.shows_surface());
  auto* surface = find<QAbstractButton>("reconstruct_surface");
  QTest::mouseClick(surface, Qt::LeftButton, {}, QPoint(8, surface->height() / 2));
  QTRY_VERIFY(!mip.shows_surface());
  QVERIFY(growth().running());
  // What grows is in the slices, and nothing can be done to it.
  QVERIFY(!f_->document.runner().supports({"statistics", {}}));
  // Of what grows nothing is left to undo.
  const int undos = f_->document.undo_stack().count();
  f_->document.edits().set_voxel_size(item->id, {9.0, 9.0, 9.0, "Å"});
  DisplaySettings display = item->display;
  display.contrast.gamma = 2.0;
  f_->document.edits().set_display(item->id, display);
  QCOMPARE(item->display.contrast.gamma, 2.0);
  QCOMPARE(f_->document.undo_stack().count(), undos);
  QVERIFY2(messages_.last().contains(QStringLiteral("growing")), qPrintable(messages_.last()));
  QTRY_VERIFY(find<QLabel>("reconstruct_progress")
                  ->text()
                  .contains(QStringLiteral("of %L1 images").arg(kImages)));
  QVERIFY(growth().running());
  press("reconstruct_keep");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QVERIFY(map()->partial);
  QVERIFY(map()->images > 0 && map()->images < kImages);
  QCOMPARE(f_->document.growing().id(), 0U);
  // The recipe gives this map again.
  const Operation& step = f_->document.items().current()->recipe.steps.back();
  QCOMPARE(std::get<std::int64_t>(step.parameters.at("images")), map()->images);
  const auto again =
      execute({step}, f_->document.items().all().front().dataset, f_->document.backend());
  QVERIFY(again.ok());
  QVERIFY(again.value().data->volume().reconstruction->map == map()->map);
}

void ReconstructTest::a_run_can_be_cancelled() {
  open({.images = 6000, .side = 48});
  type_symmetry(QStringLiteral("D7"));
  press("reconstruct_start");
  QTRY_VERIFY_WITH_TIMEOUT(f_->document.growing().id() != 0, 60'000);
  press("reconstruct_cancel");
  QVERIFY(f_->settle());
  QTRY_VERIFY(!growth().running());
  QCOMPARE(f_->document.growing().id(), 0U);
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(find<QPushButton>("reconstruct_start")->isVisible());
}

void ReconstructTest::a_missing_stack_is_said() {
  truth_ = aprscope::test::write_projection_set(f_->folder().path());
  QVERIFY(QFile::remove(f_->file("molecule.mrcs")));
  f_->document.opener().open({f_->file("molecule.star")});
  QTRY_VERIFY(!messages_.isEmpty());
  const QString text = messages_.last();
  QVERIFY2(text.contains(QStringLiteral("molecule.mrcs")), qPrintable(text));
  QVERIFY(f_->document.items().all().empty());
}

void ReconstructTest::another_symmetry_shows_its_views() {
  open();
  type_symmetry(QStringLiteral("C3"));
  // They are counted in the background, and what does not change them counts nothing.
  QTRY_COMPARE(views(), 180.0);
  auto* panel = f_->window->findChild<ReconstructPanel*>();
  QVERIFY(f_->settle());
  emit panel->form()->operation_edited(panel->form()->operation());
  QVERIFY(!f_->document.background().busy());
}

void ReconstructTest::an_asymmetric_unit_is_outlined() {
  DirectionMap own;
  own.resize(360, own.height());
  DirectionHistogram even;
  even.counts.assign(static_cast<std::size_t>(even.rows * even.columns), 1.0);
  const auto picture = [&](const char* symmetry) {
    own.set_directions(even, *symmetry_group(symmetry));
    return own.grab().toImage();
  };
  own.set_directions(even);
  const QImage plain = own.grab().toImage();
  QVERIFY(picture("C1") == plain);
  QVERIFY(own.outline().empty());
  const QImage outlined = picture("D7");
  QVERIFY(outlined != plain);
  QVERIFY(!own.outline().empty());
  // Its lower side is the equator, light between two dark lines, from −25.7° to 25.7° of rot.
  const double scale = outlined.devicePixelRatio();
  const auto grey = [&](double x, double y) {
    return qGray(outlined.pixel(static_cast<int>(scale * x), static_cast<int>(scale * y)));
  };
  const double middle = own.height() / 2.0;
  const int light = std::max(grey(180.0, middle - 0.5), grey(180.0, middle + 0.5));
  int dark = 255;
  for (double y = middle - 3.0; y <= middle + 3.0; y += 0.5) dark = std::min(dark, grey(180.0, y));
  QVERIFY2(dark < 120 && light > dark + 60,
           qPrintable(QStringLiteral("%1 %2").arg(light).arg(dark)));
  // Everything far from it is as it was.
  for (const double x : {10.0, 100.0, 260.0, 350.0}) {
    QCOMPARE(grey(x, middle), qGray(plain.pixel(static_cast<int>(scale * x), 10)));
  }
  QVERIFY(picture("C1") == plain);
  // In the window, by the symmetry that is typed and of the map that is made with it.
  open({.images = 200});
  auto* shown = f_->window->findChild<DirectionMap*>();
  QTRY_COMPARE(views(), 200.0);
  QVERIFY(shown->outline().empty());
  type_symmetry(QStringLiteral("D7"));
  QTRY_COMPARE(views(), 2800.0);
  QVERIFY(!shown->outline().empty());
  type_symmetry(QStringLiteral("C1"));
  QTRY_COMPARE(views(), 200.0);
  QVERIFY(shown->outline().empty());
  type_symmetry(QStringLiteral("D7"));
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  // A map has its own, whatever is typed for the next one.
  type_symmetry(QStringLiteral("C1"));
  f_->window->findChild<DirectionFeed*>()->renew("C1");
  QVERIFY(f_->settle());
  QVERIFY(!shown->outline().empty());
}

void ReconstructTest::rows_without_a_tick_are_left_out() {
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

void ReconstructTest::rows_that_hold_a_condition_are_left_out() {
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

void ReconstructTest::all_images_are_correlated_with_a_map() {
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

void ReconstructTest::left_out_rows_come_back_with_a_workspace() {
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

void ReconstructTest::rows_that_cannot_be_used_are_left_out_by_a_button() {
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

void ReconstructTest::images_that_are_no_numbers_are_left_out_by_a_button() {
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

void ReconstructTest::an_image_is_shown_beside_its_reprojection() {
  open({.images = 200});
  auto* box = f_->window->findChild<ReprojectionBox*>();
  QVERIFY(box != nullptr);
  // No map, nothing to compare with.
  QVERIFY(!find<QComboBox>("reprojection_map")->isVisible());
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  f_->document.items().set_current(f_->document.items().all().front().id);
  QTRY_VERIFY(find<QComboBox>("reprojection_map")->isVisible());
  QTRY_COMPARE(table().rows(), std::size_t{200});
  QTableView& rows = view().table().view();
  rows.scrollTo(rows.model()->index(3, 0));
  QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                    rows.visualRect(rows.model()->index(3, 1)).center());
  QTRY_COMPARE(f_->document.view().crosshair().z, 3);
  QTRY_VERIFY(box->correlation().has_value());
  QVERIFY2(*box->correlation() > 0.95, qPrintable(QString::number(*box->correlation())));
  QVERIFY(find<QLabel>("reprojection_words")->text().contains(QStringLiteral("Image 4 ")));
  QCOMPARE(box->image().size(), QSize(32, 32));
  // Both pictures are of one image: their greys go together.
  double a = 0.0;
  double b = 0.0;
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const double p = qGray(box->image().pixel(x, y));
      const double q = qGray(box->projection().pixel(x, y));
      a += p;
      b += q;
      ab += p * q;
      aa += p * p;
      bb += q * q;
    }
  }
  constexpr double kPixels = 32.0 * 32.0;
  const double cosine =
      (ab - a * b / kPixels) / std::sqrt((aa - a * a / kPixels) * (bb - b * b / kPixels));
  QVERIFY2(cosine > 0.95, qPrintable(QString::number(cosine)));
  const QImage before = box->image();
  QTest::keyClick(&rows, Qt::Key_Down);
  QTRY_VERIFY(box->correlation().has_value() && box->image() != before);
  QVERIFY(find<QLabel>("reprojection_words")->text().contains(QStringLiteral("Image 5 ")));
}

void ReconstructTest::the_curve_of_the_half_maps_reads_right() {
  open({.images = 200});
  auto* images = qobject_cast<QSpinBox*>(
      f_->window->findChild<ReconstructPanel*>()->form()->control("images"));
  QVERIFY(images != nullptr);
  QCOMPARE(images->text(), QStringLiteral("all"));
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QTRY_VERIFY(view().measurement() != nullptr && !view().measurement()->curves.empty());
  CurveView& curve = view().curve();
  QTRY_VERIFY(curve.plot().axisRect()->width() > 50);
  QVERIFY(curve.plot().yAxis->range().lower <= 0.0);
  QVERIFY(curve.plot().yAxis->range().upper >= 1.0);
  QVERIFY(curve.plot().yAxis->range().upper < 1.2);
  // Two voxels of 2 Å.
  QCOMPARE(curve.curve().marks.back().x, 0.25);
  // Below the pointer: shell 8 of 32 px of 2 Å is 8 Å.
  const double pixel = curve.plot().xAxis->coordToPixel(8.0 / 64.0);
  const int row = curve.plot().axisRect()->rect().center().y();
  QVERIFY(move_pointer(curve.plot(), QPoint(static_cast<int>(std::lround(pixel)), row)));
  QTRY_VERIFY2(curve.reading().contains(QStringLiteral("0.125 (8 Å)")),
               qPrintable(curve.reading()));
}

APRSCOPE_GUI_TEST_MAIN(ReconstructTest)
#include "reconstruct_test.moc"
