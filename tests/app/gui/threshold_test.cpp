// The threshold that is looked at: a line in the plot that all views follow.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include <qcustomplot.h>

#include "app/gui/document/turn_export.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/views/threshold_bar.hpp"
#include "app/gui/views/threshold_reading.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "app/gui/widgets/threshold_line.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// Three stairs along y, of 100, 1000 and 4000, each 8 wide.
Volume stairs() {
  Pixels<std::uint16_t> pixels(Size3{8, 16, 24});
  for (std::int64_t z = 0; z < 8; ++z) {
    for (std::int64_t x = 0; x < 16; ++x) {
      for (std::int64_t y = 0; y < 24; ++y) {
        pixels.at(z, x, y) = static_cast<std::uint16_t>(y < 8 ? 100 : y < 16 ? 1000 : 4000);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "stairs";
  return volume;
}

}  // namespace

class ThresholdTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void topology_starts_with_a_threshold_that_slices_mark();
  void dragging_the_line_changes_what_is_marked();
  void a_click_goes_to_a_suggestion_and_keys_to_the_next_value();
  void a_row_of_the_table_and_a_click_in_a_slice_choose_it();
  void the_3d_view_shows_the_surface_or_darkens_the_rest();
  void a_movie_shows_the_surface_that_is_seen();
  void a_histogram_has_one_when_it_is_asked_for();
  void a_mask_is_made_of_what_is_marked();
  void nothing_is_marked_when_nobody_measures();
  void volumes_in_cubic_angstrom_are_also_masses_of_protein();

 private:
  MeasurementView& view() { return f_->window->measurement_view(); }
  ThresholdLine& line() { return view().curve().threshold(); }
  QCustomPlot& plot() { return view().curve().plot(); }
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void measure(const char* word) {
    QTest::keyClick(f_->window.get(), Qt::Key_F10);
    auto* choice = find<QComboBox>("measure_choice");
    choice->setFocus();
    QTest::keyClicks(choice, QLatin1String(word));
    QVERIFY(f_->settle());
    QTRY_VERIFY(view().isVisible() && plot().axisRect()->width() > 50);
  }
  QPoint in_plot(double x) {
    return {static_cast<int>(std::lround(plot().xAxis->coordToPixel(x))),
            plot().axisRect()->rect().center().y()};
  }
  // How much redder than blue the xy slice is at a column; grey where nothing is marked.
  int redness(std::int64_t y) {
    SliceView& slice = f_->slice(Axis::z);
    const QPointF at = slice.to_widget(4.5, static_cast<double>(y) + 0.5);
    const QImage shot = slice.grab().toImage();
    const double ratio = static_cast<double>(shot.width()) / slice.width();
    const QColor color = shot.pixelColor((at * ratio).toPoint());
    return color.red() - color.blue();
  }
  // Columns of the three stairs, away from borders, crosshair and captions.
  bool marked(bool dark, bool middle, bool bright) {
    return (redness(4) > 20) == dark && (redness(14) > 20) == middle &&
           (redness(20) > 20) == bright;
  }

  std::unique_ptr<WindowFixture> f_;
};

void ThresholdTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QVERIFY(write_tiff(stairs(), f_->file("stairs.tif").toStdString()).ok());
  QVERIFY(f_->drop({f_->file("stairs.tif")}));
}

void ThresholdTest::cleanup() { f_.reset(); }

void ThresholdTest::topology_starts_with_a_threshold_that_slices_mark() {
  QVERIFY(marked(false, false, false));
  measure("topo");
  // Otsu: 100 and 1000 on one side, 4000 on the other.
  QTRY_VERIFY(line().at() == 4000.0);
  QTRY_VERIFY(marked(false, false, true));
  const QString reading = view().threshold().reading();
  QVERIFY2(
      reading.contains(QStringLiteral("4,000")) && reading.contains(QStringLiteral("Volume 1,024")),
      qPrintable(reading));
  // Off, and on again where it was.
  QTest::keyClick(&plot(), Qt::Key_Left);
  QTRY_VERIFY(marked(false, true, true));
  QTest::mouseClick(&view().threshold().toggle(), Qt::LeftButton);
  QTRY_VERIFY(marked(false, false, false));
  QVERIFY(!line().at());
  QTest::mouseClick(&view().threshold().toggle(), Qt::LeftButton);
  QTRY_VERIFY(marked(false, true, true));
  QCOMPARE(line().at().value_or(0.0), 1000.0);
}

void ThresholdTest::dragging_the_line_changes_what_is_marked() {
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  const QCPRange shown = plot().xAxis->range();
  QTest::mousePress(&plot(), Qt::LeftButton, {}, in_plot(4000));
  for (const double x : {3500.0, 2500.0, 1500.0, 1100.0}) {
    QTest::mouseMove(&plot(), in_plot(x));
    QTest::qWait(20);
  }
  QTest::mouseRelease(&plot(), Qt::LeftButton, {}, in_plot(1100));
  QCOMPARE(line().at().value_or(0.0), 1000.0);
  QTRY_VERIFY(marked(false, true, true));
  // It was the line that moved, not the plot.
  QCOMPARE(plot().xAxis->range().lower, shown.lower);
}

void ThresholdTest::a_click_goes_to_a_suggestion_and_keys_to_the_next_value() {
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, in_plot(150));
  QCOMPARE(line().at().value_or(0.0), 100.0);
  QTRY_VERIFY(marked(true, true, true));
  QTest::keyClick(&plot(), Qt::Key_Right);
  QCOMPARE(line().at().value_or(0.0), 1000.0);
  // With Shift to the next mark: the middle of the plateau, then Otsu's.
  QTest::keyClick(&plot(), Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(line().at().value_or(0.0), 2050.0);
  QTest::keyClick(&plot(), Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(line().at().value_or(0.0), 4000.0);
  QTest::keyClick(&plot(), Qt::Key_Left);
  QCOMPARE(line().at().value_or(0.0), 1000.0);
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, in_plot(4000) - QPoint(4, 0));
  QCOMPARE(line().at().value_or(0.0), 4000.0);
  // A double click shows all of the curve and leaves the line.
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, in_plot(150));
  QCOMPARE(line().at().value_or(0.0), 100.0);
  QTest::mouseDClick(&plot(), Qt::LeftButton, {}, in_plot(150));
  QCOMPARE(line().at().value_or(0.0), 4000.0);
  // Other buttons do nothing with it.
  QTest::mouseClick(&plot(), Qt::RightButton, {}, in_plot(150));
  QCOMPARE(line().at().value_or(0.0), 4000.0);
}

void ThresholdTest::a_row_of_the_table_and_a_click_in_a_slice_choose_it() {
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  QTableView& rows = view().table().view();
  QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                    rows.visualRect(rows.model()->index(0, 0)).center());
  QCOMPARE(line().at().value_or(0.0), 100.0);
  SliceView& slice = f_->slice(Axis::z);
  const auto click = [&](double y) {
    QTest::mouseClick(&slice, Qt::LeftButton, {}, slice.to_widget(8.5, y).toPoint());
  };
  click(20.5);
  QCOMPARE(line().at().value_or(0.0), 100.0);  // nobody asked for it
  QTest::mouseClick(find<QToolButton>("threshold_pick"), Qt::LeftButton);
  click(12.5);
  QTRY_COMPARE(line().at().value_or(0.0), 1000.0);
  QTRY_VERIFY(marked(false, true, true));
  // Neither a double click, which maximises, nor keys that move the crosshair do.
  const auto double_click = [&] {
    QTest::qWait(QApplication::doubleClickInterval() + 50);
    click(20.5);
    QTest::mouseDClick(&slice, Qt::LeftButton, {}, slice.to_widget(8.5, 20.5).toPoint());
    QVERIFY(f_->settle());
    QCOMPARE(line().at().value_or(0.0), 1000.0);
  };
  double_click();
  double_click();
  for (int i = 0; i < 12; ++i) QTest::keyClick(&slice, Qt::Key_Right);
  QVERIFY(f_->document.view().crosshair().y > 16);
  QCOMPARE(line().at().value_or(0.0), 1000.0);
}

void ThresholdTest::the_3d_view_shows_the_surface_or_darkens_the_rest() {
  const auto settled = [&] {
    return f_->settle() && f_->window->views().mip().wait_until_exact(std::chrono::seconds(20));
  };
  MipView& mip = f_->window->views().mip();
  mip.overlays().set_box_visible(false);
  mip.overlays().set_planes_visible(false);
  mip.overlays().set_hud_visible(false);
  mip.navigation().set_preset(MipPreset::front);
  const auto color = [&](double y) {
    const QPointF at = mip.to_widget(4.0, 8.0, y);
    const QImage shot = mip.grab().toImage();
    return shot.pixelColor((at * shot.width() / mip.width()).toPoint());
  };
  QVERIFY(settled());
  const int before = color(12).red();
  QVERIFY(before > 20);
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  QVERIFY(settled());
  QTRY_VERIFY(mip.rays().shows_surface());
  QTRY_VERIFY(color(20).red() > color(20).blue() + 60);
  const QColor background = color(12);
  QVERIFY(background.red() < 40);
  // A click goes to what is seen, not to what is brightest behind it.
  QTest::mouseClick(&mip, Qt::LeftButton, {}, mip.to_widget(4.0, 8.5, 20.5).toPoint());
  QTRY_VERIFY(f_->document.view().crosshair().y == 20 && f_->document.view().crosshair().z == 0);
  // It follows the line.
  QTest::keyClick(&plot(), Qt::Key_Left);
  QVERIFY(settled());
  QTRY_VERIFY(color(12).red() > color(12).blue() + 60);
  QVERIFY(color(4).red() < 40);
  QTest::mouseClick(find<QToolButton>("threshold_surface"), Qt::LeftButton);
  QVERIFY(settled());
  QTRY_VERIFY(!mip.rays().shows_surface());
  // What is not kept is darker, what is kept stays as it was.
  QTest::keyClick(&plot(), Qt::Key_Right);
  QTRY_VERIFY(color(12).red() < before / 2);
  QVERIFY(color(20).red() > 200);
  QVERIFY(std::abs(color(20).red() - color(20).blue()) < 10);
}

void ThresholdTest::a_movie_shows_the_surface_that_is_seen() {
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  const MipRays& rays = f_->window->views().mip().rays();
  QTRY_VERIFY(rays.surface() == 4000.0F);
  const auto first_picture = [&](const char* name, std::optional<float> surface) {
    const Item& item = *f_->document.items().current();
    if (export_turn(f_->document, item, f_->file(name), 2, surface) == 0 || !f_->settle()) {
      return QByteArray();
    }
    QFile file(f_->file(name) + QStringLiteral("/frame_0001.png"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray surface = first_picture("surface", rays.surface());
  const QByteArray projection = first_picture("projection", std::nullopt);
  QVERIFY(!surface.isEmpty() && !projection.isEmpty() && surface != projection);
  // The window gives its own: with the surface, and when that is switched off without.
  const auto of_window = [&](const char* name) {
    ExportOptions options;
    options.turn = true;
    options.frames = 2;
    f_->window->export_to(f_->file(name), options);
    if (!f_->settle()) return QByteArray();
    QFile file(f_->file(name) + QStringLiteral("/frame_0001.png"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  QVERIFY(of_window("seen") == surface);
  QTest::mouseClick(find<QToolButton>("threshold_surface"), Qt::LeftButton);
  QVERIFY(!rays.surface());
  QVERIFY(of_window("not_seen") == projection);
}

void ThresholdTest::a_histogram_has_one_when_it_is_asked_for() {
  measure("hist");
  QVERIFY(view().threshold().isVisible());
  QVERIFY(!line().at());
  QVERIFY(marked(false, false, false));
  QTest::mouseClick(&view().threshold().toggle(), Qt::LeftButton);
  QTRY_VERIFY(line().at().has_value());
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, in_plot(2500));
  QTRY_VERIFY(marked(false, false, true));
  // The bar that has the threshold is read, the first one, too.
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, in_plot(101));
  QTRY_VERIFY2(view().threshold().reading().contains(QStringLiteral("Pixels 1,024")),
               qPrintable(view().threshold().reading()));
}

void ThresholdTest::a_mask_is_made_of_what_is_marked() {
  measure("topo");
  QTRY_VERIFY(line().at() == 4000.0);
  QTest::keyClick(&plot(), Qt::Key_Left);
  QTest::mouseClick(find<QPushButton>("threshold_mask"), Qt::LeftButton);
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{2});
  const Item& made = *f_->document.items().current();
  QVERIFY(!made.is_measurement());
  const auto* mask = std::get_if<Pixels<std::uint8_t>>(&made.dataset->volume().pixels);
  QVERIFY(mask != nullptr);
  QCOMPARE(int(mask->at(3, 3, 7)), 0);
  QCOMPARE(int(mask->at(3, 3, 8)), 1);
  QCOMPARE(int(mask->at(3, 3, 23)), 1);
  // Dark objects, with the threshold that they start with.
  f_->trigger("undo");
  QVERIFY(f_->settle());
  auto* sets = find<QComboBox>("sets");
  QVERIFY(sets != nullptr);
  sets->setCurrentText(QStringLiteral("sublevel"));
  emit sets->activated(sets->currentIndex());
  QVERIFY(f_->settle());
  QTRY_VERIFY(line().at() == 1000.0);
  QTRY_VERIFY(marked(true, true, false));
  QTest::mouseClick(find<QPushButton>("threshold_mask"), Qt::LeftButton);
  QVERIFY(f_->settle());
  const auto& dark =
      std::get<Pixels<std::uint8_t>>(f_->document.items().current()->dataset->volume().pixels);
  QCOMPARE(int(dark.at(3, 3, 0)), 1);
  QCOMPARE(int(dark.at(3, 3, 15)), 1);
  QCOMPARE(int(dark.at(3, 3, 16)), 0);
  f_->trigger("undo");
  QVERIFY(f_->settle());
  sets->setCurrentText(QStringLiteral("superlevel"));
  emit sets->activated(sets->currentIndex());
  QVERIFY(f_->settle());
  QTest::mouseClick(find<QPushButton>("threshold_mask"), Qt::LeftButton);
  QVERIFY(f_->settle());
  // Of the measurement, too, when it is kept.
  QTest::mouseClick(find<QPushButton>("measure_keep"), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().current()->is_measurement());
  QTRY_VERIFY(line().at() == 1.0);
  QTest::mouseClick(find<QPushButton>("threshold_mask"), Qt::LeftButton);
  QVERIFY(f_->settle());
  QVERIFY(!f_->document.items().current()->is_measurement());
  QCOMPARE(f_->document.items().current()->recipe.steps.size(), std::size_t{2});
}

void ThresholdTest::nothing_is_marked_when_nobody_measures() {
  measure("topo");
  QTRY_VERIFY(marked(false, false, true));
  QTest::keyClick(f_->window.get(), Qt::Key_F5);
  QTRY_VERIFY(!view().isVisible());
  QTRY_VERIFY(marked(false, false, false));
  QTest::keyClick(f_->window.get(), Qt::Key_F10);
  QTRY_VERIFY(marked(false, false, true));
}

void ThresholdTest::volumes_in_cubic_angstrom_are_also_masses_of_protein() {
  // 1.35 g/cm³ are .813 Da/Å³.
  QCOMPARE(protein_mass(570400.0), QStringLiteral("≈ 462 kDa of protein"));
  QCOMPARE(protein_mass(1000.0), QStringLiteral("≈ 0.81 kDa of protein"));
  QCOMPARE(protein_mass(60000.0), QStringLiteral("≈ 48.6 kDa of protein"));
  QCOMPARE(protein_mass(1233000.0), QStringLiteral("≈ 999 kDa of protein"));
  QCOMPARE(protein_mass(1234500.0), QStringLiteral("≈ 1.00 MDa of protein"));
  QCOMPARE(protein_mass(5e9), QStringLiteral("≈ 4,050 MDa of protein"));

  Measurement measured;
  Curve volume;
  volume.id = "volume";
  volume.label = "Volume";
  volume.shape = CurveShape::steps_before;
  volume.x = {"threshold", "Threshold", "", {1.0, 2.0}};
  volume.ys.push_back({"volume", "Volume", "Å³", {60000.0, 0.0}});
  measured.curves.push_back(volume);
  const auto reading = [&](double at) {
    return reading_at(measured, measured.curves[0], LevelSet{at});
  };
  QCOMPARE(reading(0.5),
           QStringLiteral("Threshold 0.5   Volume 60,000 Å³ (≈ 48.6 kDa of protein)"));
  QCOMPARE(reading(2.0), QStringLiteral("Threshold 2   Volume 0 Å³"));
  for (const char* other : {"µm³", "nm³", "px³", ""}) {
    measured.curves[0].ys[0].unit = other;
    QVERIFY2(!reading(0.5).contains(QStringLiteral("Da")), other);
  }
  // A surface is none, whatever its unit.
  measured.curves[0].ys[0] = {"surface", "Surface", "Å³", {60000.0, 0.0}};
  QVERIFY(!reading(0.5).contains(QStringLiteral("Da")));
}

APRSCOPE_GUI_TESTS(ThresholdTest)
#include "threshold_test.moc"
