// Reconstruction in the window: a set of projections, its table, the map that grows and is kept.
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QTableView>
#include <QTimer>
#include <QUndoStack>
#include <cmath>

#include "app/gui/ctf_view.hpp"
#include "app/gui/data_list.hpp"
#include "app/gui/direction_map.hpp"
#include "app/gui/export_dialog.hpp"
#include "app/gui/map_growth.hpp"
#include "app/gui/measurement_view.hpp"
#include "app/gui/operation_form.hpp"
#include "app/gui/reconstruct_panel.hpp"
#include "app/gui/table_view.hpp"
#include "core/projections/backproject.hpp"
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
  void a_map_is_made_and_undone();
  void the_map_grows_and_is_kept_early();
  void a_run_can_be_cancelled();
  void a_missing_stack_is_said();
  void another_symmetry_shows_its_views();

 private:
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
    QVERIFY(f_->document.current() != nullptr);
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
    const Item* item = f_->document.current();
    if (item == nullptr || item->growing || item->is_apr()) return nullptr;
    return item->dataset->volume().reconstruction.get();
  }
  // Of the current item with the molecule that was projected.
  double correlation() {
    const std::vector<float>& found = f_->document.current()->dataset->pixels_f32().values;
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
  connect(&f_->document, &Document::message, this,
          [this](MessageKind, const QString& text) { messages_ << text; });
}

void ReconstructTest::cleanup() { f_.reset(); }

void ReconstructTest::a_table_opens_as_its_images() {
  open();
  const Item& item = *f_->document.current();
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
  QTRY_COMPARE(f_->document.crosshair().z, 4);
  // The wheel over the slice goes on, and the row follows.
  SliceView& slice = f_->slice(Axis::z);
  QVERIFY(move_pointer(slice, slice.rect().center()));
  QTest::keyClick(&slice, Qt::Key_PageUp);
  QTRY_VERIFY(f_->document.crosshair().z != 4);
  const auto at = static_cast<std::size_t>(f_->document.crosshair().z);
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

void ReconstructTest::a_map_is_made_and_undone() {
  open({.images = 200});
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QCOMPARE(map()->images, 200);
  QVERIFY(!map()->partial);
  QCOMPARE(f_->document.current()->dataset->size(), (Size3{32, 32, 32}));
  QCOMPARE(f_->document.current()->dataset->voxel().x, 2.0);
  QVERIFY2(correlation() > 0.97, qPrintable(QString::number(correlation())));
  half_maps_are_not_replaced_unasked();
  // Nothing is left of what grew, and one step takes the map back.
  QCOMPARE(f_->document.growing(), 0U);
  QCOMPARE(f_->document.items().size(), std::size_t{2});
  // Its half maps are measured below the slices.
  QTRY_VERIFY(view().isVisible() && view().measurement() != nullptr &&
              !view().measurement()->curves.empty());
  const std::vector<double>& fsc = view().measurement()->curves.front().ys.front().values;
  QVERIFY2(fsc.size() > 10 && fsc[4] > 0.9, qPrintable(QString::number(fsc.size())));
  // Looking at the map, another is made of the same images.
  QVERIFY(find<QPushButton>("reconstruct_start")->isEnabled());
  press("reconstruct_start");
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().size(), std::size_t{3});
  QCOMPARE(f_->document.items()[2].parent, f_->document.items()[0].id);
  f_->document.undo_stack().undo();
  f_->document.undo_stack().undo();
  QCOMPARE(f_->document.items().size(), std::size_t{1});
}

// The main file is new, one of the half maps is there.
void ReconstructTest::half_maps_are_not_replaced_unasked() {
  QFile half(f_->file("out_half1.mrc"));
  QVERIFY(half.open(QIODevice::WriteOnly));
  half.close();
  ExportDialog dialog(*f_->document.current(), QStringLiteral("out"), f_->file(""),
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
  // Seven times the work: there is time to press a button.
  open({.images = 6000, .side = 48, .noise = 1.0});
  type_symmetry(QStringLiteral("D7"));
  press("reconstruct_start");
  QTRY_VERIFY_WITH_TIMEOUT(f_->document.growing() != 0, 60'000);
  const Item* item = f_->document.item(f_->document.growing());
  QVERIFY(item != nullptr && item->growing);
  QCOMPARE(f_->document.current(), item);
  // What grows is in the slices, and nothing can be done to it.
  QVERIFY(!f_->document.supports({"statistics", {}}));
  // Of what grows nothing is left to undo.
  const int undos = f_->document.undo_stack().count();
  f_->document.set_voxel_size(item->id, {9.0, 9.0, 9.0, "Å"});
  DisplaySettings display = item->display;
  display.contrast.gamma = 2.0;
  f_->document.set_display(item->id, display);
  QCOMPARE(item->display.contrast.gamma, 2.0);
  QCOMPARE(f_->document.undo_stack().count(), undos);
  QVERIFY2(messages_.last().contains(QStringLiteral("growing")), qPrintable(messages_.last()));
  QTRY_VERIFY(find<QLabel>("reconstruct_progress")
                  ->text()
                  .contains(QStringLiteral("of %L1 images").arg(6000)));
  QVERIFY(growth().running());
  press("reconstruct_keep");
  QVERIFY(f_->settle());
  QTRY_VERIFY(map() != nullptr);
  QVERIFY(map()->partial);
  QVERIFY(map()->images > 0 && map()->images < 6000);
  QCOMPARE(f_->document.growing(), 0U);
  // The recipe gives this map again.
  const Operation& step = f_->document.current()->recipe.steps.back();
  QCOMPARE(std::get<std::int64_t>(step.parameters.at("images")), map()->images);
  const auto again = execute({step}, f_->document.items().front().dataset, f_->document.backend());
  QVERIFY(again.ok());
  QVERIFY(again.value().data->volume().reconstruction->map == map()->map);
}

void ReconstructTest::a_run_can_be_cancelled() {
  open({.images = 6000, .side = 48});
  type_symmetry(QStringLiteral("D7"));
  press("reconstruct_start");
  QTRY_VERIFY_WITH_TIMEOUT(f_->document.growing() != 0, 60'000);
  press("reconstruct_cancel");
  QVERIFY(f_->settle());
  QTRY_VERIFY(!growth().running());
  QCOMPARE(f_->document.growing(), 0U);
  QCOMPARE(f_->document.items().size(), std::size_t{1});
  QVERIFY(find<QPushButton>("reconstruct_start")->isVisible());
}

void ReconstructTest::a_missing_stack_is_said() {
  truth_ = aprscope::test::write_projection_set(f_->folder().path());
  QVERIFY(QFile::remove(f_->file("molecule.mrcs")));
  f_->document.open({f_->file("molecule.star")});
  QTRY_VERIFY(!messages_.isEmpty());
  const QString text = messages_.last();
  QVERIFY2(text.contains(QStringLiteral("molecule.mrcs")), qPrintable(text));
  QVERIFY(f_->document.items().empty());
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

APRSCOPE_GUI_TEST_MAIN(ReconstructTest)
#include "reconstruct_test.moc"
