// A stencil is edited by hand, cell by cell, and the picture on the screen follows.
#include <QAbstractButton>
#include <QLineEdit>
#include <QTableWidget>

#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/widgets/field_hint.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/stencil_editor.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class StencilTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void an_edited_cell_changes_the_picture_on_the_screen();
  void a_preset_becomes_a_grid_of_readable_weights();
  void normalised_weights_keep_the_contrast_and_others_get_their_own();
  void contrast_does_not_filter_again();
  void the_grid_follows_the_theme();
  void what_is_no_number_is_said();

 private:
  FilterControls* filter() { return f_->window->findChild<FilterControls*>(); }
  StencilEditor* editor() { return f_->window->findChild<StencilEditor*>(); }
  // Types a number into a cell of the shown slice, as a user does.
  void type(int row, int column, const QString& text);

  std::unique_ptr<WindowFixture> f_;
};

void StencilTest::init() {
  f_ = std::make_unique<WindowFixture>();
  write_cells_tiff(f_->file("cells.tif"), {24, 80, 96});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
}

void StencilTest::cleanup() { f_.reset(); }

void StencilTest::type(int row, int column, const QString& text) {
  QTableWidget* table = editor()->table();
  const QRect cell = table->visualItemRect(table->item(row, column));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
  QWidget* field = table->viewport()->findChild<QLineEdit*>();
  QVERIFY(field != nullptr);
  static_cast<QLineEdit*>(field)->selectAll();
  QTest::keyClicks(field, text);
  QTest::keyClick(field, Qt::Key_Return);
  // The table takes the number when the event of the key is over.
  QTRY_VERIFY(table->viewport()->findChild<QLineEdit*>() == nullptr);
}

void StencilTest::an_edited_cell_changes_the_picture_on_the_screen() {
  filter()->set_operation(*complete({"custom", {{"stencil", box_stencil({1, 3, 3})}}}));
  emit filter()->preview_changed();
  QVERIFY(f_->settle());
  const QImage before = f_->slice(Axis::z).grab().toImage();
  const std::vector<float> values = f_->picture(Axis::z).plane.values;
  QVERIFY(f_->picture(Axis::z).preview);

  type(0, 2, QStringLiteral("25"));
  QVERIFY(f_->settle());
  const Stencil& edited = editor()->stencil();
  QCOMPARE(edited.weights[2], 25.0);
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(f_->picture(Axis::z).plane.values != values);
  QVERIFY2(f_->slice(Axis::z).grab().toImage() != before, "the picture on the screen is the same");

  // A cell that takes no number keeps its weight.
  type(1, 1, QStringLiteral("many"));
  QCOMPARE(editor()->stencil().weights, edited.weights);

  // Applied, the result is what was previewed.
  const std::vector<float> previewed = f_->picture(Axis::z).plane.values;
  QTest::mouseClick(filter()->findChild<QAbstractButton*>(QStringLiteral("filter_apply")),
                    Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!f_->picture(Axis::z).preview);
  QVERIFY(f_->picture(Axis::z).plane.values == previewed);
}

void StencilTest::a_preset_becomes_a_grid_of_readable_weights() {
  filter()->set_operation(*complete({"gaussian", {}}));  // 13 x 13 x 13
  emit filter()->preview_changed();
  QVERIFY(f_->settle());
  auto* by_hand = filter()->findChild<QAbstractButton*>(QStringLiteral("filter_by_hand"));
  QTest::mouseClick(by_hand, Qt::LeftButton);
  QVERIFY(f_->settle());
  QTableWidget* table = editor()->table();
  QCOMPARE(table->rowCount(), 13);
  QCOMPARE(table->columnCount(), 13);
  // Each number fits into its cell.
  for (int column = 0; column < 13; ++column) {
    const QString text = table->item(6, column)->text();
    QVERIFY2(table->fontMetrics().horizontalAdvance(text) <= table->columnWidth(column) - 6,
             qPrintable(text));
  }
  const std::size_t middle = (6 * 13 + 6) * 13 + 6;
  const double weight = editor()->stencil().weights[middle];
  const double shown = table->item(6, 6)->text().toDouble();
  const double unit = weight / shown;
  QVERIFY(shown >= 1.0 && shown < 1000.0);
  // Numbers are typed in the unit in which they are shown.
  table->scrollToItem(table->item(6, 6));
  type(6, 6, QString::number(2.0 * shown));
  QVERIFY(std::abs(editor()->stencil().weights[middle] / (2.0 * shown * unit) - 1.0) < 0.02);
  // Opening and leaving a cell changes nothing, although it shows three digits only.
  const std::vector<double> weights = editor()->stencil().weights;
  type(6, 5, table->item(6, 5)->text());
  QCOMPARE(editor()->stencil().weights, weights);
}

void StencilTest::normalised_weights_keep_the_contrast_and_others_get_their_own() {
  filter()->set_operation(*complete({"custom", {{"stencil", box_stencil({3, 3, 3})}}}));
  emit filter()->preview_changed();
  QVERIFY(f_->settle());
  QVERIFY(filter()->operation().parameters.contains("normalize"));
  Operation operation = filter()->operation();
  operation.parameters["normalize"] = true;
  f_->document.preview().set(operation);
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).preview);
  QVERIFY(!f_->picture(Axis::z).contrast);
  operation.parameters["normalize"] = false;
  Stencil edge = box_stencil({1, 1, 3});
  edge.weights = {-1.0, 0.0, 1.0};
  operation.parameters["stencil"] = edge;
  f_->document.preview().set(operation);
  QVERIFY(f_->settle());
  QVERIFY(f_->picture(Axis::z).contrast.has_value());
  QVERIFY(f_->picture(Axis::z).contrast->low < 0.0);
}

void StencilTest::contrast_does_not_filter_again() {
  filter()->set_operation(*complete({"gaussian", {}}));
  emit filter()->preview_changed();
  QVERIFY(f_->settle());
  const int made = f_->picture_count();
  const QImage before = f_->slice(Axis::z).grab().toImage();
  DisplaySettings display = f_->document.items().current()->display;
  display.contrast.high *= 0.5;
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture_count(), made);
  QVERIFY(f_->slice(Axis::z).grab().toImage() != before);
}

void StencilTest::the_grid_follows_the_theme() {
  Stencil stencil = box_stencil({1, 3, 3});
  stencil.weights[0] = 0.0;
  filter()->set_operation(*complete({"custom", {{"stencil", stencil}}}));
  const auto background = [&] { return editor()->table()->item(0, 0)->background().color(); };
  QVERIFY(background().lightness() < 80);
  f_->trigger("theme");
  QTRY_VERIFY2(background().lightness() > 180, qPrintable(background().name()));
}

void StencilTest::what_is_no_number_is_said() {
  filter()->set_operation(*complete({"custom", {{"stencil", box_stencil({1, 3, 3})}}}));
  QVERIFY(f_->settle());
  QVERIFY(editor() != nullptr);
  const Stencil before = parameter<Stencil>(filter()->operation(), "stencil");
  type(0, 1, QStringLiteral("abc"));
  const QString said = FieldHint::text_for(*editor()->table());
  QVERIFY2(said.contains(QStringLiteral("“abc” is no number")), qPrintable(said));
  QVERIFY(parameter<Stencil>(filter()->operation(), "stencil") == before);
}

APRSCOPE_GUI_TESTS(StencilTest)
#include "stencil_test.moc"
