// The main job: preview, apply, cancel, undo, redo, convert, export and open again.
#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>

#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/panels/convert_panel.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/panels/filter_panel.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/window/estimate_bar.hpp"
#include "app/gui/window/job_strip.hpp"
#include "app/gui/window/message_bar.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class ProcessTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void editing_a_filter_previews_it_and_apply_agrees();
  void filters_are_chosen_and_sized_with_the_keyboard();
  void a_median_may_be_as_wide_in_pixels_on_all_levels();
  void a_preview_on_pixels_agrees_too();
  void a_smooth_preview_agrees_with_the_smooth_result();
  void conversion_is_estimated_and_previewed();
  void the_fields_of_an_estimate_are_let_go_of();
  void undo_takes_results_back_and_redo_returns_the_same();
  void a_long_job_can_be_cancelled();
  void exported_particles_open_again();
  void the_recipe_replays();
  void export_refuses_what_cannot_be();

 private:
  FilterControls* filter() { return f_->window->findChild<FilterControls*>(); }
  void convert();
  void set_sigma(double value);

  std::unique_ptr<WindowFixture> f_;
};

void ProcessTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_cells_tiff(f_->file("cells.tif"), {24, 80, 96});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
}

void ProcessTest::cleanup() { f_.reset(); }

void ProcessTest::convert() {
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_apr());
}

// Types a number into the first field of sigma, as a user does.
void ProcessTest::set_sigma(double value) {
  QWidget* row = filter()->form()->control("sigma");
  QVERIFY(row != nullptr);
  for (QDoubleSpinBox* box : row->findChildren<QDoubleSpinBox*>()) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(value));
    QTest::keyClick(box, Qt::Key_Return);
  }
}

void ProcessTest::editing_a_filter_previews_it_and_apply_agrees() {
  convert();
  const Plane original = f_->picture(Axis::z).plane;
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  filter()->set_operation(*complete({"gaussian", {}}));
  set_sigma(1.0);
  QVERIFY(f_->settle());
  const Plane mild = f_->picture(Axis::z).plane;
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(mild.values != original.values);
  set_sigma(3.0);
  QVERIFY(f_->settle());
  const std::array<Plane, 3> strong{f_->picture(Axis::z).plane, f_->picture(Axis::x).plane,
                                    f_->picture(Axis::y).plane};
  QVERIFY(strong[0].values != mild.values);
  // Smoothing more leaves less variation.
  const auto variation = [](const Plane& p) {
    double sum = 0.0;
    for (std::size_t i = 1; i < p.values.size(); ++i) {
      sum += std::abs(static_cast<double>(p.values[i]) - static_cast<double>(p.values[i - 1]));
    }
    return sum;
  };
  QVERIFY(variation(strong[0]) < variation(mild));
  QVERIFY(variation(mild) < variation(original));
  // Only a preview so far.
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});

  const Operation applied = filter()->operation();
  QTest::mouseClick(filter()->findChild<QAbstractButton*>(QStringLiteral("filter_apply")),
                    Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
  QCOMPARE(f_->document.items().current()->recipe.steps.back(), applied);
  QVERIFY(!f_->picture(Axis::z).preview);
  QVERIFY(f_->picture(Axis::z).plane.values == strong[0].values);
  QVERIFY(f_->picture(Axis::x).plane.values == strong[1].values);
  QVERIFY(f_->picture(Axis::y).plane.values == strong[2].values);
}

void ProcessTest::filters_are_chosen_and_sized_with_the_keyboard() {
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  auto* choice = filter()->findChild<QComboBox*>(QStringLiteral("filter_choice"));
  choice->setFocus();
  QTest::keyClicks(choice, QStringLiteral("med"));
  QCOMPARE(filter()->operation().id, std::string("median"));
  const auto type = [&](const char* field, const char* text) {
    auto* box = filter()->findChild<QSpinBox*>(QLatin1String(field));
    QVERIFY2(box != nullptr, field);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QLatin1String(text));
    QTest::keyClick(box, Qt::Key_Tab);
  };
  const auto size = [&] { return parameter<std::array<double, 3>>(filter()->operation(), "size"); };
  type("size_z", "1");
  type("size_x", "15");
  // Sizes are odd: the next one is taken.
  type("size_y", "4");
  QCOMPARE(size(), (std::array<double, 3>{1, 15, 5}));
  filter()->set_operation(*complete({"gaussian", {}}));
  type("size_x", "7");
  QCOMPARE(size(), (std::array<double, 3>{0, 7, 0}));
  QVERIFY(f_->settle());
}

void ProcessTest::a_median_may_be_as_wide_in_pixels_on_all_levels() {
  convert();
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  filter()->set_operation(*complete({"median", {}}));
  auto* mode = filter()->findChild<QComboBox*>(QStringLiteral("mode"));
  QTRY_VERIFY(mode->isVisible());
  mode->setFocus();
  QTest::keyClick(mode, Qt::Key_Down);
  QCOMPARE(mode->currentText(), QStringLiteral("restricted"));
  auto* apply = filter()->findChild<QAbstractButton*>(QStringLiteral("filter_apply"));
  QTest::mouseClick(apply, Qt::LeftButton);
  QVERIFY(f_->settle());
  const auto restricted = f_->document.items().current()->dataset;
  QCOMPARE(parameter<std::string>(f_->document.items().current()->recipe.steps.back(), "mode"),
           std::string("restricted"));
  f_->trigger("undo");
  QVERIFY(f_->settle());
  QTest::keyClick(mode, Qt::Key_Up);
  QTest::mouseClick(apply, Qt::LeftButton);
  QVERIFY(f_->settle());
  const auto same = f_->document.items().current()->dataset;
  // 3 cells wide on the finest level in both; what is coarser is its own neighbourhood.
  const Apr& apr = restricted->apr();
  const auto& before = f_->document.items().all()[1].dataset->values().particles();
  const auto finest = apr.access->particles().level(apr.access->level_max()).begin;
  QVERIFY(restricted->values().particles() != same->values().particles());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool fine = i >= finest;
    if (fine) QCOMPARE(restricted->values().particles()[i], same->values().particles()[i]);
    if (!fine) QCOMPARE(restricted->values().particles()[i], before[i]);
    if (!fine && same->values().particles()[i] != before[i]) ++changed;
  }
  QVERIFY(changed > 0);
}

void ProcessTest::a_preview_on_pixels_agrees_too() {
  f_->document.preview().set(*complete({"median", {}}));
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::y).preview);
  const std::vector<float> preview = f_->picture(Axis::y).plane.values;
  f_->document.runner().apply(*complete({"median", {}}));
  QVERIFY(f_->settle());
  QVERIFY(!f_->document.items().current()->is_apr());
  QVERIFY(f_->picture(Axis::y).plane.values == preview);
}

void ProcessTest::a_smooth_preview_agrees_with_the_smooth_result() {
  convert();
  DisplaySettings display = f_->document.items().current()->display;
  display.mode = ShowMode::smooth;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  const Operation box = *complete({"box", {}});
  f_->document.preview().set(box);
  QVERIFY(f_->settle());
  const SlicePicture preview = f_->picture(Axis::x);
  QVERIFY(preview.preview);
  QCOMPARE(preview.mode, ShowMode::smooth);
  f_->document.runner().apply(box);
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::x).mode, ShowMode::smooth);
  QVERIFY(f_->picture(Axis::x).plane.values == preview.plane.values);
}

void ProcessTest::conversion_is_estimated_and_previewed() {
  // Without any panel being open.
  QVERIFY(f_->document.preview().estimate().has_value());
  const double ratio = f_->document.preview().estimate()->computational_ratio;
  QVERIFY(ratio > 1.0);
  QVERIFY2(f_->window->findChild<EstimateBar*>()->text().contains(QStringLiteral("CR ≈ ")),
           qPrintable(f_->window->findChild<EstimateBar*>()->text()));
  const Plane pixels = f_->picture(Axis::z).plane;

  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(f_->settle());
  auto* controls = f_->window->findChild<ConvertControls*>();
  QVERIFY(controls != nullptr);
  auto* error = qobject_cast<QDoubleSpinBox*>(controls->form()->control("rel_error"));
  QVERIFY(error != nullptr);
  error->setFocus();
  error->selectAll();
  QTest::keyClicks(error, QStringLiteral("0.5"));
  QTest::keyClick(error, Qt::Key_Return);
  QVERIFY(f_->settle());
  QVERIFY(f_->document.preview().estimate().has_value());
  QVERIFY(f_->document.preview().estimate()->computational_ratio > ratio);
  const SlicePicture preview = f_->picture(Axis::z);
  QVERIFY(preview.preview);
  QVERIFY(preview.plane.values != pixels.values);
  const auto promised = f_->document.preview().estimate()->particles;

  // What Convert gives is what was previewed and estimated.
  f_->document.preview().set_conversion_view(ShowMode::constant);
  QVERIFY(f_->settle());
  const std::vector<float> shown = f_->picture(Axis::z).plane.values;
  QVERIFY(f_->document.runner().apply(controls->operation()) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_apr());
  QCOMPARE(f_->document.items().current()->dataset->apr().access->count(), promised);
  QVERIFY(f_->picture(Axis::z).plane.values == shown);
  // The pixels that it came from are at hand.
  QVERIFY(f_->document.items().current()->supports(ShowMode::pixel));
}

void ProcessTest::the_fields_of_an_estimate_are_let_go_of() {
  ConversionPreview& preview = f_->document.preview().conversion_preview();
  // However long it took to get here: another estimate, whose fields nobody has let go of.
  preview.set_patience(std::chrono::hours(1));
  f_->document.preview().request_estimate(*complete({"convert", {{"rel_error", 0.2}}}));
  QVERIFY(f_->settle());
  QVERIFY(f_->document.preview().estimate().has_value());
  QVERIFY(preview.holds_gradient());
  preview.set_patience(std::chrono::milliseconds(20));
  // As long as parameters are edited they are kept.
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(f_->settle());
  QTest::qWait(150);
  QVERIFY(preview.holds_gradient());
  const std::vector<float> shown = f_->picture(Axis::z).plane.values;
  QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  QTRY_VERIFY(!preview.holds_gradient());
  // What they gave stays, and is shown again without computing.
  QVERIFY(f_->document.preview().estimate().has_value());
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  QVERIFY(!f_->document.preview().estimate_pending());
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(f_->picture(Axis::z).plane.values == shown);
  QVERIFY(!preview.holds_gradient());
  // Another parameter computes them anew.
  auto* controls = f_->window->findChild<ConvertControls*>();
  Operation other = controls->operation();
  other.parameters["rel_error"] = 0.5;
  controls->set_operation(other);
  emit controls->preview_changed();
  QVERIFY(f_->settle());
  QVERIFY(preview.holds_gradient());
  QVERIFY(f_->picture(Axis::z).plane.values != shown);
}

void ProcessTest::undo_takes_results_back_and_redo_returns_the_same() {
  const auto original = f_->document.items().current()->dataset;
  convert();
  const auto particles = f_->document.items().current()->dataset;
  f_->document.edits().rename(f_->document.items().current()->id, QStringLiteral("my particles"));
  f_->trigger("undo");
  QCOMPARE(f_->document.items().current()->name, QStringLiteral("particles"));
  f_->trigger("undo");
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QCOMPARE(f_->document.items().current()->dataset, original);
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).mode, ShowMode::pixel);
  f_->trigger("redo");
  QCOMPARE(f_->document.items().current()->dataset, particles);
  f_->trigger("redo");
  QCOMPARE(f_->document.items().current()->name, QStringLiteral("my particles"));
  f_->trigger("remove");
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  f_->trigger("undo");
  QCOMPARE(f_->document.items().current()->dataset, particles);
  // All the way back and forth again.
  const int steps = f_->document.undo_stack().index();
  while (f_->document.undo_stack().canUndo()) f_->trigger("undo");
  QVERIFY(f_->document.items().all().empty());
  QVERIFY(f_->document.items().current() == nullptr);
  while (f_->document.undo_stack().index() < steps) f_->trigger("redo");
  QCOMPARE(f_->document.items().current()->dataset, particles);
  QVERIFY(f_->settle());
}

void ProcessTest::a_long_job_can_be_cancelled() {
  write_cells_tiff(f_->file("large.tif"), {64, 256, 256});
  QVERIFY(f_->drop({f_->file("large.tif")}));
  const std::size_t before = f_->document.items().all().size();
  const auto current = f_->document.items().current()->id;
  // Minutes of work on any machine.
  Operation median = *complete({"median", {}});
  median.parameters["size"] = std::array<double, 3>{15, 15, 15};
  QVERIFY(f_->document.runner().apply(median) != 0);
  JobStrip& strip = f_->window->job_strip();
  QTRY_VERIFY(strip.shown() > 0);
  auto* cancel = strip.findChild<QAbstractButton*>(QStringLiteral("cancel_job"));
  QVERIFY(cancel != nullptr);
  QTest::mouseClick(cancel, Qt::LeftButton);
  QTRY_VERIFY(!f_->document.jobs().busy());
  QCOMPARE(f_->document.items().all().size(), before);
  QCOMPARE(f_->document.items().current()->id, current);
  QVERIFY(!strip.isVisible());
  QVERIFY(f_->window->message_bar().text().isEmpty());
}

void ProcessTest::exported_particles_open_again() {
  convert();
  const auto& access = f_->document.items().current()->dataset->apr().access;
  const std::vector<float> values = f_->document.items().current()->dataset->values().particles();
  f_->window->export_to(f_->file("out.apr"), {true, false});
  f_->window->export_to(f_->file("out.tif"), {});
  f_->window->export_to(f_->file("out.png"), {});
  QVERIFY(f_->settle());
  QVERIFY(f_->window->message_bar().text().contains(QStringLiteral("out.")));
  const Plane shown = f_->picture(Axis::z).plane;

  WindowFixture other;
  QVERIFY(other.drop({f_->file("out.apr")}));
  QVERIFY(other.document.items().current()->is_apr());
  QVERIFY(other.document.items().current()->dataset->apr().access->particles() ==
          access->particles());
  QVERIFY(other.document.items().current()->dataset->values().particles() == values);
  QVERIFY(other.picture(Axis::z).plane.values == shown.values);
  // The TIFF holds the constant reconstruction.
  QVERIFY(other.drop({f_->file("out.tif")}));
  QVERIFY(!other.document.items().current()->is_apr());
  QVERIFY(other.picture(Axis::z).plane.values == shown.values);
  const QImage picture(f_->file("out.png"));
  QVERIFY(!picture.isNull());
  QVERIFY(brightness(picture) > 15.0);
}

void ProcessTest::the_recipe_replays() {
  convert();
  f_->document.runner().apply(*complete({"box", {}}));
  QVERIFY(f_->settle());
  const std::vector<float> values = f_->document.items().current()->dataset->values().particles();
  f_->window->export_to(f_->file("steps.json"), {});
  QVERIFY(f_->settle());
  const auto recipe = load_recipe(f_->file("steps.json").toStdString());
  QVERIFY(recipe.ok());
  QCOMPARE(recipe->steps.size(), std::size_t{2});
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(f_->drop({f_->file("steps.json")}));
  QVERIFY(f_->document.items().current()->recipe.steps == recipe->steps);
  QVERIFY(f_->document.items().current()->dataset->values().particles() == values);
}

void ProcessTest::export_refuses_what_cannot_be() {
  f_->window->export_to(f_->file("pixels.apr"), {});
  QVERIFY(f_->window->message_bar().text().contains(QStringLiteral("convert")));
  f_->window->export_to(QStringLiteral("/no/such/folder/out.tif"), {});
  QVERIFY(f_->settle());
  QVERIFY(f_->window->message_bar().text().contains(QStringLiteral("/no/such/folder")));
  f_->window->export_to(f_->file("out.xyz"), {});
  QVERIFY(f_->window->message_bar().text().contains(QStringLiteral(".tif")));
}

APRSCOPE_GUI_TESTS(ProcessTest)
#include "process_test.moc"
