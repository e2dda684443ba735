// Offset and background of a deconvolution, as a hand sets them.
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>

#include "app/gui/document/live_image.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "tests/app/gui/deconvolve_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class BackgroundTest : public DeconvolveFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void numbers_reach_the_run_and_its_recipe();
  void a_guess_is_shown_and_becomes_a_number();
  void a_guess_follows_the_item();
  void an_image_under_it_is_previewed_and_run();
  void what_does_not_fit_is_said();

 private:
  template <class Widget>
  Widget* find(const char* name) {
    return panel().findChild<Widget*>(QLatin1String(name));
  }
  [[nodiscard]] QString note() { return find<QLabel>("background_note")->text(); }
  [[nodiscard]] bool ready() {
    return QTest::qWaitFor([&] { return button("deconvolve_start")->isEnabled(); }, 60000);
  }
};

void BackgroundTest::numbers_reach_the_run_and_its_recipe() {
  type("offset", QStringLiteral("12.5"));
  type("background", QStringLiteral("3"));
  const auto input = f_->document.items().current()->dataset;
  run_to_the_end(4);
  const Operation& step = f_->document.items().current()->recipe.steps.back();
  QCOMPARE(parameter<double>(step, "offset"), 12.5);
  QCOMPARE(parameter<double>(step, "background"), 3.0);
  const auto again = cpu_backend()->run(step, *input, {});
  QVERIFY(again.ok());
  QVERIFY(Dataset::create(*again)->values().pixels().values ==
          f_->document.items().current()->dataset->values().pixels().values);
  const QUndoStack& history = f_->document.undo_stack();
  QVERIFY(history.text(history.count() - 1).contains(QStringLiteral("camera offset 12.5")));
}

void BackgroundTest::a_guess_is_shown_and_becomes_a_number() {
  const double guess = guess_offset(*f_->document.items().current()->dataset);
  QVERIFY(psf_ready());
  find<QCheckBox>("offset_auto")->click();
  QVERIFY(ready());
  QVERIFY(!find<QDoubleSpinBox>("offset")->isEnabled());
  QCOMPARE(find<QDoubleSpinBox>("offset")->value(), guess);
  QVERIFY2(note().contains(QString::number(guess, 'g', 6)), qPrintable(note()));
  QCOMPARE(parameter<double>(panel().operation(), "offset"), guess);
  QVERIFY(!parameter<bool>(panel().operation(), "offset_auto"));
  run_to_the_end(3);
  QCOMPARE(parameter<double>(f_->document.items().current()->recipe.steps.back(), "offset"), guess);
  // It can be edited from there.
  find<QCheckBox>("offset_auto")->click();
  QVERIFY(find<QDoubleSpinBox>("offset")->isEnabled());
  QVERIFY(find<QLabel>("background_note")->isHidden());
}

void BackgroundTest::a_guess_follows_the_item() {
  Pixels<float> flat({6, 40, 40}, 77.0F);
  for (std::size_t i = 100; i < 900; ++i) flat.values[i] = 500.0F;
  write("flat.tif", flat);
  QVERIFY(psf_ready());
  find<QCheckBox>("offset_auto")->click();
  QVERIFY(ready());
  QVERIFY(f_->drop({f_->file("flat.tif")}));
  QVERIFY(psf_ready());
  QVERIFY(ready());
  QCOMPARE(parameter<double>(panel().operation(), "offset"), 77.0);
  QVERIFY2(note().contains(QStringLiteral("77")), qPrintable(note()));
}

void BackgroundTest::an_image_under_it_is_previewed_and_run() {
  const auto input = f_->document.items().current()->dataset;
  const double dark = guess_offset(*input);
  Pixels<float> light(input->size(), static_cast<float>(0.5 * dark + 1.0));
  write("light.tif", light);
  QVERIFY(psf_ready());
  find<QLineEdit>("background_file")->setText(f_->file("light.tif"));
  QVERIFY(!find<QDoubleSpinBox>("background")->isEnabled());
  set_preview(true);
  QTRY_VERIFY_WITH_TIMEOUT(f_->picture(Axis::z).preview, 60000);
  QVERIFY(f_->settle());
  set_preview(false);
  run_to_the_end(3);
  const Operation step = f_->document.items().current()->recipe.steps.back();
  QCOMPARE(parameter<std::string>(step, "background_file"), f_->file("light.tif").toStdString());
  Operation number = step;
  number.parameters["background_file"] = std::string();
  number.parameters["background"] = static_cast<double>(light.values.front());
  const auto same = cpu_backend()->run(number, *input, {});
  QVERIFY(same.ok());
  QVERIFY(Dataset::create(*same)->values().pixels().values ==
          f_->document.items().current()->dataset->values().pixels().values);
}

void BackgroundTest::what_does_not_fit_is_said() {
  write("small.tif", Pixels<float>({5, 9, 9}, 1.0F));
  QVERIFY(psf_ready());
  find<QLineEdit>("background_file")->setText(f_->file("small.tif"));
  // Beside the preview, as long as it is wanted …
  set_preview(true);
  const auto* const beside = find<QLabel>("deconvolve_progress");
  QTRY_VERIFY_WITH_TIMEOUT(beside->text().contains(QStringLiteral("5 × 9 × 9 pixels")), 60000);
  QVERIFY(beside->isVisible());
  set_preview(false);
  QTRY_VERIFY(beside->text().isEmpty());
  // … and in a message where it was meant.
  QStringList said;
  QObject::connect(&f_->document.messages(), &Messages::said, &f_->document,
                   [&](MessageKind, const QString& text) { said << text; });
  set_iterations(2);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 60000));
  QCOMPARE(said.size(), 1);
  QVERIFY2(said.back().contains(QStringLiteral("5 × 9 × 9 pixels")), qPrintable(said.back()));
}

APRSCOPE_GUI_TESTS(BackgroundTest)
#include "background_test.moc"
