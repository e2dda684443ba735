// What is typed into a field is what counts: any text is taken, limits are said, leaving clamps.
#include "app/gui/widgets/number_field.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>

#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/widgets/field_hint.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class NumberFieldTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void judges_texts_by_their_rule();
  void a_number_above_the_limit_stays_until_the_field_is_left();
  void what_is_no_number_keeps_what_was();
  void labels_are_no_part_of_the_text();
  void a_stencil_size_stays_as_typed();
  void undo_after_a_run_is_that_of_the_run();
  void undo_while_typing_is_that_of_the_text();
  void thresholds_by_hand_begin_where_the_automatic_ones_were();

 private:
  FilterControls& filter() { return *f_->window->findChild<FilterControls*>(); }
  // New fields show when events are handled.
  void choose(const Operation& operation) {
    filter().set_operation(*complete(operation));
    QTest::qWait(20);
  }
  template <class Field>
  Field& field(const char* name) {
    auto* found = filter().findChild<Field*>(QLatin1String(name));
    if (found == nullptr) qFatal("no field %s", name);
    return *found;
  }
  static void begin(QWidget& field) {
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
  }
  static QString text(QAbstractSpinBox& field) { return field.findChild<QLineEdit*>()->text(); }

  std::unique_ptr<WindowFixture> f_;
};

void NumberFieldTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_cells_tiff(f_->file("cells.tif"), {16, 48, 56});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  choose({"gaussian", {}});
}

void NumberFieldTest::judges_texts_by_their_rule() {
  const NumberRule sizes{1, 33, true, true};
  QVERIFY(judge(QStringLiteral("7"), sizes).problem.isEmpty());
  QCOMPARE(judge(QStringLiteral("4"), sizes).nearest, 5.0);
  QCOMPARE(judge(QStringLiteral("500"), sizes).nearest, 33.0);
  QCOMPARE(judge(QStringLiteral("-2"), sizes).nearest, 1.0);
  QVERIFY(judge(QStringLiteral("2.5"), sizes).problem.contains(QStringLiteral("whole")));
  QVERIFY(!judge(QStringLiteral("abc"), sizes).number.has_value());
  QVERIFY(!judge(QStringLiteral("nan"), sizes).number.has_value());
  QVERIFY(!judge(QString(), sizes).number.has_value());
  const NumberRule even_limit{0, 12, true, true};
  QCOMPARE(judge(QStringLiteral("99"), even_limit).nearest, 11.0);
  QVERIFY(judge(QStringLiteral("0"), even_limit).problem.isEmpty());
  const NumberRule real{-1.0, 1e6, false, false};
  QCOMPARE(judge(QStringLiteral("1e-5"), real).nearest, 1e-5);
  QCOMPARE(judge(QStringLiteral("0,25"), real).nearest, 0.25);
}

void NumberFieldTest::a_number_above_the_limit_stays_until_the_field_is_left() {
  auto& sigma = field<RealField>("sigma_y");
  const QString limit = QString::number(sigma.maximum(), 'g', 6);
  begin(sigma);
  QTest::keyClicks(&sigma, QStringLiteral("1e9"));
  // Not one character is swallowed, and the reason stands beside it.
  QCOMPARE(text(sigma), QStringLiteral("1e9"));
  const QString said = FieldHint::text_for(sigma);
  QVERIFY2(said.contains(QStringLiteral("1e9")) && said.contains(limit), qPrintable(said));
  auto* const hint = f_->window->findChild<FieldHint*>();
  QVERIFY(hint->isVisible());
  const QRect place(hint->mapToGlobal(QPoint(0, 0)), hint->size());
  const QRect beside(sigma.mapToGlobal(QPoint(0, 0)), sigma.size());
  QVERIFY(!place.intersects(beside));
  QVERIFY(std::abs(place.top() - beside.bottom()) < 10 ||
          std::abs(beside.top() - place.bottom()) < 10);
  // What counted last counts until then: the 1.
  QCOMPARE(sigma.value(), 1.0);
  QTest::keyClick(&sigma, Qt::Key_Tab);
  QCOMPARE(text(sigma), limit);
  QVERIFY2(FieldHint::text_for(sigma).contains(QStringLiteral("is used instead")),
           qPrintable(FieldHint::text_for(sigma)));
  // A sound number is taken as it comes, and nothing is said.
  begin(sigma);
  QTest::keyClicks(&sigma, QStringLiteral("2.5"));
  QCOMPARE(sigma.value(), 2.5);
  QCOMPARE(FieldHint::text_for(sigma), QString());
  QCOMPARE((parameter<std::array<double, 3>>(filter().operation(), "sigma")[2]), 2.5);
  QVERIFY(f_->settle());
}

void NumberFieldTest::what_is_no_number_keeps_what_was() {
  auto& sigma = field<RealField>("sigma_x");
  const double before = sigma.value();
  begin(sigma);
  QTest::keyClicks(&sigma, QStringLiteral("abc"));
  QCOMPARE(text(sigma), QStringLiteral("abc"));
  QVERIFY(FieldHint::text_for(sigma).contains(QStringLiteral("is no number")));
  QTest::keyClick(&sigma, Qt::Key_Return);
  QCOMPARE(sigma.value(), before);
  QVERIFY(FieldHint::text_for(sigma).contains(QStringLiteral("is kept")));
  QVERIFY(f_->settle());
}

void NumberFieldTest::labels_are_no_part_of_the_text() {
  choose({"median", {}});
  for (const char* axis : {"z", "x", "y"}) {
    auto& size = field<WholeField>((std::string("size_") + axis).c_str());
    QVERIFY(size.prefix().isEmpty());
    // Typed at the very front, where the label used to be.
    size.setFocus();
    QTest::keyClick(&size, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&size, Qt::Key_Delete);
    QTest::keyClick(&size, Qt::Key_Home);
    QTest::keyClicks(&size, QStringLiteral("15"));
    QTest::keyClick(&size, Qt::Key_Tab);
    QCOMPARE(size.value(), 15);
    const auto labels = filter().findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [&](const QLabel* label) { return label->buddy() == &size; }));
  }
  QVERIFY(f_->settle());
}

void NumberFieldTest::a_stencil_size_stays_as_typed() {
  choose({"custom", {{"stencil", box_stencil({3, 3, 3})}}});
  for (const Qt::Key end : {Qt::Key_Return, Qt::Key_Tab}) {
    auto& size = field<WholeField>("stencil_size_x");
    const int wanted = end == Qt::Key_Return ? 7 : 5;
    begin(size);
    QTest::keyClicks(&size, QString::number(wanted));
    QTest::keyClick(&size, end);
    QCOMPARE(size.value(), wanted);
    QCOMPARE(parameter<Stencil>(filter().operation(), "stencil").size.x, std::int64_t{wanted});
  }
  QVERIFY(f_->settle());
}

void NumberFieldTest::undo_after_a_run_is_that_of_the_run() {
  auto& sigma = field<RealField>("sigma_y");
  begin(sigma);
  QTest::keyClicks(&sigma, QStringLiteral("2"));
  QVERIFY(f_->settle());
  auto* apply = filter().findChild<QAbstractButton*>(QStringLiteral("filter_apply"));
  QTest::mouseClick(apply, Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  // Back in the field, where nothing was typed since.
  QTest::mouseClick(&field<RealField>("sigma_y"), Qt::LeftButton);
  QVERIFY(field<RealField>("sigma_y").hasFocus());
  QTest::keyClick(&field<RealField>("sigma_y"), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QCOMPARE(field<RealField>("sigma_y").value(), 2.0);
}

void NumberFieldTest::undo_while_typing_is_that_of_the_text() {
  auto& sigma = field<RealField>("sigma_y");
  const std::size_t before = f_->document.items().all().size();
  begin(sigma);
  QTest::keyClicks(&sigma, QStringLiteral("27"));
  QTest::keyClick(&sigma, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(text(sigma) != QStringLiteral("27"));
  QCOMPARE(f_->document.items().all().size(), before);
  QVERIFY(f_->settle());
}

void NumberFieldTest::thresholds_by_hand_begin_where_the_automatic_ones_were() {
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
  auto* convert = f_->window->findChild<ConvertControls*>();
  QVERIFY(f_->settle());
  QTRY_VERIFY(f_->document.preview().estimate().has_value());
  const ConversionEstimate found = *f_->document.preview().estimate();
  auto* automatic = qobject_cast<QCheckBox*>(convert->form()->control("auto_thresholds"));
  QVERIFY(automatic != nullptr && automatic->isChecked());
  automatic->setFocus();
  QTest::keyClick(automatic, Qt::Key_Space);
  QVERIFY(!automatic->isChecked());
  const Operation now = convert->operation();
  QVERIFY(std::abs(parameter<double>(now, "sigma_th") - found.sigma_th) <= 1e-5 * found.sigma_th);
  QVERIFY(std::abs(parameter<double>(now, "grad_th") - found.grad_th) <= 1e-5 * found.grad_th);
  // The same particles as before.
  QVERIFY(f_->settle());
  QTRY_VERIFY(f_->document.preview().estimate().has_value());
  QCOMPARE(f_->document.preview().estimate()->particles, found.particles);
}

APRSCOPE_GUI_TESTS(NumberFieldTest)
#include "number_field_test.moc"
