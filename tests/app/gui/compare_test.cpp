// Two data sets compared: beside each other, with a handle, as a difference, along a line, and with
// the pixels that they come from. Real mouse and keys; what is drawn is checked.
#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QWheelEvent>
#include <array>
#include <cmath>

#include "app/gui/compare/compare_export.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "core/base/system.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "core/pipeline/comparison_report.hpp"
#include "tests/app/gui/compare_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CompareTest : public CompareFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void two_items_stand_side_by_side_and_stay_linked();
  void the_handle_changes_one_side_only();
  void the_difference_is_signed_and_symmetric();
  void metrics_are_those_of_the_images_and_lead_to_the_worst_pixel();
  void contrast_is_shared_until_it_is_not();
  void a_line_is_drawn_and_both_profiles_are_plotted();
  void pixels_get_the_same_steps();
  void the_list_chooses_what_is_compared();
  void long_names_keep_what_tells_them_apart();
  void the_views_come_back();
};

void CompareTest::two_items_stand_side_by_side_and_stay_linked() {
  QTest::keyClick(f_->window.get(), Qt::Key_F9);
  QVERIFY(settle());
  QVERIFY(comparison().active());
  // B is what was looked at, A the other one.
  QCOMPARE(comparison().b()->name, QStringLiteral("two"));
  QCOMPARE(comparison().a()->name, QStringLiteral("one"));
  SliceView& left = area().left();
  SliceView& right = area().right();
  QVERIFY(left.isVisible() && right.isVisible() && !area().difference().isVisible());
  QVERIFY(!f_->window->views().isVisible());

  // A click in B moves A's crosshair too.
  QTest::mouseClick(&right, Qt::LeftButton, Qt::NoModifier,
                    right.to_widget(other_.x + 0.5, other_.y + 0.5).toPoint());
  QVERIFY(settle());
  QCOMPARE(f_->document.view().crosshair().x, other_.x);
  QCOMPARE(left.crosshair().y, other_.y);
  // The wheel in A turns to another slice in B.
  const std::int64_t before = right.index();
  const QPointF middle(left.width() / 2.0, left.height() / 2.0);
  QWheelEvent wheel(middle, left.mapToGlobal(middle), {}, QPoint(0, -120), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&left, &wheel);
  QVERIFY(settle());
  QCOMPARE(std::abs(right.index() - before), std::int64_t{1});
  QCOMPARE(left.index(), right.index());
  // Zoom in A is zoom in B, about the same place.
  QWheelEvent zoom(middle, left.mapToGlobal(middle), {}, QPoint(0, 360), Qt::NoButton,
                   Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&left, &zoom);
  QVERIFY(left.navigation().zoom() > 1.5 * 96.0 / 400.0);
  QCOMPARE(right.navigation().camera().scale, left.navigation().camera().scale);
  QCOMPARE(right.navigation().camera().row, left.navigation().camera().row);
  QCOMPARE(right.navigation().camera().col, left.navigation().camera().col);
  // Each shows its own block.
  f_->document.view().set_crosshair({bright_.z, 2, 2});
  QVERIFY(settle());
  QTest::qWait(50);
  left.navigation().fit();
  QVERIFY(drawn(left, bright_.x, bright_.y).lightness() > 200);
  QVERIFY(drawn(left, other_.x, other_.y).lightness() < 60);
  QVERIFY(drawn(right, other_.x, other_.y).lightness() > 200);
  QVERIFY(drawn(right, bright_.x, bright_.y).lightness() < 60);
}

void CompareTest::the_handle_changes_one_side_only() {
  compare_blocks(CompareMode::reveal);
  SliceView& view = area().left();
  QVERIFY(!area().right().isVisible());
  // A (block at 60) is left of the handle, B (block at 30) right of it. In the middle (column 48)
  // neither block is seen.
  const int handle = view.width() / 2;
  QVERIFY(drawn(view, bright_.x, bright_.y).lightness() < 60);
  QVERIFY(drawn(view, other_.x, other_.y).lightness() < 60);
  const QImage before = view.grab().toImage();

  // To the right of column 60: A's block comes; everything left of the old place is as it was.
  const int to = static_cast<int>(view.to_widget(20, 70).x());
  drag(view, {handle, view.height() / 4}, {to, view.height() / 4});
  QTest::qWait(50);
  QVERIFY(std::abs(comparison().settings().reveal - static_cast<double>(to) / view.width()) < 0.01);
  QVERIFY(drawn(view, bright_.x, bright_.y).lightness() > 200);
  QVERIFY(drawn(view, other_.x, other_.y).lightness() < 60);
  const QImage after = view.grab().toImage();
  // Below the names, beside the handle's own pixels and the scale bar.
  const QRect left_part(20, 110, handle - 60, view.height() - 180);
  QCOMPARE(after.copy(left_part), before.copy(left_part));
  const QRect right_part(to + 20, 110, view.width() - to - 40, view.height() - 180);
  QCOMPARE(after.copy(right_part), before.copy(right_part));
  QVERIFY(after != before);

  // To the left of column 30: B's block comes, A's goes.
  drag(view, {to, view.height() / 4},
       {static_cast<int>(view.to_widget(20, 20).x()), view.height() / 4});
  QTest::qWait(50);
  QVERIFY(drawn(view, bright_.x, bright_.y).lightness() < 60);
  QVERIFY(drawn(view, other_.x, other_.y).lightness() > 200);
  // The crosshair was not moved by any of this.
  QCOMPARE(f_->document.view().crosshair().x, std::int64_t{2});
}

void CompareTest::the_difference_is_signed_and_symmetric() {
  compare_blocks(CompareMode::difference);
  SliceView& view = area().difference();
  QVERIFY(view.isVisible() && !area().left().isVisible());
  QCOMPARE(area().difference_range(), 3900.0);
  QCOMPARE(view.contrast(), (Contrast{-3900.0, 3900.0, 1.0}));
  const QColor a_brighter = drawn(view, bright_.x, bright_.y);
  const QColor b_brighter = drawn(view, other_.x, other_.y);
  QVERIFY2(a_brighter.blue() > a_brighter.red() + 40, qPrintable(a_brighter.name()));
  QVERIFY2(b_brighter.red() > b_brighter.blue() + 40, qPrintable(b_brighter.name()));
  const QColor equal = drawn(view, 40, 80);
  QVERIFY2(equal.lightness() > 220 && equal.saturation() < 20, qPrintable(equal.name()));
  // A range by hand; zero stays white.
  QTest::keyClick(f_->window.get(), Qt::Key_4, Qt::ControlModifier);
  CompareSettings settings = comparison().settings();
  QCOMPARE(settings.mode, CompareMode::all_three);
  settings.difference_range = 40000.0;
  comparison().set_settings(settings);
  QVERIFY(settle());
  QTest::qWait(50);
  QVERIFY(area().left().isVisible() && area().right().isVisible() && view.isVisible());
  QVERIFY(drawn(view, bright_.x, bright_.y).lightness() > 190);
  QVERIFY(drawn(view, 40, 80).lightness() > 220);
}

void CompareTest::metrics_are_those_of_the_images_and_lead_to_the_worst_pixel() {
  compare_blocks(CompareMode::side_by_side);
  QTRY_VERIFY(area().feed().slice_metrics().metrics.has_value());
  QTRY_VERIFY(area().feed().volume_metrics().metrics.has_value());
  const auto a = f_->document.items().all()[0].dataset->values().pixels();
  const auto b = f_->document.items().all()[1].dataset->values().pixels();
  const auto expected = compare_images(a, b);
  QVERIFY(expected.ok());
  const ImageMetrics& found = *area().feed().volume_metrics().metrics;
  QCOMPARE(found.psnr, expected->psnr);
  QCOMPARE(found.ssim, expected->ssim);
  // 27 pixels of each block differ by 3900 of a range of 3900.
  const double nrmse = std::sqrt(2.0 * 27 / static_cast<double>(size_.count()));
  QVERIFY(std::abs(found.nrmse - nrmse) < 1e-9);
  const ComparePanel& panel = compare_panel();
  QCOMPARE(panel.metric_text(QStringLiteral("max"), 1), QStringLiteral("3900"));
  QCOMPARE(panel.metric_text(QStringLiteral("psnr"), 1),
           QStringLiteral("%1 dB").arg(expected->psnr, 0, 'f', 2));
  // The slice has more of the difference.
  QVERIFY(area().feed().slice_metrics().metrics->psnr < found.psnr);

  f_->document.view().set_crosshair({0, 0, 0});
  QVERIFY(settle());
  auto* go = f_->window->findChild<QAbstractButton*>(QStringLiteral("go_1"));
  QVERIFY(go != nullptr && go->isEnabled());
  QTest::mouseClick(go, Qt::LeftButton);
  QCOMPARE(f_->document.view().crosshair(), found.max_at);
}

void CompareTest::contrast_is_shared_until_it_is_not() {
  compare_blocks(CompareMode::side_by_side);
  const std::uint64_t first = comparison().a()->id;
  DisplaySettings display = comparison().a()->display;
  display.contrast = {0.0, 50.0, 1.0};  // the background of 100 becomes white
  f_->document.edits().set_display(first, display);
  QVERIFY(settle());
  QTest::qWait(50);
  QVERIFY(drawn(area().left(), 40, 80).lightness() > 240);
  QVERIFY(drawn(area().right(), 40, 80).lightness() > 240);
  f_->trigger("compare_same_contrast_action");
  QVERIFY(!comparison().settings().same_contrast);
  QVERIFY(settle());
  QTest::qWait(50);
  QVERIFY(drawn(area().left(), 40, 80).lightness() > 240);
  QVERIFY(drawn(area().right(), 40, 80).lightness() < 60);
}

void CompareTest::a_line_is_drawn_and_both_profiles_are_plotted() {
  compare_blocks(CompareMode::side_by_side);
  QTest::keyClick(f_->window.get(), Qt::Key_L, Qt::ControlModifier);
  QVERIFY(comparison().settings().line_tool);
  QTest::qWait(50);  // the plot takes its room
  SliceView& view = area().left();
  const Index3 crosshair = f_->document.view().crosshair();
  // Along row 20, through both blocks.
  drag(view, view.to_widget(20.5, 10.5).toPoint(), view.to_widget(20.5, 80.5).toPoint());
  QVERIFY(settle());
  QCOMPARE(f_->document.view().crosshair(), crosshair);
  QVERIFY(comparison().settings().line.has_value());
  QVERIFY(area().profile().isVisible());
  const LineProfile& a = area().profile().a();
  const LineProfile& b = area().profile().b();
  QCOMPARE(a.values.size(), b.values.size());
  // 70 pixels of 0.5 µm.
  QVERIFY2(std::abs(a.distance.back() - 35.0) < 1.0,
           qPrintable(QString::number(a.distance.back())));
  QCOMPARE(area().profile().unit(), QStringLiteral("µm"));
  const auto peak = [](const LineProfile& p) {
    const auto top = std::max_element(p.values.begin(), p.values.end());
    return std::pair(*top, p.distance[static_cast<std::size_t>(top - p.values.begin())]);
  };
  QVERIFY(peak(a).first > 3500.0 && peak(b).first > 3500.0);
  QVERIFY(std::abs(peak(a).second - 25.0) < 1.6);  // (60 − 10) · 0.5
  QVERIFY(std::abs(peak(b).second - 10.0) < 1.6);  // (30 − 10) · 0.5
  // The line is seen in both views, in its own colour.
  for (SliceView* shown : {&area().left(), &area().right()}) {
    const QPoint at = shown->to_widget(20.5, 45.5).toPoint();
    const QColor c = shown->grab().toImage().pixelColor(at);
    QVERIFY2(c.red() > 180 && c.green() > 140 && c.blue() < 90, qPrintable(c.name()));
  }
  // An end can be dragged; the line goes when the tool is put away.
  drag(view, view.to_widget(20.5, 80.5).toPoint(), view.to_widget(20.5, 40.5).toPoint());
  QVERIFY(std::abs(comparison().settings().line->to.col - 40.5) < 1.0);
  QTest::keyClick(f_->window.get(), Qt::Key_L, Qt::ControlModifier);
  QVERIFY(!comparison().settings().line);
  QVERIFY(!area().profile().isVisible());
}

void CompareTest::pixels_get_the_same_steps() {
  write_cells_tiff(f_->file("cells.tif"), {32, 48, 56});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  const std::uint64_t original = f_->document.items().current()->id;
  f_->trigger("convert_now");
  QVERIFY(f_->settle());
  f_->document.runner().apply(*parse_stencil_spec("gaussian:sigma=2"));
  QVERIFY(f_->settle());
  const std::uint64_t particles = f_->document.items().current()->id;
  QVERIFY(f_->document.items().current()->is_apr());
  QCOMPARE(f_->document.items().current()->costs.size(), std::size_t{2});

  QTest::keyClick(f_->window.get(), Qt::Key_K, Qt::ControlModifier);
  QVERIFY(settle());
  QVERIFY(comparison().active());
  QCOMPARE(comparison().b()->id, particles);
  const Item& pixels = *comparison().a();
  QVERIFY(!pixels.is_apr());
  QCOMPARE(pixels.parent, original);
  QCOMPARE(pixels.recipe.steps.size(), std::size_t{1});
  // The very values that the filter gives on the pixels.
  const auto expected = execute({*parse_stencil_spec("gaussian:sigma=2")},
                                f_->document.items().find(original)->dataset, *cpu_backend());
  QVERIFY(expected.ok());
  QCOMPARE(pixels.dataset->values().pixels().values, expected->data->values().pixels().values);
  // Seconds and megabytes of both.
  const ComparePanel& panel = compare_panel();
  for (const int side : {0, 1}) {
    QVERIFY(panel.cost_text(QStringLiteral("steps"), side).endsWith(QLatin1Char('s')));
    QVERIFY(panel.cost_text(QStringLiteral("memory"), side).contains(QLatin1Char('B')));
    QVERIFY(panel.cost_text(QStringLiteral("backend"), side).startsWith(QStringLiteral("CPU")));
  }
  QCOMPARE(panel.cost_text(QStringLiteral("conversion"), 0), QStringLiteral("–"));
  QVERIFY(panel.cost_text(QStringLiteral("conversion"), 1).endsWith(QLatin1Char('s')));
  QVERIFY(area().feed().volume_metrics().metrics->psnr > 20.0);
  // The table that is exported says what the panel says, and so does the line below it.
  CompareExport what;
  what.kind = CompareExport::Kind::metrics;
  what.path = f_->file("table.csv");
  QVERIFY(export_comparison(f_->document, comparison(), area(), what) != 0);
  QVERIFY(settle());
  QFile file(what.path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QStringList table = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
  const auto said = [&](const char* side, const char* quantity) {
    const QString begin =
        QStringLiteral("%1,%2,").arg(QLatin1String(side), QLatin1String(quantity));
    for (const QString& line : table) {
      if (line.startsWith(begin)) return line.section(QLatin1Char(','), 2, 2).toDouble();
    }
    return std::nan("");
  };
  const std::array<const char*, 2> letters{"A", "B"};
  for (const int side : {0, 1}) {
    const char* of = letters[static_cast<std::size_t>(side)];
    QCOMPARE(panel.cost_text(QStringLiteral("steps"), side),
             QString::fromStdString(duration_text(said(of, "seconds_all_steps"))));
    QCOMPARE(
        panel.cost_text(QStringLiteral("memory"), side),
        QString::fromStdString(format_bytes(static_cast<std::uint64_t>(said(of, "bytes_held")))));
  }
  const double faster = said("A", "seconds_all_steps") / said("B", "seconds_all_steps");
  const QString words = panel.findChild<QLabel*>(QStringLiteral("compare_summary"))->text();
  const QString times = QString::number(faster >= 1.0 ? faster : 1.0 / faster, 'f', 1);
  QVERIFY2(faster > 9.9 || faster < 0.11 || words.contains(times), qPrintable(words));
  QVERIFY2(words.contains(faster >= 1.0 ? QStringLiteral("faster") : QStringLiteral("slower")),
           qPrintable(words));
  // A second time nothing is computed again.
  const std::size_t count = f_->document.items().all().size();
  f_->document.items().set_current(particles);
  f_->trigger("compare_pixels");
  QVERIFY(settle());
  QCOMPARE(f_->document.items().all().size(), count);
}

void CompareTest::the_list_chooses_what_is_compared() {
  compare_blocks(CompareMode::side_by_side);
  write_block_tiff(f_->file("three.tif"), {12, 24, 48}, {5, 10, 15});
  QVERIFY(f_->drop({f_->file("three.tif")}));
  QVERIFY(settle());
  // What is opened or chosen becomes B; sizes may differ, then there is nothing to measure.
  QCOMPARE(comparison().a()->name, QStringLiteral("one"));
  QCOMPARE(comparison().b()->name, QStringLiteral("three"));
  QVERIFY(!area().feed().volume_metrics().metrics);
  QVERIFY(area().feed().volume_metrics().note.contains(QStringLiteral("size")));
  // The same physical place: half the pixels of the same size.
  f_->document.view().set_crosshair({5, 10, 15});
  QVERIFY(settle());
  QCOMPARE(area().left().crosshair(), (Index3{5, 10, 15}));
  f_->document.edits().close(comparison().b()->id);
  QVERIFY(f_->settle());
  QVERIFY(!comparison().active());
  QVERIFY(f_->window->views().isVisible());
}

void CompareTest::long_names_keep_what_tells_them_apart() {
  const QString stem = QStringLiteral("a grid of stripes under a confocal microscope, plane ");
  for (const char* end : {"one.tif", "two.tif"}) {
    const QString path = f_->file(qPrintable(stem + QLatin1String(end)));
    write_block_tiff(path, size_, bright_);
    QVERIFY(f_->drop({path}));
  }
  const auto& items = f_->document.items().all();
  QVERIFY(comparison().compare(items[2].id, items[3].id).ok());
  QVERIFY(settle());
  QStringList seen;
  for (const char* name : {"compare_a", "compare_b"}) {
    const auto* box = f_->window->findChild<QComboBox*>(QLatin1String(name));
    QVERIFY(box != nullptr);
    QVERIFY(box->fontMetrics().horizontalAdvance(box->currentText()) < box->width() - 30);
    QVERIFY(box->currentData(Qt::ToolTipRole).toString().startsWith(stem));
    seen << box->currentText();
  }
  QVERIFY2(seen[0] != seen[1], qPrintable(seen[0]));
}

void CompareTest::the_views_come_back() {
  compare_blocks(CompareMode::reveal);
  QVERIFY(area().isVisible());
  QTest::keyClick(f_->window.get(), Qt::Key_F9);
  QVERIFY(!comparison().active());
  QVERIFY(f_->window->views().isVisible());
  QVERIFY(!area().isVisible());
  QTest::keyClick(f_->window.get(), Qt::Key_F9);
  QVERIFY(settle());
  QCOMPARE(comparison().settings().mode, CompareMode::reveal);
}

APRSCOPE_GUI_TESTS(CompareTest)
#include "compare_test.moc"
