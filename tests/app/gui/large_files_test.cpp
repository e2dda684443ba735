// Files that do not fit into memory, driven with real events: an image becomes particles from file
// to file, particles show a level, and a box of what one zooms in on comes at full resolution.
// Cropping what does fit goes the same way.
#include "app/gui/document/large_files.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>

#include "app/gui/window/crop_dialog.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kSize{64, 96, 128};
// Less than the image takes with its f32 copy (4.7 MB), or its particles; more than a level of
// these.
constexpr std::uint64_t kLittle = 100'000;
const Index3 kBright{40, 70, 90};

void click(QAbstractButton* button) { QTest::mouseClick(button, Qt::LeftButton); }

void type_into(QSpinBox* field, int value) {
  field->setFocus();
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(field, QString::number(value));
  QTest::keyClick(field, Qt::Key_Tab);
}

}  // namespace

class LargeFilesTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void an_image_becomes_particles_that_show_an_overview();
  void one_may_leave_it();
  void what_one_zooms_in_on_comes_at_full_resolution();
  void what_was_tried_on_a_box_is_done_on_the_whole_file();
  void an_overview_comes_first_and_all_takes_its_place();
  void all_stands_beside_an_overview_that_was_used();
  void what_ran_on_an_overview_meanwhile_stands_by_itself();
  void a_workspace_brings_both_back();
  void particles_without_a_tree_are_read_whole();
  void the_image_may_be_opened_all_the_same();
  void a_box_of_converted_particles_meets_its_pixels();
  void pixels_are_cropped();
  void the_box_is_drawn_in_the_slices();
  void particles_are_cropped_with_whole_cells_or_without();
  void a_dialog_follows_the_words_of_the_axes();
  void the_program_says_what_it_cannot_ask();

 private:
  // The image as particles with their tree, in a file.
  QString particles(const char* name, bool with_tree = true);
  CropDialog* crop_dialog();
  // Drags the left button between places of a slice, in pixels of rows and columns.
  static void drag(SliceView& view, double row, double col, double to_row, double to_col);
  QSpinBox* field(CropDialog* dialog, const char* name) {
    return dialog->findChild<QSpinBox*>(QLatin1String(name));
  }
  void accept(CropDialog* dialog) {
    click(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok));
    QVERIFY(f_->settle());
  }
  const Item& current() { return *f_->document.items().current(); }

  std::unique_ptr<WindowFixture> f_;
};

void LargeFilesTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_block_tiff(f_->file("block.tif"), kSize, kBright);
}

void LargeFilesTest::cleanup() { f_.reset(); }

QString LargeFilesTest::particles(const char* name, bool with_tree) {
  auto image = load_file(f_->file("block.tif").toStdString());
  if (!image) qFatal("%s", image.error().message().c_str());
  auto made = execute({{"convert", {}}}, Dataset::create(*std::move(image)), *cpu_backend());
  if (!made) qFatal("%s", made.error().message().c_str());
  AprWriteOptions options;
  options.with_tree = with_tree;
  QString path = f_->file(name);
  const Status done = write_apr(made->data->apr(), path.toStdString(), options);
  if (!done) qFatal("%s", done.error().message().c_str());
  return path;
}

CropDialog* LargeFilesTest::crop_dialog() {
  QTest::keyClick(f_->window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  CropDialog* dialog = nullptr;
  // Of a level, the file is looked up first.
  const bool there = QTest::qWaitFor(
      [&] { return (dialog = f_->window->findChild<CropDialog*>()) != nullptr; }, 60000);
  return there ? dialog : nullptr;
}

void LargeFilesTest::drag(SliceView& view, double row, double col, double to_row, double to_col) {
  const QPoint from = view.to_widget(row, col).toPoint();
  const QPoint to = view.to_widget(to_row, to_col).toPoint();
  QTest::mousePress(&view, Qt::LeftButton, {}, from);
  for (int i = 1; i <= 4; ++i) QTest::mouseMove(&view, from + (to - from) * i / 4);
  QTest::mouseMove(&view, to);
  QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
}

void LargeFilesTest::an_image_becomes_particles_that_show_an_overview() {
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({f_->file("block.tif")}));
  auto* box = f_->window->findChild<QMessageBox*>(QStringLiteral("conversion_box"));
  QVERIFY(box != nullptr);
  QVERIFY(box->text().contains(QStringLiteral("64 × 96 × 128 pixels")));
  QCOMPARE(f_->document.items().all().size(), std::size_t{0});
  for (QAbstractButton* button : box->buttons()) {
    if (box->buttonRole(button) == QMessageBox::AcceptRole) click(button);
  }
  auto* dialog = f_->window->findChild<QFileDialog*>();
  QVERIFY(dialog != nullptr);
  // The name is proposed; another folder and name are typed.
  QVERIFY(dialog->selectedFiles().front().endsWith(QStringLiteral("block.apr")));
  auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  name->setText(f_->file("made.apr"));
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(f_->settle());
  // It is there, whole, with its tree; and since it does not fit either, a level of it is shown.
  auto made = load_file(f_->file("made.apr").toStdString());
  QVERIFY2(made.ok(), made.ok() ? "" : made.error().message().c_str());
  QCOMPARE(std::get<Apr>(*made).tree_fields.size(), std::size_t{1});
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(f_->settle());
  QVERIFY(!current().is_apr());
  QVERIFY2(current().name.startsWith(QStringLiteral("made (level ")), qPrintable(current().name));
  QVERIFY(current().name.endsWith(QStringLiteral(" of 7)")));
  QVERIFY2(f_->window->message_bar().text().contains(QStringLiteral("does not fit into memory")),
           qPrintable(f_->window->message_bar().text()));
  // The block is seen at its place, in voxels of the right size.
  const auto shift = kSize.y / current().dataset->size().y;
  QVERIFY(shift > 1);
  QCOMPARE(current().dataset->voxel().z, 2.0 * static_cast<double>(shift));
  f_->document.view().set_crosshair({kBright.z / shift, kBright.x / shift, kBright.y / shift});
  QVERIFY(f_->settle());
  const Plane& plane = f_->picture(Axis::z).plane;
  const auto at = [&](std::int64_t x, std::int64_t y) {
    return plane.values[static_cast<std::size_t>(x * plane.cols + y)];
  };
  QVERIFY(at(kBright.x / shift, kBright.y / shift) > at(1, 1) + 100.0F);
  // Nothing is lost with it.
  f_->window->close();
  QVERIFY(f_->window->findChild<QMessageBox*>(QStringLiteral("unsaved_box")) == nullptr);
}

void LargeFilesTest::one_may_leave_it() {
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({f_->file("block.tif")}));
  auto* box = f_->window->findChild<QMessageBox*>(QStringLiteral("conversion_box"));
  QVERIFY(box != nullptr);
  click(box->button(QMessageBox::Cancel));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{0});
  QVERIFY(f_->window->findChild<QFileDialog*>() == nullptr);
}

void LargeFilesTest::what_one_zooms_in_on_comes_at_full_resolution() {
  const QString path = particles("large.apr");
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({path}));
  QVERIFY(file_level(current()));
  const auto shift = kSize.y / current().dataset->size().y;
  // The wheel with Ctrl zooms about the pointer.
  f_->document.view().set_crosshair({kBright.z / shift, kBright.x / shift, kBright.y / shift});
  QVERIFY(f_->settle());
  SliceView& xy = f_->slice(Axis::z);
  const QPointF place = xy.to_widget(static_cast<double>(kBright.x) / static_cast<double>(shift),
                                     static_cast<double>(kBright.y) / static_cast<double>(shift));
  for (int i = 0; i < 6; ++i) {
    QWheelEvent zoom(place, xy.mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(&xy, &zoom);
  }
  QVERIFY(f_->settle());
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  // The box is of the full image, smaller than it, and holds what was zoomed in on.
  const Region seen = dialog->box();
  QVERIFY(seen.size().x < kSize.x && seen.size().y < kSize.y);
  QVERIFY(seen.begin.x <= kBright.x && kBright.x < seen.end.x);
  QVERIFY(seen.begin.y <= kBright.y && kBright.y < seen.end.y);
  // Drawn on the level, it is told in pixels of the full image.
  const double row = static_cast<double>(kBright.x) / static_cast<double>(shift);
  const double col = static_cast<double>(kBright.y) / static_cast<double>(shift);
  auto* keep = dialog->findChild<QCheckBox*>(QStringLiteral("crop_whole"));
  keep->setChecked(false);
  type_into(field(dialog, "crop_first_z"), 34);
  type_into(field(dialog, "crop_last_z"), 47);
  drag(xy, row - 1.0, col - 1.0, row + 1.0, col + 1.0);
  const Region drawn = dialog->box();
  // What was typed and not dragged stays as it is.
  QVERIFY(drawn.begin.z == 33 && drawn.end.z == 47);
  QVERIFY(drawn.begin.x <= kBright.x && kBright.x < drawn.end.x);
  QVERIFY(drawn.begin.y <= kBright.y && kBright.y < drawn.end.y);
  QVERIFY(drawn.end.x % shift == 0 && drawn.end.x <= kBright.x + 3 * shift);
  keep->setChecked(true);
  type_into(field(dialog, "crop_first_z"), 33);
  type_into(field(dialog, "crop_last_z"), 48);
  type_into(field(dialog, "crop_first_x"), 65);
  type_into(field(dialog, "crop_last_x"), 80);
  type_into(field(dialog, "crop_first_y"), 81);
  type_into(field(dialog, "crop_last_y"), 110);
  const Region box{{32, 64, 80}, {48, 80, 110}};
  QCOMPARE(dialog->findChild<QLabel*>(QStringLiteral("crop_size"))->text(),
           QStringLiteral("16 × 16 × 30 pixels of 64 × 96 × 128, from 33, 65, 81"));
  accept(dialog);
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(current().is_apr());
  QVERIFY(current().dataset->size() == box.size());
  QCOMPARE(current().dataset->voxel().z, 2.0);
  QVERIFY2(current().name.contains(QStringLiteral("z 33–48, rows 65–80, columns 81–110")),
           qPrintable(current().name));
  // The same as of the whole file, and the picture shows it.
  auto whole_file = load_file(path.toStdString());
  QVERIFY(whole_file.ok());
  const Apr& apr = std::get<Apr>(*whole_file);
  const auto expected =
      reconstruct(*apr.access, apr.main_field()->to_float(), ReconstructionMode::constant, box);
  QVERIFY(expected.ok());
  f_->document.view().set_crosshair({kBright.z - box.begin.z, 0, 0});
  QVERIFY(f_->settle());
  const Plane& plane = f_->picture(Axis::z).plane;
  QCOMPARE(plane.rows, std::int64_t{16});
  QCOMPARE(plane.cols, std::int64_t{30});
  for (std::int64_t x = 0; x < 16; ++x) {
    for (std::int64_t y = 0; y < 30; ++y) {
      QCOMPARE(plane.values[static_cast<std::size_t>(x * 30 + y)],
               expected->at(kBright.z - box.begin.z, x, y));
    }
  }
}

void LargeFilesTest::what_was_tried_on_a_box_is_done_on_the_whole_file() {
  const QString path = particles("large.apr");
  LargeFiles& large = f_->document.opener().large_files();
  large.set_memory(kLittle);
  QVERIFY(f_->drop({path}));
  QAction* action = f_->window->findChild<QAction*>(QStringLiteral("apply_to_whole"));
  // Of an overview there is nothing to apply, as its pixels are larger.
  QVERIFY(file_level(current()));
  QVERIFY(!action->isEnabled());
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  type_into(field(dialog, "crop_first_z"), 33);
  type_into(field(dialog, "crop_last_z"), 48);
  accept(dialog);
  QVERIFY(current().is_apr());
  QVERIFY(!action->isEnabled());
  const Operation smooth{"gaussian", {{"sigma", std::array<double, 3>{1.0, 1.0, 1.0}}}};
  f_->document.runner().apply(smooth);
  QVERIFY(f_->settle());
  QCOMPARE(current().recipe.steps.size(), std::size_t{2});
  QVERIFY(action->isEnabled());
  // The whole of so small a file fits, and is shown; slabs: slab_execution_test.cpp.
  large.set_memory(std::uint64_t{1} << 30U);
  action->trigger();
  auto* file = f_->window->findChild<QFileDialog*>();
  QVERIFY(file != nullptr);
  QVERIFY2(file->selectedFiles().front().endsWith(QStringLiteral("large-gaussian.apr")),
           qPrintable(file->selectedFiles().front()));
  auto* name = file->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  name->setText(f_->file("all.apr"));
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(f_->settle());
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{4});  // level, box, its result
  QVERIFY(f_->settle());
  QVERIFY2(current().name.startsWith(QStringLiteral("all")), qPrintable(current().name));
  // The file is what the filter makes of the whole.
  const auto whole =
      execute({smooth}, Dataset::create(*load_file(path.toStdString())), *cpu_backend());
  QVERIFY(whole.ok());
  const auto made = load_file(f_->file("all.apr").toStdString());
  QVERIFY2(made.ok(), made.ok() ? "" : made.error().message().c_str());
  QVERIFY(std::get<Apr>(*made).main_field()->values == whole->data->apr().main_field()->values);
  QVERIFY(std::get<Apr>(*made).history == whole->data->apr().history);
}

void LargeFilesTest::an_overview_comes_first_and_all_takes_its_place() {
  const QString path = particles("fits.apr");
  LargeFiles& large = f_->document.opener().large_files();
  large.set_at_once(kLittle);
  SliceView& xy = f_->slice(Axis::z);
  // What one does before all is read: looks at a place, and zooms in on it.
  std::optional<Size3> overview;
  SliceCamera looked_at;
  bool asked = false;
  connect(&f_->document.items(), &ItemList::current_changed, xy.window(), [&] {
    if (f_->document.items().current() == nullptr || overview) return;
    overview = current().dataset->size();
    asked = file_level(current()).has_value();
    const auto shift = kSize.y / overview->y;
    const Index3 at{kBright.z / shift, kBright.x / shift, kBright.y / shift};
    f_->document.view().set_crosshair(at);
    xy.navigation().zoom_at(4.0,
                            xy.to_widget(static_cast<double>(at.x), static_cast<double>(at.y)));
    looked_at = xy.navigation().camera();
  });
  QVERIFY(f_->drop({path}));
  QVERIFY(asked && overview->y < kSize.y);
  // It is one item, the whole file, at the same place.
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(current().is_apr() && current().dataset->size() == kSize);
  QVERIFY(current().recipe.steps.empty() && current().source);
  QCOMPARE(current().name, QStringLiteral("fits"));
  const std::int64_t side = kSize.y / overview->y;
  const auto shift = static_cast<double>(side);
  const Index3& cross = f_->document.view().crosshair();
  QVERIFY(std::abs(cross.z - kBright.z) <= side);
  QVERIFY(std::abs(cross.y - kBright.y) <= side);
  QVERIFY(xy.crosshair() == cross);
  const SliceCamera camera = xy.navigation().camera();
  QVERIFY(std::abs(camera.col - looked_at.col * shift) < 0.01);
  QVERIFY(std::abs(camera.row - looked_at.row * shift) < 0.01);
  QVERIFY(std::abs(camera.scale - looked_at.scale) < 1e-9);
  // And it can be worked with: its slices are those of the file.
  f_->document.view().set_crosshair(kBright);
  QVERIFY(f_->settle());
  const Plane& plane = f_->picture(Axis::z).plane;
  QCOMPARE(plane.rows, kSize.x);
  QVERIFY(plane.values[static_cast<std::size_t>(kBright.x * plane.cols + kBright.y)] > 3000.0F);
  f_->trigger("undo");
  QVERIFY(f_->document.items().all().empty());
}

void LargeFilesTest::all_stands_beside_an_overview_that_was_used() {
  const QString path = particles("fits.apr");
  f_->document.opener().large_files().set_at_once(kLittle);
  // A result of the overview, made as soon as it is there.
  connect(&f_->document.items(), &ItemList::current_changed, f_->window.get(), [&] {
    const Item* item = f_->document.items().current();
    if (item == nullptr || !file_level(*item) || f_->document.items().all().size() > 1) return;
    Item result = *item;
    result.id = 0;
    result.name = QStringLiteral("result");
    descend(result, *item, f_->document.items());
    f_->document.items().add(std::move(result), QStringLiteral("a result"), false);
  });
  QVERIFY(f_->drop({path}));
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  QVERIFY(file_level(current()));
  const Item& all = f_->document.items().all()[2];
  QVERIFY(all.is_apr() && all.dataset->size() == kSize && all.recipe.steps.empty());
}

void LargeFilesTest::what_ran_on_an_overview_meanwhile_stands_by_itself() {
  const QString path = particles("fits.apr");
  f_->document.opener().large_files().set_at_once(kLittle);
  std::optional<Item> overview;
  connect(&f_->document.items(), &ItemList::current_changed, f_->window.get(), [&] {
    const Item* item = f_->document.items().current();
    if (item != nullptr && !overview) overview = *item;
  });
  QVERIFY(f_->drop({path}));
  QVERIFY(overview && file_level(*overview));
  QCOMPARE(current().id, overview->id);
  QVERIFY(!file_level(current()));
  // A result of the overview that comes only now is none of what stands in its place.
  Item late = *overview;
  descend(late, *overview, f_->document.items());
  QCOMPARE(late.parent, std::uint64_t{0});
  QVERIFY2(late.origin.contains(QStringLiteral("level")), qPrintable(late.origin));
  // One of what is there is.
  Item next = current();
  descend(next, current(), f_->document.items());
  QCOMPARE(next.parent, current().id);
}

void LargeFilesTest::a_workspace_brings_both_back() {
  const QString path = particles("large.apr");
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({path}));
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  type_into(field(dialog, "crop_first_z"), 33);
  accept(dialog);
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  const Item level = f_->document.items().all()[0];
  const Item box = f_->document.items().all()[1];
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture again;
  QVERIFY(again.drop({f_->file("w.aprscope")}));
  QCOMPARE(again.document.items().all().size(), std::size_t{2});
  const Item& first = again.document.items().all()[0];
  const Item& second = again.document.items().all()[1];
  QCOMPARE(first.name, level.name);
  QVERIFY(file_level(first) == file_level(level));
  QVERIFY(first.dataset->size() == level.dataset->size());
  QCOMPARE(second.name, box.name);
  QVERIFY(second.dataset->apr().access->particles() == box.dataset->apr().access->particles());
}

void LargeFilesTest::particles_without_a_tree_are_read_whole() {
  const QString path = particles("bare.apr", false);
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({path}));
  QVERIFY(current().is_apr());
  QVERIFY(!is_file_part(current()));
}

void LargeFilesTest::the_image_may_be_opened_all_the_same() {
  f_->document.opener().large_files().set_memory(kLittle);
  QVERIFY(f_->drop({f_->file("block.tif")}));
  auto* box = f_->window->findChild<QMessageBox*>(QStringLiteral("conversion_box"));
  QVERIFY(box != nullptr);
  for (QAbstractButton* button : box->buttons()) {
    if (box->buttonRole(button) == QMessageBox::ActionRole) click(button);
  }
  QVERIFY(f_->settle());
  QVERIFY(current().dataset->size() == kSize);
  QVERIFY(current().source);
}

void LargeFilesTest::a_box_of_converted_particles_meets_its_pixels() {
  QVERIFY(f_->drop({f_->file("block.tif")}));
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  type_into(field(dialog, "crop_first_z"), 33);
  accept(dialog);
  const std::uint64_t id = f_->document.items().current_id();
  const Size3 size = current().dataset->size();
  QVERIFY(size == (Size3{32, 96, 128}));
  // The image before is of another size: it is not offered.
  QVERIFY(current().pixels == nullptr && !current().supports(ShowMode::pixel));
  // The same on pixels is the box of the image.
  f_->trigger("compare_pixels");
  QVERIFY(f_->settle());
  const Item* other = nullptr;
  for (const Item& item : f_->document.items().all()) {
    if (!item.is_apr() && item.dataset->size() == size) other = &item;
  }
  QVERIFY(other != nullptr);
  QCOMPARE(other->dataset->volume().value({kBright.z - 32, kBright.x, kBright.y}), 4000.0F);
  // And after a workspace, too.
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture again;
  QVERIFY(again.drop({f_->file("w.aprscope")}));
  for (const Item& item : again.document.items().all()) {
    QVERIFY(!item.pixels || item.pixels->size() == item.dataset->size());
  }
  QVERIFY(f_->document.items().find(id) != nullptr);
}

void LargeFilesTest::pixels_are_cropped() {
  QVERIFY(f_->drop({f_->file("block.tif")}));
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  // All of it is seen; cells are of no concern.
  QVERIFY(dialog->box().size() == kSize);
  QVERIFY(!dialog->findChild<QCheckBox*>()->isVisible());
  type_into(field(dialog, "crop_first_x"), 70);
  type_into(field(dialog, "crop_last_x"), 75);
  accept(dialog);
  QVERIFY(current().dataset->size() == (Size3{64, 6, 128}));
  QCOMPARE(current().dataset->volume().value({40, 1, 90}), 4000.0F);  // row 71 of the whole
  QCOMPARE(current().parent, f_->document.items().all().front().id);
  f_->trigger("undo");
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
}

void LargeFilesTest::the_box_is_drawn_in_the_slices() {
  QVERIFY(f_->drop({f_->file("block.tif")}));
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  // A rectangle in xy, then slices in xz.
  drag(f_->slice(Axis::z), 60.5, 70.5, 81.5, 99.5);
  QVERIFY(dialog->box().begin == (Index3{0, 60, 70}) && dialog->box().end == (Index3{64, 82, 100}));
  QVERIFY(field(dialog, "crop_first_x")->value() == 61);
  QVERIFY(f_->slice(Axis::y).tools().box()->end == (Index3{64, 82, 100}));
  drag(f_->slice(Axis::y), 0.0, 70.5, 36.0, 70.5);
  QVERIFY(dialog->box().begin == (Index3{36, 60, 70}) &&
          dialog->box().end == (Index3{64, 82, 100}));
  // What is typed is drawn, and asking again shows the same dialog.
  type_into(field(dialog, "crop_last_z"), 50);
  QVERIFY(f_->slice(Axis::x).tools().box()->end == (Index3{50, 82, 100}));
  f_->trigger("crop");
  QCOMPARE(f_->window->findChildren<CropDialog*>().size(), 1);
  accept(dialog);
  QVERIFY(current().dataset->size() == (Size3{14, 22, 30}));
  QCOMPARE(current().dataset->volume().value({kBright.z - 36, kBright.x - 60, kBright.y - 70}),
           4000.0F);
  QTRY_VERIFY(!f_->slice(Axis::z).tools().box());
  // Nothing is left of one that is given up, by Escape or by a look at other data.
  QTRY_VERIFY(f_->window->findChild<CropDialog*>() == nullptr);
  QVERIFY((dialog = crop_dialog()) != nullptr);
  QVERIFY(f_->slice(Axis::z).tools().box());
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(!f_->slice(Axis::z).tools().box());
  QTRY_VERIFY(f_->window->findChild<CropDialog*>() == nullptr);
  QVERIFY(crop_dialog() != nullptr);
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(!f_->slice(Axis::z).tools().box());
  QTRY_VERIFY(f_->window->findChild<CropDialog*>() == nullptr);
  // A window may go while one is open.
  QVERIFY(crop_dialog() != nullptr);
  f_->window.reset();
}

void LargeFilesTest::particles_are_cropped_with_whole_cells_or_without() {
  QVERIFY(f_->drop({particles("a.apr")}));
  const std::uint64_t whole_id = f_->document.items().current_id();
  CropDialog* dialog = crop_dialog();
  QVERIFY(dialog != nullptr);
  auto* keep = dialog->findChild<QCheckBox*>(QStringLiteral("crop_whole"));
  QVERIFY(keep->isVisible() && keep->isChecked());
  // A box that is moved keeps its size, wherever its cells begin.
  drag(f_->slice(Axis::z), 20.5, 20.5, 40.5, 40.5);
  QVERIFY(dialog->box().begin == (Index3{0, 16, 16}) && dialog->box().end == (Index3{64, 41, 41}));
  drag(f_->slice(Axis::z), 28.5, 28.5, 48.5, 53.5);
  QVERIFY(dialog->box().begin == (Index3{0, 32, 32}) && dialog->box().end == (Index3{64, 57, 57}));
  type_into(field(dialog, "crop_first_x"), 1);
  type_into(field(dialog, "crop_last_x"), 96);
  type_into(field(dialog, "crop_last_y"), 128);
  type_into(field(dialog, "crop_first_y"), 70);
  QVERIFY(dialog->box().begin == (Index3{0, 0, 64}));
  accept(dialog);
  const auto whole_cells = current().dataset->apr().access->count();
  QVERIFY(current().dataset->size() == (Size3{64, 96, 64}));
  f_->document.items().set_current(whole_id);
  QVERIFY(f_->settle());
  dialog = crop_dialog();
  type_into(field(dialog, "crop_first_y"), 70);
  QTest::mouseClick(dialog->findChild<QCheckBox*>(QStringLiteral("crop_whole")), Qt::LeftButton, {},
                    {8, dialog->findChild<QCheckBox*>(QStringLiteral("crop_whole"))->height() / 2});
  QVERIFY(dialog->box().begin == (Index3{0, 0, 69}));
  accept(dialog);
  QVERIFY(current().dataset->size() == (Size3{64, 96, 59}));
  QVERIFY(current().dataset->apr().access->count() > whole_cells);
}

void LargeFilesTest::a_dialog_follows_the_words_of_the_axes() {
  QVERIFY(f_->drop({f_->file("block.tif")}));
  const auto has = [](CropDialog* dialog, const QString& text) {
    for (const QLabel* label : dialog->findChildren<QLabel*>()) {
      if (label->text() == text) return true;
    }
    return false;
  };
  CropDialog* dialog = crop_dialog();
  QVERIFY(has(dialog, QStringLiteral("Rows, x ↓")));
  dialog->reject();
  QTRY_VERIFY(f_->window->findChild<CropDialog*>() == nullptr);
  f_->trigger("axes_as_images");
  dialog = crop_dialog();
  QVERIFY(has(dialog, QStringLiteral("Columns, x →")));
  dialog->reject();
}

void LargeFilesTest::the_program_says_what_it_cannot_ask() {
  QProcess program;
  program.start(window_program(),
                {f_->file("block.tif"), QStringLiteral("--memory"), QStringLiteral("900KB"),
                 QStringLiteral("--screenshot"), f_->file("out.png")});
  QVERIFY(program.waitForFinished(120000));
  QCOMPARE(program.exitCode(), 1);
  const QString said = QString::fromUtf8(program.readAllStandardError());
  QVERIFY2(said.contains(QStringLiteral("convert --stream")), qPrintable(said));
}

APRSCOPE_GUI_TESTS(LargeFilesTest)
#include "large_files_test.moc"
