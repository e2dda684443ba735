// Deconvolution: preview, watch a run, keep an iterate, cancel, go on from a result, replay.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QToolButton>

#include <qcustomplot.h>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/document/deconvolution_run.hpp"
#include "app/gui/document/live_image.hpp"
#include "app/gui/document/truth_choice.hpp"
#include "app/gui/panels/deconvolution_form.hpp"
#include "app/gui/panels/deconvolution_text.hpp"
#include "app/gui/panels/deconvolve_buttons.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "app/gui/widgets/convergence_plot.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/window/data_list.hpp"
#include "app/gui/window/job_strip.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/base/system.hpp"
#include "tests/app/gui/deconvolve_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class DeconvolveTest : public DeconvolveFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void what_is_on_screen_is_previewed();
  void each_iterate_is_shown_while_it_runs();
  void a_run_is_replayed_from_the_command_line();
  void a_run_goes_on_from_an_earlier_result_data();
  void a_run_goes_on_from_an_earlier_result();
  void what_no_run_can_start_from_says_why();
  void a_result_in_a_file_can_be_started_from();
  void pixels_and_particles_are_compared_in_their_own_contrast();
  void an_iterate_can_be_kept();
  void held_out_photons_end_a_run();
  void a_search_that_is_kept_is_replayed();
  void a_cancelled_run_leaves_nothing();
  void a_ground_truth_is_compared_with();
  void a_ground_truth_has_the_same_size();
  void what_has_no_effect_cannot_be_edited();
  void what_cannot_start_has_no_button();
  void a_click_that_comes_late_starts_nothing();
  void who_has_gone_on_is_not_called_back();
  void the_tab_names_what_it_works_on();

 private:
  /// Chooses in "Start from" with the keyboard.
  void start_from(std::uint64_t item);
  [[nodiscard]] QComboBox* starts() {
    return panel().findChild<QComboBox*>(QStringLiteral("deconvolve_start_from"));
  }
  /// Keeps the iterate where the job strip offers it.
  void keep_in_the_strip();
  [[nodiscard]] QByteArray bytes_of(const char* name) const;
  /// Exports the current item, and what the command line makes of its recipe; both must agree.
  void expect_same_from_the_command_line(const char* ending);
};

void DeconvolveTest::what_is_on_screen_is_previewed() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  const std::vector<float> original = f_->picture(Axis::z).plane.values;
  set_preview(true);
  QTRY_VERIFY_WITH_TIMEOUT(f_->picture(Axis::z).preview, 60000);
  QVERIFY(f_->picture(Axis::z).plane.values != original);
  QVERIFY(f_->picture(Axis::z).caption.contains(QStringLiteral("part on screen")));
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
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
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
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
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 180000));
  QVERIFY(f_->settle());
  const auto* plot = panel().findChild<ConvergencePlot*>();
  QCOMPARE(plot->shown(), 60);
  const std::vector<IterationReport> reports = panel().run().reports();
  QVERIFY(reports.back().figure("likelihood").value() >
          reports.front().figure("likelihood").value());
  QVERIFY(reports.back().figure("change").value() < reports.front().figure("change").value());
  // The result is an item with a recipe, which the command line replays to the same bytes.
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(f_->document.items().current()->recipe.steps.back() == *complete(panel().operation()));
  QVERIFY(!f_->picture(Axis::z).preview);
  QVERIFY(f_->document.exporter().export_item(f_->document.items().current()->id,
                                              f_->file("steps.json")) != 0);
  QVERIFY(f_->document.exporter().export_item(f_->document.items().current()->id,
                                              f_->file("window.tif")) != 0);
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

QByteArray DeconvolveTest::bytes_of(const char* name) const {
  QFile file(f_->file(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void DeconvolveTest::expect_same_from_the_command_line(const char* ending) {
  const std::uint64_t id = f_->document.items().current()->id;
  const std::string window = std::string("window.") + ending;
  const std::string replayed = std::string("replayed.") + ending;
  QVERIFY(f_->document.exporter().export_item(id, f_->file("steps.json")) != 0);
  QVERIFY(f_->document.exporter().export_item(id, f_->file(window.c_str())) != 0);
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
  if (on_particles) QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  const Item input = *f_->document.items().current();
  run_to_the_end(4);
  const Item first = *f_->document.items().current();
  // From the data that both are about …
  f_->document.items().set_current(input.id);
  start_from(first.id);
  run_to_the_end(3);
  const Item second = *f_->document.items().current();
  QCOMPARE(second.parent, first.id);
  QCOMPARE(second.recipe.steps.size(), first.recipe.steps.size() + 1);
  const auto values = [](const Dataset& data) {
    return data.is_apr() ? data.values().particles() : data.values().pixels().values;
  };
  // … as if it had not stopped.
  Operation at_once = first.recipe.steps.back();
  at_once.parameters["iterations"] = std::int64_t{7};
  const auto whole = cpu_backend()->run(at_once, *input.dataset, {});
  QVERIFY(whole.ok());
  QVERIFY(values(*second.dataset) == values(*Dataset::create(*whole)));
  expect_same_from_the_command_line(on_particles ? "apr" : "tif");

  // From the result itself it is the same.
  f_->document.items().set_current(first.id);
  start_from(first.id);
  run_to_the_end(3);
  QVERIFY(values(*f_->document.items().current()->dataset) == values(*second.dataset));
  QVERIFY(f_->document.items().current()->recipe == second.recipe);

  // A workspace does both steps again, and can be gone on from.
  QVERIFY(f_->window->save_workspace_to(f_->file("w.aprscope")).ok());
  WindowFixture other;
  QVERIFY(other.drop({f_->file("w.aprscope")}));
  QCOMPARE(other.document.items().all().size(), f_->document.items().all().size());
  QVERIFY(values(*other.document.items().current()->dataset) == values(*second.dataset));
  QVERIFY(other.document.items().current()->deconvolved_from != nullptr);
  QVERIFY(values(*other.document.items().current()->deconvolved_from) == values(*input.dataset));
}

void DeconvolveTest::what_no_run_can_start_from_says_why() {
  const std::uint64_t cells = f_->document.items().current()->id;
  QVERIFY(f_->document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t smooth = f_->document.items().current()->id;
  f_->document.items().set_current(cells);
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t particles = f_->document.items().current()->id;
  write("small.tif", Pixels<float>({5, 9, 9}, 1.0F));
  QVERIFY(f_->drop({f_->file("small.tif")}));
  const std::uint64_t small = f_->document.items().current()->id;
  f_->document.items().set_current(cells);
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
  const std::uint64_t cells = f_->document.items().current()->id;
  run_to_the_end(4);
  QVERIFY(f_->document.exporter().export_item(f_->document.items().current()->id,
                                              f_->file("first.tif")) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->drop({f_->file("first.tif")}));
  const std::uint64_t file = f_->document.items().current()->id;
  f_->document.items().set_current(cells);
  start_from(file);
  run_to_the_end(3);
  const Operation& step = f_->document.items().current()->recipe.steps.back();
  QCOMPARE(f_->document.items().current()->recipe.steps.size(), std::size_t{1});
  QCOMPARE(parameter<std::string>(step, "start"), std::string("file"));
  QCOMPARE(parameter<std::string>(step, "start_file"), f_->file("first.tif").toStdString());
  expect_same_from_the_command_line("tif");
  // What is removed from the list is not offered any more.
  f_->document.items().set_current(cells);
  start_from(file);
  f_->document.edits().close(file);
  QCOMPARE(starts()->findData(static_cast<qulonglong>(file)), -1);
  QCOMPARE(parameter<std::string>(panel().operation(), "start"), std::string("image"));
}

void DeconvolveTest::pixels_and_particles_are_compared_in_their_own_contrast() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  run_to_the_end(10);
  const Contrast blurred = f_->document.items().all().front().display.contrast;
  QTest::keyClick(f_->window.get(), Qt::Key_K, Qt::ControlModifier);
  QVERIFY(f_->settle());
  const Comparison& comparison = f_->window->comparison();
  QVERIFY(comparison.active());
  QVERIFY(!comparison.a()->is_apr());
  QVERIFY(comparison.b()->is_apr());
  // Light that is back in its place is brighter than the image was.
  for (const Item* side : {comparison.a(), comparison.b()}) {
    const Contrast wanted = automatic_contrast(*side->histogram);
    QVERIFY(side->display.contrast.high > blurred.high);
    QCOMPARE(side->display.contrast.high, wanted.high);
    QCOMPARE(side->display.contrast.low, wanted.low);
    // A run that was watched tells what it took, too.
    QCOMPARE(side->costs.back().operation, std::string("deconvolve"));
    QVERIFY(side->costs.back().seconds > 0.0);
    // … where the system tells.
    QCOMPARE(side->costs.back().peak_bytes.has_value(), PeakMeter().extra().has_value());
  }
}

void DeconvolveTest::an_iterate_can_be_kept() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  const std::uint64_t particles = f_->document.items().current()->id;
  const auto input = f_->document.items().current()->dataset;
  set_iterations(100000);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return panel().run().reports().size() >= 3; }, 60000));
  keep_in_the_strip();
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QVERIFY(f_->settle());
  const Item& result = *f_->document.items().current();
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
  QVERIFY(Dataset::create(*again)->values().particles() == result.dataset->values().particles());
}

void DeconvolveTest::held_out_photons_end_a_run() {
  type("photon_gain", QStringLiteral("1"));
  run_to_the_end(12);
  const std::vector<IterationReport>& reports = panel().run().reports();
  QCOMPARE(reports.size(), std::size_t{24});
  QVERIFY(reports.front().searching);
  QVERIFY(!reports.back().searching);
  // The curve of what was held out stands below the others.
  auto* plot = panel().findChild<ConvergencePlot*>();
  const QList<CurveView*> curves = plot->findChildren<CurveView*>();
  QCOMPARE(curves.size(), 3);
  for (const CurveView* curve : curves) QVERIFY(curve->isVisible());
  QVERIFY(f_->document.items().current()->dataset->is_apr() == false);
  expect_same_from_the_command_line("tif");
}

void DeconvolveTest::keep_in_the_strip() {
  QToolButton* keep = nullptr;
  QVERIFY(QTest::qWaitFor(
      [&] {
        keep = f_->window->job_strip().findChild<QToolButton*>(QStringLiteral("keep_iterate"));
        return keep != nullptr && keep->isVisible();
      },
      30000));
  QTest::mouseClick(keep, Qt::LeftButton);
}

void DeconvolveTest::a_search_that_is_kept_is_replayed() {
  // As if there were a hundred times as many photons: then the noise is taken for light, which is
  // explained better and better, and the search does not end before it is told to.
  type("photon_gain", QStringLiteral("0.01"));
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  const auto input = f_->document.items().current()->dataset;
  set_iterations(100000);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return panel().run().reports().size() >= 3; }, 60000));
  keep_in_the_strip();
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  const Item& result = *f_->document.items().current();
  const Operation& step = result.recipe.steps.back();
  QCOMPARE(parameter<std::string>(step, "stop"), std::string("change"));
  const auto again = cpu_backend()->run(step, *input, {});
  QVERIFY(again.ok());
  QVERIFY(Dataset::create(*again)->values().pixels().values ==
          result.dataset->values().pixels().values);
}

void DeconvolveTest::a_cancelled_run_leaves_nothing() {
  QVERIFY(psf_ready());
  QVERIFY(f_->settle());
  const std::vector<float> original = f_->picture(Axis::z).plane.values;
  set_iterations(100000);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return panel().run().reports().size() >= 2; }, 60000));
  QTest::mouseClick(button("deconvolve_cancel"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(f_->document.preview().live() == nullptr);
  QVERIFY(f_->picture(Axis::z).plane.values == original);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QVERIFY(button("deconvolve_start")->isEnabled());
}

void DeconvolveTest::a_ground_truth_is_compared_with() {
  // The image is the truth, blurred by the PSF that is asked for.
  const std::uint64_t sharp = f_->document.items().current()->id;
  QVERIFY(f_->document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  auto* truth = panel().findChild<TruthChoice*>(QStringLiteral("deconvolve_truth"));
  truth->setCurrentIndex(truth->findData(static_cast<qulonglong>(sharp)));
  QCOMPARE(truth->item(), sharp);
  set_iterations(15);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  const std::vector<IterationReport>& reports = panel().run().reports();
  QCOMPARE(reports.size(), std::size_t{15});
  QVERIFY(reports.front().figure("psnr").has_value());
  QVERIFY(reports.back().figure("ssim").has_value());
  QVERIFY(*reports.back().figure("psnr") > *reports.front().figure("psnr"));
  // They are told in words, too.
  const QString text = deconvolution_text(panel().run());
  QVERIFY2(text.startsWith(QStringLiteral("Iteration 15 of 15 ")), qPrintable(text));
  QVERIFY2(
      text.contains(QStringLiteral("PSNR %1 dB").arg(*reports.back().figure("psnr"), 0, 'f', 2)),
      qPrintable(text));
  QCOMPARE(panel().findChild<QLabel*>(QStringLiteral("deconvolve_progress"))->text(), text);
  // Each figure has a plot of its own, with one against the truth on its right.
  const std::vector<std::pair<std::string, std::string>> pairs{{"likelihood", "psnr"},
                                                               {"change", "ssim"}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto* view = panel().findChild<CurveView*>(QStringLiteral("convergence_%1_view").arg(i));
    QVERIFY(view != nullptr && view->isVisible());
    const std::vector<CurveLine>& lines = view->curve().ys;
    QCOMPARE(lines.size(), std::size_t{2});
    QCOMPARE(lines[0].id, pairs[i].first);
    QCOMPARE(lines[1].id, pairs[i].second);
    QVERIFY(view->plot().yAxis2->visible());
    for (const auto& [line, axis] :
         {std::pair{0, view->plot().yAxis}, std::pair{1, view->plot().yAxis2}}) {
      const std::vector<double>& values = lines[static_cast<std::size_t>(line)].values;
      QCOMPARE(view->plot().graph(line)->valueAxis(), axis);
      QCOMPARE(values.size(), std::size_t{15});
      QCOMPARE(values.back(), *reports.back().figure(lines[static_cast<std::size_t>(line)].id));
      QVERIFY(axis->range().contains(values.front()) && axis->range().contains(values.back()));
    }
  }
  QVERIFY(f_->settle());
}

void DeconvolveTest::a_ground_truth_has_the_same_size() {
  const std::uint64_t cells = f_->document.items().current()->id;
  write("small.tif", Pixels<float>({5, 9, 9}, 1.0F));
  QVERIFY(f_->drop({f_->file("small.tif")}));
  f_->document.items().set_current(cells);
  auto* truth = panel().findChild<TruthChoice*>();
  QCOMPARE(truth->count(), 1);
  QVERIFY(!truth->isEnabled());
  QVERIFY(f_->document.runner().apply(*complete({"gaussian", {}})) != 0);
  QVERIFY(f_->settle());
  const std::uint64_t smooth = f_->document.items().current()->id;
  QVERIFY(truth->isEnabled());
  QCOMPARE(truth->count(), 2);
  QVERIFY(truth->findData(static_cast<qulonglong>(cells)) > 0);
  // A choice stays as long as there is that item.
  f_->document.items().set_current(cells);
  QCOMPARE(truth->item(), std::uint64_t{0});
  truth->setCurrentIndex(truth->findData(static_cast<qulonglong>(smooth)));
  f_->document.items().set_current(cells);
  QCOMPARE(truth->item(), smooth);
  f_->document.edits().close(smooth);
  QCOMPARE(truth->item(), std::uint64_t{0});
  QVERIFY(!truth->isEnabled());
}

void DeconvolveTest::what_has_no_effect_cannot_be_edited() {
  auto* form = panel().findChild<DeconvolutionForm*>();
  QVERIFY(!form->control("scheme")->isEnabled());
  QVERIFY(!form->control("strength")->isEnabled());
  // Other boxes have the PSF, the background and the start.
  for (const char* other : {"na", "offset", "start"}) {
    QVERIFY2(form->control(other) == nullptr, other);
    QVERIFY2(panel().operation().parameters.count(other) == 1, other);
  }
  QCOMPARE(form->own_operation().parameters.count("na"), std::size_t{0});
  QCOMPARE(form->own_operation().parameters.count("offset"), std::size_t{0});
  auto* kind = qobject_cast<QComboBox*>(form->control("regularisation"));
  kind->setFocus();
  QTest::keyClick(kind, Qt::Key_Down);
  QVERIFY(form->control("strength")->isEnabled());
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(form->control("scheme")->isEnabled());
}

void DeconvolveTest::what_cannot_start_has_no_button() {
  bool ready = false;
  DeconvolveButtons buttons(
      panel().run(), [&] { return ready; }, nullptr);
  buttons.follow();
  buttons.show();
  QVERIFY(QTest::qWaitForWindowExposed(&buttons));
  auto* start = buttons.findChild<QAbstractButton*>(QStringLiteral("deconvolve_start"));
  int clicks = 0;
  QObject::connect(&buttons, &DeconvolveButtons::start_clicked, [&] { ++clicks; });
  QTest::mouseClick(start, Qt::LeftButton);
  QCOMPARE(clicks, 0);
  ready = true;
  buttons.follow();
  QTest::mouseClick(start, Qt::LeftButton);
  QCOMPARE(clicks, 1);
  QVERIFY(!buttons.findChild<QWidget*>(QStringLiteral("deconvolve_keep"))->isVisible());
}

void DeconvolveTest::a_click_that_comes_late_starts_nothing() {
  QVERIFY(psf_ready());
  set_iterations(3);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  const QPoint place = button("deconvolve_start")->rect().center();
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton, {}, place);
  // The second click of a double-click does not end what the first began.
  QTest::mouseClick(button("deconvolve_keep"), Qt::LeftButton);
  bool ended = false;
  const auto watch =
      QObject::connect(&panel().run(), &DeconvolutionRun::changed, f_->window.get(), [&] {
        if (panel().run().running() || ended) return;
        ended = true;
        // Where Keep and Cancel were a moment ago.
        QTest::qWait(1);
        for (QWidget* at : {static_cast<QWidget*>(button("deconvolve_keep")),
                            static_cast<QWidget*>(button("deconvolve_cancel"))}) {
          const QPoint middle = at->mapTo(&panel(), at->rect().center());
          QWidget* under = panel().childAt(middle);
          QVERIFY(under != nullptr);
          QTest::mouseClick(under, Qt::LeftButton);
        }
      });
  QVERIFY(QTest::qWaitFor([&] { return ended; }, 120000));
  QObject::disconnect(watch);
  QVERIFY(f_->settle());
  QVERIFY(!panel().run().running());
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  QCOMPARE(panel().run().reports().size(), std::size_t{3});
  // A second later it is what it says again.
  QTRY_VERIFY(button("deconvolve_start")->isVisible() && button("deconvolve_start")->isEnabled());
}

void DeconvolveTest::who_has_gone_on_is_not_called_back() {
  const std::uint64_t cells = f_->document.items().current()->id;
  write_block_tiff(f_->file("other.tif"), {8, 16, 24}, {4, 8, 12});
  QVERIFY(f_->drop({f_->file("other.tif")}));
  const std::uint64_t other = f_->document.items().current()->id;
  f_->document.items().set_current(cells);
  QVERIFY(psf_ready());
  set_iterations(4);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(panel().run().running());
  auto* list = f_->window->findChild<DataList*>();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                    list->visualItemRect(list->row(other)).center());
  QCOMPARE(f_->document.items().current()->id, other);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  QCOMPARE(f_->document.items().current()->id, other);
  // It is said, with a way there.
  const QString text = f_->window->message_bar().text();
  QVERIFY2(text.contains(QStringLiteral("cells › Deconvolved")), qPrintable(text));
  auto* const show = f_->window->findChild<QToolButton*>(QStringLiteral("message_offer"));
  QVERIFY(show != nullptr && show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  QCOMPARE(f_->document.items().current()->name, QStringLiteral("Deconvolved"));
  QVERIFY(f_->settle());
}

void DeconvolveTest::the_tab_names_what_it_works_on() {
  const auto* target = panel().findChild<QLabel*>(QStringLiteral("deconvolve_target"));
  const auto* picking = panel().findChild<QLabel*>(QStringLiteral("deconvolve_picking"));
  QVERIFY2(target->text().contains(QStringLiteral("cells")), qPrintable(target->text()));
  QVERIFY(!picking->isVisible());
  write_block_tiff(f_->file("beads.tif"), {8, 16, 24}, {4, 8, 12});
  QVERIFY(f_->drop({f_->file("beads.tif")}));
  choose("beads");
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(picking->isVisible());
  QVERIFY(picking->text().contains(QStringLiteral("beads")));
  QVERIFY(target->text().contains(QStringLiteral("beads")));
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(!picking->isVisible());
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(target->text().contains(QStringLiteral("cells")));
}

APRSCOPE_GUI_TESTS(DeconvolveTest)
#include "deconvolve_test.moc"
