// Deconvolution: build a PSF, preview, watch a run, keep an iterate, cancel, pick beads, replay.
#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "app/gui/bead_picker.hpp"
#include "app/gui/convergence_plot.hpp"
#include "app/gui/deconvolution_run.hpp"
#include "app/gui/deconvolve_panel.hpp"
#include "app/gui/job_strip.hpp"
#include "app/gui/live_image.hpp"
#include "app/gui/operation_form.hpp"
#include "app/gui/psf_builder.hpp"
#include "app/gui/psf_view.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class DeconvolveTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void a_psf_is_built_and_shown();
  void what_is_on_screen_is_previewed();
  void each_iterate_is_shown_while_it_runs();
  void a_run_is_replayed_from_the_command_line();
  void a_run_goes_on_from_an_earlier_result_data();
  void a_run_goes_on_from_an_earlier_result();
  void what_no_run_can_start_from_says_why();
  void a_result_in_a_file_can_be_started_from();
  void the_psf_that_is_shown_is_the_one_that_is_used();
  void an_iterate_can_be_kept();
  void a_cancelled_run_leaves_nothing();
  void a_ground_truth_is_compared_with();
  void a_bad_psf_says_what_to_do_and_loses_nothing();
  void a_psf_larger_than_the_image_is_cut_at_a_click();
  void beads_are_picked_in_a_slice_and_averaged();
  void nothing_is_cut_off_at_the_panels_narrowest();

 private:
  DeconvolvePanel& panel() { return f_->window->deconvolve_panel(); }
  QAbstractButton* button(const char* name) {
    return panel().findChild<QAbstractButton*>(QLatin1String(name));
  }
  void choose(const char* kind);
  void type(const char* field, const QString& text);
  bool psf_ready();
  void set_iterations(int n);
  void set_preview(bool on);
  void write(const char* name, const Pixels<float>& pixels);
  /// Chooses in "Start from" with the keyboard.
  void start_from(std::uint64_t item);
  [[nodiscard]] QComboBox* starts() {
    return panel().findChild<QComboBox*>(QStringLiteral("deconvolve_start_from"));
  }
  /// Presses Deconvolve and waits for the result.
  void run_to_the_end(int iterations);
  [[nodiscard]] QByteArray bytes_of(const char* name) const;
  /// Exports the current item, and what the command line makes of its recipe; both must agree.
  void expect_same_from_the_command_line(const char* ending);

  std::unique_ptr<WindowFixture> f_;
};

void DeconvolveTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_cells_tiff(f_->file("cells.tif"), {20, 64, 72});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  f_->trigger("panel_deconvolve");
  QVERIFY(panel().isVisible());
  set_preview(false);
}

void DeconvolveTest::cleanup() { f_.reset(); }

void DeconvolveTest::choose(const char* kind) {
  auto* box = panel().findChild<QComboBox*>(QStringLiteral("psf_kind"));
  box->setFocus();
  const int to = box->findData(QLatin1String(kind));
  QVERIFY2(to >= 0, kind);
  while (box->currentIndex() < to) QTest::keyClick(box, Qt::Key_Down);
  while (box->currentIndex() > to) QTest::keyClick(box, Qt::Key_Up);
  QCOMPARE(box->currentData().toString(), QLatin1String(kind));
}

void DeconvolveTest::type(const char* field, const QString& text) {
  auto* box = panel().findChild<QAbstractSpinBox*>(QLatin1String(field));
  QVERIFY2(box != nullptr, field);
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, text);
  QTest::keyClick(box, Qt::Key_Return);
}

bool DeconvolveTest::psf_ready() {
  return QTest::qWaitFor(
      [this] {
        return panel().psf_builder()->psf().has_value() ||
               !panel().psf_builder()->error().isEmpty();
      },
      60000);
}

void DeconvolveTest::set_iterations(int n) { type("iterations", QString::number(n)); }

void DeconvolveTest::set_preview(bool on) {
  if (button("deconvolve_preview")->isChecked() != on) button("deconvolve_preview")->click();
}

void DeconvolveTest::write(const char* name, const Pixels<float>& pixels) {
  Volume volume;
  volume.pixels = pixels;
  volume.voxel = {1.0, 0.25, 0.25, "µm"};
  QVERIFY(write_tiff(volume, f_->file(name).toStdString()));
}

void DeconvolveTest::a_psf_is_built_and_shown() {
  QVERIFY(psf_ready());
  QVERIFY(panel().psf_builder()->psf().has_value());
  auto* facts = panel().findChild<QLabel*>(QStringLiteral("psf_facts"));
  auto* view = panel().findChild<PsfView*>(QStringLiteral("psf_view"));
  QVERIFY(!view->empty());
  // Sigma 2 px: 4.71 px wide, 4.71 µm in z, 1.18 across.
  QVERIFY2(facts->text().contains(QStringLiteral("1.18")), qPrintable(facts->text()));
  QVERIFY2(facts->text().contains(QStringLiteral("13 × 13 × 13 px")), qPrintable(facts->text()));
  type("psf_sigma_y", QStringLiteral("4"));
  QVERIFY(!panel().psf_builder()->psf().has_value());
  QVERIFY(psf_ready());
  QVERIFY2(facts->text().contains(QStringLiteral("13 × 13 × 25 px")), qPrintable(facts->text()));
  // Another kind has other fields.
  choose("born_wolf");
  QVERIFY(panel().psf_builder()->form()->control("psf_sigma") == nullptr);
  QVERIFY(panel().psf_builder()->form()->control("na") != nullptr);
  type("na", QStringLiteral("0.5"));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->error().isEmpty(), qPrintable(panel().psf_builder()->error()));
  QVERIFY(panel().psf_builder()->psf()->coverage < 1.0);
  // What no microscope has is said, and nothing can be started.
  type("n_immersion", QStringLiteral("1"));
  type("na", QStringLiteral("1.2"));
  QVERIFY(psf_ready());
  QVERIFY(panel().psf_builder()->error().contains(QStringLiteral("not below the index")));
  QVERIFY(!button("deconvolve_start")->isEnabled());
  // On particles each level's PSF is shown.
  choose("gaussian");
  QVERIFY(f_->document.apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  auto* levels = panel().findChild<QWidget*>(QStringLiteral("psf_levels"));
  QTRY_VERIFY(levels->isVisible());
}

void DeconvolveTest::what_is_on_screen_is_previewed() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  const std::vector<float> original = f_->picture(Axis::z).plane.values;
  set_preview(true);
  QTRY_VERIFY_WITH_TIMEOUT(f_->picture(Axis::z).preview, 60000);
  QVERIFY(f_->picture(Axis::z).plane.values != original);
  QVERIFY(f_->picture(Axis::z).caption.contains(QStringLiteral("part on screen")));
  QCOMPARE(f_->document.items().size(), std::size_t{1});
  set_preview(false);
  QTRY_VERIFY_WITH_TIMEOUT(f_->picture(Axis::z).plane.values == original, 60000);
}

void DeconvolveTest::each_iterate_is_shown_while_it_runs() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  // More than anyone waits for: the run must not end before its pictures have been seen.
  set_iterations(100000);
  std::vector<std::vector<float>> seen;
  const auto watch = QObject::connect(&f_->window->views().feed(), &SliceFeed::picture_ready,
                                      f_->window.get(), [&](const SlicePicture& picture) {
                                        if (picture.axis != Axis::z || picture.caption.isEmpty())
                                          return;
                                        if (seen.empty() || seen.back() != picture.plane.values) {
                                          seen.push_back(picture.plane.values);
                                        }
                                      });
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(panel().run().running());
  QVERIFY(!button("deconvolve_start")->isVisible());
  QVERIFY(button("deconvolve_keep")->isVisible());
  // The picture changes from iteration to iteration, and the curve grows with it.
  QVERIFY(QTest::qWaitFor([&] { return seen.size() >= 3; }, 60000));
  QObject::disconnect(watch);
  QVERIFY(panel().findChild<ConvergencePlot*>()->shown() >= 3);
  QTest::mouseClick(button("deconvolve_cancel"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QVERIFY(f_->settle());
}

void DeconvolveTest::a_run_is_replayed_from_the_command_line() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  set_iterations(60);
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 180000));
  QVERIFY(f_->settle());
  const auto* plot = panel().findChild<ConvergencePlot*>();
  QCOMPARE(plot->shown(), 60);
  const std::vector<IterationReport> reports = panel().run().reports();
  QVERIFY(reports.back().likelihood > reports.front().likelihood);
  QVERIFY(reports.back().change < reports.front().change);
  // The result is an item with a recipe, which the command line replays to the same bytes.
  QCOMPARE(f_->document.items().size(), std::size_t{2});
  QVERIFY(f_->document.current()->recipe.steps.back() == *complete(panel().operation()));
  QVERIFY(!f_->picture(Axis::z).preview);
  QVERIFY(f_->document.export_item(f_->document.current()->id, f_->file("steps.json")) != 0);
  QVERIFY(f_->document.export_item(f_->document.current()->id, f_->file("window.tif")) != 0);
  QVERIFY(f_->settle());
  QCOMPARE(QProcess::execute(
               command_line_program(),
               {QStringLiteral("run"), f_->file("steps.json"), f_->file("cells.tif"),
                QStringLiteral("-o"), f_->file("replayed.tif"), QStringLiteral("--quiet")}),
           0);
  QFile window(f_->file("window.tif"));
  QFile replayed(f_->file("replayed.tif"));
  QVERIFY(window.open(QIODevice::ReadOnly) && replayed.open(QIODevice::ReadOnly));
  QVERIFY(window.readAll() == replayed.readAll());
}

void DeconvolveTest::start_from(std::uint64_t item) {
  QComboBox* box = starts();
  const int to = box->findData(static_cast<qulonglong>(item));
  QVERIFY(to >= 0);
  box->setFocus();
  // What cannot be chosen is skipped.
  for (int i = 0; i < box->count() && box->currentIndex() < to; ++i) {
    QTest::keyClick(box, Qt::Key_Down);
  }
  for (int i = 0; i < box->count() && box->currentIndex() > to; ++i) {
    QTest::keyClick(box, Qt::Key_Up);
  }
  QCOMPARE(box->currentIndex(), to);
}

void DeconvolveTest::run_to_the_end(int iterations) {
  QVERIFY(psf_ready());
  set_iterations(iterations);
  const std::size_t before = f_->document.items().size();
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(panel().run().running());
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().size(), before + 1);
}

QByteArray DeconvolveTest::bytes_of(const char* name) const {
  QFile file(f_->file(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void DeconvolveTest::expect_same_from_the_command_line(const char* ending) {
  const std::uint64_t id = f_->document.current()->id;
  const std::string window = std::string("window.") + ending;
  const std::string replayed = std::string("replayed.") + ending;
  QVERIFY(f_->document.export_item(id, f_->file("steps.json")) != 0);
  QVERIFY(f_->document.export_item(id, f_->file(window.c_str())) != 0);
  QVERIFY(f_->settle());
  QCOMPARE(QProcess::execute(command_line_program(),
                             {QStringLiteral("run"), f_->file("steps.json"), QStringLiteral("-o"),
                              f_->file(replayed.c_str()), QStringLiteral("--quiet")}),
           0);
  QVERIFY(!bytes_of(window.c_str()).isEmpty());
  QVERIFY(bytes_of(window.c_str()) == bytes_of(replayed.c_str()));
}

void DeconvolveTest::a_run_goes_on_from_an_earlier_result_data() {
  QTest::addColumn<bool>("on_particles");
  QTest::newRow("pixels") << false;
  QTest::newRow("particles") << true;
}

void DeconvolveTest::a_run_goes_on_from_an_earlier_result() {
  QFETCH(const bool, on_particles);
  if (on_particles) QVERIFY(f_->document.apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  const Item input = *f_->document.current();
  run_to_the_end(4);
  const Item first = *f_->document.current();
  // From the data that both are about …
  f_->document.set_current(input.id);
  start_from(first.id);
  run_to_the_end(3);
  const Item second = *f_->document.current();
  QCOMPARE(second.parent, first.id);
  QCOMPARE(second.recipe.steps.size(), first.recipe.steps.size() + 1);
  const auto values = [](const Dataset& data) {
    return data.is_apr() ? data.particle_values() : data.pixels_f32().values;
  };
  // … as if it had not stopped.
  Operation at_once = first.recipe.steps.back();
  at_once.parameters["iterations"] = std::int64_t{7};
  const auto whole = cpu_backend()->run(at_once, *input.dataset, {});
  QVERIFY(whole.ok());
  QVERIFY(values(*second.dataset) == values(*Dataset::create(*whole)));
  expect_same_from_the_command_line(on_particles ? "apr" : "tif");

  // From the result itself it is the same.
  f_->document.set_current(first.id);
  start_from(first.id);
  run_to_the_end(3);
  QVERIFY(values(*f_->document.current()->dataset) == values(*second.dataset));
  QVERIFY(f_->document.current()->recipe == second.recipe);

  // A workspace does both steps again, and can be gone on from.
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture other;
  QVERIFY(other.drop({f_->file("w.aprscope")}));
  QCOMPARE(other.document.items().size(), f_->document.items().size());
  QVERIFY(values(*other.document.current()->dataset) == values(*second.dataset));
  QVERIFY(other.document.current()->deconvolved_from != nullptr);
  QVERIFY(values(*other.document.current()->deconvolved_from) == values(*input.dataset));
}

void DeconvolveTest::what_no_run_can_start_from_says_why() {
  const std::uint64_t cells = f_->document.current()->id;
  QVERIFY(f_->document.apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t smooth = f_->document.current()->id;
  f_->document.set_current(cells);
  QVERIFY(f_->document.apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t particles = f_->document.current()->id;
  write("small.tif", Pixels<float>({5, 9, 9}, 1.0F));
  QVERIFY(f_->drop({f_->file("small.tif")}));
  const std::uint64_t small = f_->document.current()->id;
  f_->document.set_current(cells);
  QComboBox* box = starts();
  // The item itself is "the image".
  QCOMPARE(box->findData(static_cast<qulonglong>(cells)), -1);
  const std::map<std::uint64_t, QString> why{{smooth, QStringLiteral("deconvolv")},
                                             {particles, QStringLiteral("particles")},
                                             {small, QStringLiteral("size")}};
  for (const auto& [id, word] : why) {
    const int row = box->findData(static_cast<qulonglong>(id));
    QVERIFY(row >= 0);
    QVERIFY((box->model()->flags(box->model()->index(row, 0)) & Qt::ItemIsEnabled) == 0);
    QVERIFY2(box->itemText(row).contains(word), qPrintable(box->itemText(row)));
    QVERIFY(box->itemData(row, Qt::ToolTipRole).toString().contains(word));
  }
  // Keys do not reach them.
  box->setFocus();
  for (int i = 0; i < box->count(); ++i) QTest::keyClick(box, Qt::Key_Down);
  QCOMPARE(box->currentData().toULongLong(), qulonglong{0});
  QCOMPARE(parameter<std::string>(panel().operation(), "start"), std::string("constant"));
}

void DeconvolveTest::a_result_in_a_file_can_be_started_from() {
  const std::uint64_t cells = f_->document.current()->id;
  run_to_the_end(4);
  QVERIFY(f_->document.export_item(f_->document.current()->id, f_->file("first.tif")) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->drop({f_->file("first.tif")}));
  const std::uint64_t file = f_->document.current()->id;
  f_->document.set_current(cells);
  start_from(file);
  run_to_the_end(3);
  const Operation& step = f_->document.current()->recipe.steps.back();
  QCOMPARE(f_->document.current()->recipe.steps.size(), std::size_t{1});
  QCOMPARE(parameter<std::string>(step, "start"), std::string("file"));
  QCOMPARE(parameter<std::string>(step, "start_file"), f_->file("first.tif").toStdString());
  expect_same_from_the_command_line("tif");
  // What is removed from the list is not offered any more.
  f_->document.set_current(cells);
  start_from(file);
  f_->document.close(file);
  QCOMPARE(starts()->findData(static_cast<qulonglong>(file)), -1);
  QCOMPARE(parameter<std::string>(panel().operation(), "start"), std::string("image"));
}

void DeconvolveTest::the_psf_that_is_shown_is_the_one_that_is_used() {
  Pixels<float> psf({3, 5, 5}, 0.0F);
  psf.at(1, 2, 2) = 4.0F;
  psf.at(1, 2, 1) = 1.0F;
  psf.at(1, 2, 3) = 1.0F;
  write("psf.tif", psf);
  choose("file");
  qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"))
      ->setText(f_->file("psf.tif"));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  // It is not made a second time for the run.
  QVERIFY(QFile::remove(f_->file("psf.tif")));
  run_to_the_end(2);
}

void DeconvolveTest::an_iterate_can_be_kept() {
  QVERIFY(f_->document.apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  const std::uint64_t particles = f_->document.current()->id;
  const auto input = f_->document.current()->dataset;
  set_iterations(100000);
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return panel().run().reports().size() >= 3; }, 60000));
  // As the job strip offers it.
  QToolButton* keep = nullptr;
  QVERIFY(QTest::qWaitFor(
      [&] {
        keep = f_->window->job_strip().findChild<QToolButton*>(QStringLiteral("keep_iterate"));
        return keep != nullptr && keep->isVisible();
      },
      30000));
  QTest::mouseClick(keep, Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QVERIFY(f_->settle());
  const Item& result = *f_->document.current();
  QVERIFY(result.id != particles);
  QVERIFY2(result.name.contains(QStringLiteral("partial")), qPrintable(result.name));
  QVERIFY(result.is_apr());
  bool marked = false;
  for (const std::string& line : result.dataset->apr().history) {
    marked = marked || line.find("partial") != std::string::npos;
  }
  QVERIFY(marked);
  // Its recipe gives the same iterate again.
  const auto done = parameter<std::int64_t>(result.recipe.steps.back(), "iterations");
  QCOMPARE(done, static_cast<std::int64_t>(panel().run().reports().size()));
  const auto again = cpu_backend()->run(result.recipe.steps.back(), *input, {});
  QVERIFY(again.ok());
  QVERIFY(Dataset::create(*again)->particle_values() == result.dataset->particle_values());
}

void DeconvolveTest::a_cancelled_run_leaves_nothing() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  const std::vector<float> original = f_->picture(Axis::z).plane.values;
  set_iterations(100000);
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return panel().run().reports().size() >= 2; }, 60000));
  QTest::mouseClick(button("deconvolve_cancel"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().size(), std::size_t{1});
  QVERIFY(f_->document.live() == nullptr);
  QVERIFY(f_->picture(Axis::z).plane.values == original);
  QVERIFY(button("deconvolve_start")->isVisible());
  QVERIFY(button("deconvolve_start")->isEnabled());
}

void DeconvolveTest::a_ground_truth_is_compared_with() {
  // The image is the truth, blurred by the PSF that is asked for.
  const std::uint64_t sharp = f_->document.current()->id;
  QVERIFY(f_->document.apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  auto* truth = panel().findChild<QComboBox*>(QStringLiteral("deconvolve_truth"));
  truth->setCurrentIndex(truth->findData(static_cast<qulonglong>(sharp)));
  QCOMPARE(truth->currentData().toULongLong(), static_cast<qulonglong>(sharp));
  set_iterations(15);
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  const std::vector<IterationReport>& reports = panel().run().reports();
  QCOMPARE(reports.size(), std::size_t{15});
  QVERIFY(reports.front().psnr.has_value() && reports.back().ssim.has_value());
  QVERIFY(*reports.back().psnr > *reports.front().psnr);
  QVERIFY(f_->settle());
}

void DeconvolveTest::a_bad_psf_says_what_to_do_and_loses_nothing() {
  Pixels<float> even({4, 8, 8}, 0.0F);
  even.at(2, 4, 4) = 1.0F;
  write("even.tif", even);
  write("zero.tif", Pixels<float>({5, 9, 9}, 0.0F));
  Pixels<float> holes({5, 9, 9}, 1.0F);
  holes.at(2, 4, 4) = 5.0F;
  holes.at(1, 3, 3) = std::numeric_limits<float>::quiet_NaN();
  write("nan.tif", holes);
  Pixels<float> large({41, 9, 9}, 0.0F);
  for (std::int64_t z = 0; z < 41; ++z) large.at(z, 4, 4) = 1.0F;
  large.at(20, 4, 4) = 2.0F;
  write("large.tif", large);
  choose("file");
  auto* path = qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"));
  QVERIFY(path != nullptr);
  auto* notes = panel().findChild<QLabel*>(QStringLiteral("psf_notes"));
  const auto try_file = [&](const QString& file) {
    path->setFocus();
    path->selectAll();
    QTest::keyClicks(path, file);
    QVERIFY(psf_ready());
  };
  const auto refused = [&](const char* why) {
    QVERIFY2(panel().psf_builder()->error().contains(QLatin1String(why)),
             qPrintable(panel().psf_builder()->error()));
    QVERIFY(notes->isVisible());
    QVERIFY(!button("deconvolve_start")->isEnabled());
  };
  QVERIFY(psf_ready());
  refused("no file is chosen");
  try_file(f_->file("nothing.tif"));
  refused("nothing.tif");
  try_file(f_->file("zero.tif"));
  refused("zero everywhere");
  try_file(f_->file("nan.tif"));
  refused("the first at z 1, x 3, y 3");
  try_file(f_->file("large.tif"));
  refused("more than the image");
  // An even one is centred, with a warning, or refused.
  try_file(f_->file("even.tif"));
  QVERIFY(panel().psf_builder()->psf().has_value());
  QVERIFY2(notes->text().contains(QStringLiteral("even")), qPrintable(notes->text()));
  qobject_cast<QAbstractButton*>(panel().psf_builder()->form()->control("psf_center"))->click();
  QVERIFY(psf_ready());
  refused("even size");
  QCOMPARE(f_->document.items().size(), std::size_t{1});
  QVERIFY(f_->settle());
}

void DeconvolveTest::a_psf_larger_than_the_image_is_cut_at_a_click() {
  Pixels<float> large({41, 9, 9}, 0.0F);
  for (std::int64_t z = 0; z < 41; ++z) large.at(z, 4, 4) = z == 20 ? 20.0F : 1.0F;
  write("large.tif", large);
  choose("file");
  auto* path = qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"));
  path->setText(f_->file("large.tif"));
  QVERIFY(psf_ready());
  auto* notes = panel().findChild<QLabel*>(QStringLiteral("psf_notes"));
  QVERIFY2(notes->text().contains(QStringLiteral("href=\"size:19,")), qPrintable(notes->text()));
  const QString text = notes->text();
  const auto at = text.indexOf(QStringLiteral("size:"));
  emit notes->linkActivated(text.mid(at).section(QLatin1Char('"'), 0, 0));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  QCOMPARE(panel().psf_builder()->psf()->psf.size.z, std::int64_t{19});
  QVERIFY(panel().psf_builder()->psf()->coverage < 1.0);
}

void DeconvolveTest::beads_are_picked_in_a_slice_and_averaged() {
  // Beads on voxels half as high as those of the image to deconvolve.
  Pixels<float> pixels({24, 64, 64}, 100.0F);
  const std::vector<Index3> centres{{12, 16, 18}, {12, 46, 20}, {12, 30, 46}};
  for (const Index3& c : centres) {
    for (std::int64_t z = 0; z < 24; ++z) {
      for (std::int64_t x = 0; x < 64; ++x) {
        for (std::int64_t y = 0; y < 64; ++y) {
          const double u = std::pow(static_cast<double>(z - c.z) / 2.0, 2) +
                           std::pow(static_cast<double>(x - c.x) / 2.0, 2) +
                           std::pow(static_cast<double>(y - c.y) / 2.0, 2);
          pixels.at(z, x, y) += static_cast<float>(1000.0 * std::exp(-0.5 * u));
        }
      }
    }
  }
  Volume volume;
  volume.pixels = pixels;
  volume.voxel = {0.5, 0.25, 0.25, "µm"};
  QVERIFY(write_tiff(volume, f_->file("beads.tif").toStdString()));
  const std::uint64_t cells = f_->document.current()->id;
  QVERIFY(f_->drop({f_->file("beads.tif")}));
  choose("beads");
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(panel().bead_picker()->active());
  SliceView& view = f_->slice(Axis::z);
  // Two pixels beside each.
  for (const Index3& c : centres) {
    const QPointF at =
        view.to_widget(static_cast<double>(c.x) + 2.5, static_cast<double>(c.y) - 1.5);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at.toPoint());
  }
  auto* list = panel().findChild<QListWidget*>(QStringLiteral("psf_bead_list"));
  QCOMPARE(list->count(), 3);
  for (std::size_t i = 0; i < 3; ++i) QVERIFY(panel().bead_picker()->beads()[i] == centres[i]);
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  QTRY_VERIFY(list->item(0)->text().contains(QStringLiteral("SNR")) ||
              list->item(0)->text().contains(QStringLiteral("z 12")));
  // Clicked again, a bead is dropped.
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, view.to_widget(46.5, 20.5).toPoint());
  QCOMPARE(list->count(), 2);
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(!panel().bead_picker()->active());
  // For the image to deconvolve: half as many planes.
  f_->document.set_current(cells);
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  const PsfReport report = psf_report(panel().psf_builder()->psf()->psf);
  QVERIFY2(std::abs(report.fwhm[0] - 2.355) < 0.4, qPrintable(QString::number(report.fwhm[0])));
  QVERIFY2(std::abs(report.fwhm[1] - 4.71) < 0.3, qPrintable(QString::number(report.fwhm[1])));
  // The recipe names file and positions; it runs.
  const Operation operation = panel().operation();
  QCOMPARE(parameter<std::string>(operation, "psf"), std::string("beads"));
  QVERIFY(parameter<std::string>(operation, "psf_file").find("beads.tif") != std::string::npos);
  set_iterations(3);
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().size(), std::size_t{3});
}

void DeconvolveTest::nothing_is_cut_off_at_the_panels_narrowest() {
  f_->window->resize(1100, 800);
  for (const char* kind : {"gaussian", "born_wolf", "gibson_lanni", "file", "beads"}) {
    choose(kind);
    QVERIFY(psf_ready());
    for (QWidget* inside : panel().findChildren<QWidget*>()) {
      if (!inside->isVisible() || inside->parentWidget() == nullptr) continue;
      // What a scroll area hides is reached by scrolling down, never sideways.
      if (qobject_cast<PsfBuilder*>(inside) != nullptr ||
          qobject_cast<OperationForm*>(inside) != nullptr) {
        const QRect at(inside->mapTo(&panel(), QPoint(0, 0)), inside->size());
        QVERIFY2(at.left() >= 0 && at.right() <= panel().width(), kind);
        QVERIFY2(inside->minimumSizeHint().width() <= inside->width(), kind);
      }
    }
  }
}

APRSCOPE_GUI_TEST_MAIN(DeconvolveTest)
#include "deconvolve_test.moc"
