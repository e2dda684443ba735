// The line of a profile: opened by a key, drawn in a slice, followed, kept.
#include "app/gui/panels/line_tool.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <cmath>

#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "tests/app/gui/measure_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class LineToolTest : public MeasureFixture {
  Q_OBJECT

 private slots:
  void init() {
    start();
    const std::uint64_t id = f_->document.items().current()->id;
    f_->document.edits().set_voxel_size(id, {2.0, 0.5, 0.5, "µm"});
    QVERIFY(f_->settle());
    QTest::keyClick(f_->window.get(), Qt::Key_L, Qt::ControlModifier);
    QVERIFY(f_->settle());
  }
  void cleanup() { end(); }
  void the_plot_waits_for_a_line();
  void a_line_is_measured_while_it_is_drawn();
  void it_goes_from_slice_to_slice_with_the_crosshair();
  void other_data_are_measured_where_they_are_seen();
  void another_view_takes_it_over();
  void it_is_kept_and_found_again();
  void other_panels_have_slices_without_it();

 private:
  SliceView& slice(Axis axis) { return f_->slice(axis); }
  void draw(Axis axis, const PlaneLine& line) {
    SliceView& view = slice(axis);
    const QPoint from = view.to_widget(line.from.row, line.from.col).toPoint();
    const QPoint to = view.to_widget(line.to.row, line.to.col).toPoint();
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    for (int k = 1; k <= 4; ++k) QTest::mouseMove(&view, from + (to - from) * k / 4);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
    QVERIFY(f_->settle());
  }
  double figure(const char* id) {
    const Column* column = view().table().table().column(id);
    return column != nullptr ? std::get<std::vector<double>>(column->cells).front() : std::nan("");
  }
  double highest() {
    const Curve& curve = view().curve().curve();
    if (curve.ys.empty() || curve.ys.front().values.empty()) return std::nan("");
    return *std::max_element(curve.ys.front().values.begin(), curve.ys.front().values.end());
  }
};

void LineToolTest::the_plot_waits_for_a_line() {
  QCOMPARE(f_->window->shown_panel(), QStringLiteral("measure"));
  QCOMPARE(find<QComboBox>("measure_choice")->currentData().toString(),
           QStringLiteral("line_profile"));
  // So that views do not shrink under the mouse that draws.
  QTRY_VERIFY(view().isVisible());
  const QString note = find<QLabel>("measure_note")->text();
  QVERIFY2(note.contains(QStringLiteral("Draw a line")), qPrintable(note));
  QVERIFY(!find<QPushButton>("measure_keep")->isEnabled());
  QVERIFY(slice(Axis::z).tools().line_tool());
}

void LineToolTest::a_line_is_measured_while_it_is_drawn() {
  const int height = slice(Axis::z).height();
  const Index3 crosshair = f_->document.view().crosshair();
  // The slice has the block at rows 7 to 9, columns 11 to 13.
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  QCOMPARE(slice(Axis::z).height(), height);
  QCOMPARE(f_->document.view().crosshair(), crosshair);
  QTRY_VERIFY(std::abs(figure("length") - 10.0) < 0.3);
  QCOMPARE(figure("maximum"), 4000.0);
  QTRY_COMPARE(highest(), 4000.0);
  // Three pixels of half a micrometre between half of the way up and down.
  QVERIFY2(std::abs(figure("half_width") - 1.5) < 0.1,
           qPrintable(QString::number(figure("half_width"))));
  QCOMPARE(view().curve().curve().x.unit, std::string("µm"));
  QVERIFY(find<QPushButton>("measure_keep")->isEnabled());
  // Its ends stand in the form, in pixels.
  QVERIFY(std::abs(find<QDoubleSpinBox>("end_y")->value() - 22.0) < 0.2);
  find<QDoubleSpinBox>("end_y")->setValue(10.0);
  QTRY_VERIFY(std::abs(slice(Axis::z).tools().line()->to.col - 10.5) < 1e-9);
  // Who types another slice sees it.
  for (const char* end : {"end_z", "start_z"}) find<QDoubleSpinBox>(end)->setValue(1.0);
  QCOMPARE(f_->document.view().crosshair().z, std::int64_t{1});
  QTRY_COMPARE(highest(), 100.0);
}

void LineToolTest::it_goes_from_slice_to_slice_with_the_crosshair() {
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  QTRY_COMPARE(highest(), 4000.0);
  Index3 p = f_->document.view().crosshair();
  p.z = 0;
  f_->document.view().set_crosshair(p);
  QVERIFY(f_->settle());
  QTRY_COMPARE(highest(), 100.0);
  QCOMPARE(find<QDoubleSpinBox>("start_z")->value(), 0.0);
  QVERIFY(slice(Axis::z).tools().line().has_value());
}

void LineToolTest::other_data_are_measured_where_they_are_seen() {
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  QTRY_COMPARE(highest(), 4000.0);
  // Larger data, whose middle is elsewhere.
  write_block_tiff(f_->file("other.tif"), {40, 20, 30}, {2, 8, 12});
  QVERIFY(f_->drop({f_->file("other.tif")}));
  const double seen = static_cast<double>(f_->document.view().crosshair().z);
  QVERIFY(seen > 10.0);
  QTRY_COMPARE(find<QDoubleSpinBox>("start_z")->value(), seen);
  QTRY_COMPARE(highest(), 100.0);
}

void LineToolTest::another_view_takes_it_over() {
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  draw(Axis::x, {{1.5, 4.5}, {6.5, 4.5}});
  QVERIFY(!slice(Axis::z).tools().line());
  QVERIFY(slice(Axis::x).tools().line().has_value());
  QCOMPARE(find<QComboBox>("plane")->currentText(), QStringLiteral("yz"));
  // Five pixels of 2 µm.
  QTRY_VERIFY(std::abs(figure("length") - 10.0) < 0.6);
}

void LineToolTest::it_is_kept_and_found_again() {
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  QTRY_COMPARE(highest(), 4000.0);
  const std::int64_t drawn_in = f_->document.view().crosshair().z;
  keep();
  QCOMPARE(f_->document.items().current()->recipe.steps.back().id, std::string("line_profile"));
  QVERIFY(slice(Axis::z).tools().line().has_value());
  // Another slice is another measurement; who chooses the kept one sees its slice.
  const std::uint64_t kept = f_->document.items().current()->id;
  f_->document.items().set_current(f_->document.items().all().front().id);
  QVERIFY(f_->settle());
  f_->document.view().set_crosshair({0, 8, 12});
  QVERIFY(f_->settle());
  f_->document.items().set_current(kept);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.view().crosshair().z, drawn_in);
  QTRY_COMPARE(highest(), 4000.0);
}

void LineToolTest::other_panels_have_slices_without_it() {
  draw(Axis::z, {{8.5, 2.5}, {8.5, 22.5}});
  QVERIFY(slice(Axis::z).tools().line().has_value());
  QTest::keyClick(f_->window.get(), Qt::Key_F5);
  QVERIFY(!slice(Axis::z).tools().line() && !slice(Axis::z).tools().line_tool());
  // It is there again with the panel, in the slice that is seen by then.
  f_->document.view().set_crosshair({0, 8, 12});
  QTest::keyClick(f_->window.get(), Qt::Key_F10);
  QVERIFY(slice(Axis::z).tools().line().has_value());
  QCOMPARE(find<QDoubleSpinBox>("start_z")->value(), 0.0);
  QTRY_COMPARE(highest(), 100.0);
  // Other measurements have none.
  auto* choice = find<QComboBox>("measure_choice");
  choice->setCurrentIndex(choice->findData(QStringLiteral("statistics")));
  QVERIFY(!slice(Axis::z).tools().line_tool());
}

APRSCOPE_GUI_TESTS(LineToolTest)
#include "line_tool_test.moc"
