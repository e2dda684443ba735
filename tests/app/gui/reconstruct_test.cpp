// Reconstruction in the window: the map that grows and is kept, its symmetry and its curve.
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/gui/document/map_growth.hpp"
#include "app/gui/panels/direction_feed.hpp"
#include "app/gui/panels/growing_surface.hpp"
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
#include "core/projections/reprojection.hpp"
#include "tests/app/gui/reconstruct_fixture.hpp"
#include "tests/support/projection_set.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ReconstructTest : public ReconstructFixture {
  Q_OBJECT

 private slots:
  void init() { start(); }
  void cleanup() { end(); }
  void a_map_is_made_and_undone();
  void the_map_grows_and_is_kept_early();
  void a_run_can_be_cancelled();
  void a_missing_stack_is_said();
  void another_symmetry_shows_its_views();
  void an_asymmetric_unit_is_outlined();
  void an_image_is_shown_beside_its_reprojection();
  void the_curve_of_the_half_maps_reads_right();

 private:
  void half_maps_are_not_replaced_unasked();
};

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
  // What is asked for is the same once the dialog is closed.
  dialog.hide();
  QVERIFY(dialog.options().halves);
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
  QTRY_VERIFY(mip.rays().shows_surface());
  auto* surface = find<QAbstractButton>("reconstruct_surface");
  QTest::mouseClick(surface, Qt::LeftButton, {}, QPoint(8, surface->height() / 2));
  QTRY_VERIFY(!mip.rays().shows_surface());
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
  QVERIFY2(messages_.last().contains(QStringLiteral("still being computed")),
           qPrintable(messages_.last()));
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

APRSCOPE_GUI_TESTS(ReconstructTest)
#include "reconstruct_test.moc"
