// A cell that leaks: the views go to its hole, and closing it gives the whole cell.
#include "app/gui/panels/leak_box.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <cmath>

#include "tests/app/gui/cells_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// A shell of radii 8 to 10 with a hole of radius 2 towards larger y.
Volume shell() {
  Pixels<std::uint16_t> pixels(Size3{27, 27, 36});
  for (std::int64_t z = 0; z < 27; ++z) {
    for (std::int64_t x = 0; x < 27; ++x) {
      for (std::int64_t y = 0; y < 36; ++y) {
        const auto dz = static_cast<double>(z - 13);
        const auto dx = static_cast<double>(x - 13);
        const double r = std::hypot(dz, dx, static_cast<double>(y - 13));
        const bool open = std::hypot(dz, dx) <= 2.0 && y > 13;
        pixels.at(z, x, y) = r >= 8.0 && r <= 10.0 && !open ? 3000 : 100;
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "shell";
  volume.voxel = {0.5, 0.5, 0.5, "µm"};
  return volume;
}

}  // namespace

class LeakBoxTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void a_leak_is_gone_to_and_closed();
  void a_cell_that_is_missing_is_told();

 private:
  template <class Widget>
  Widget* find(const char* name) {
    return f_->window->findChild<Widget*>(QLatin1String(name));
  }
  void press(const char* name) { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
  LeakBox* box() { return f_->window->findChild<LeakBox*>(); }
  const Labels* labels() {
    const Item* item = f_->document.items().current();
    return item != nullptr ? item->dataset->labels().get() : nullptr;
  }
  void fill() {
    QTest::keyClick(f_->window.get(), Qt::Key_F11, Qt::ControlModifier);
    QTRY_COMPARE(f_->window->shown_panel(), QStringLiteral("cells"));
    auto* choice = find<QComboBox>("cells_choice");
    choice->setFocus();
    QTest::keyClicks(choice, QStringLiteral("Fill"));
    QVERIFY(f_->settle());
  }
  void find_cells() {
    const Item* before = f_->document.items().current();
    const std::uint64_t id = before != nullptr ? before->id : 0;
    press("cells_apply");
    QTRY_VERIFY(f_->document.items().current()->id != id && labels() != nullptr);
    QVERIFY(f_->settle());
  }

  std::unique_ptr<WindowFixture> f_;
};

void LeakBoxTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QVERIFY(write_tiff(shell(), f_->file("shell.tif").toStdString()).ok());
  QVERIFY(f_->drop({f_->file("shell.tif")}));
}

void LeakBoxTest::a_leak_is_gone_to_and_closed() {
  fill();
  find_cells();
  QVERIFY(!box()->isVisible());
  f_->window->labels().choose({1});
  QTRY_VERIFY(box()->isVisible());
  const LabelFinding leak = *labels()->finding(1);
  QVERIFY(leak.leak_radius > 0.5);
  QVERIFY(find<QLabel>("leak_words")->text().startsWith(QStringLiteral("Cell 1 leaks")));
  press("leak_go");
  QTRY_COMPARE(f_->document.view().crosshair(), leak.leak_at);
  // What is asked for next closes it, and is looked at first.
  press("leak_close");
  QVERIFY(f_->settle());
  auto* close = f_->window->findChild<QDoubleSpinBox*>(QStringLiteral("close"));
  QVERIFY(close != nullptr && close->value() >= leak.leak_radius);
  QVERIFY(close->value() < 1.02 * leak.leak_radius);
  const auto before = std::count(labels()->values.begin(), labels()->values.end(), 1U);
  find_cells();
  QCOMPARE(labels()->finding(1)->leak_radius, 0.0);
  const auto after = std::count(labels()->values.begin(), labels()->values.end(), 1U);
  QVERIFY(after > before + 1000);
  f_->window->labels().choose({1});
  QVERIFY(!box()->isVisible());
}

void LeakBoxTest::a_cell_that_is_missing_is_told() {
  // Beside a closed one.
  Volume two = shell();
  auto& pixels = std::get<Pixels<std::uint16_t>>(two.pixels);
  Pixels<std::uint16_t> wide(Size3{27, 27, 60}, 100);
  for (std::int64_t z = 0; z < 27; ++z) {
    for (std::int64_t x = 0; x < 27; ++x) {
      for (std::int64_t y = 0; y < 36; ++y) wide.at(z, x, y) = pixels.at(z, x, y);
      for (std::int64_t y = 36; y < 60; ++y) {
        const double r = std::hypot(static_cast<double>(z - 13), static_cast<double>(x - 13),
                                    static_cast<double>(y - 47));
        if (r >= 6.0 && r <= 8.0) wide.at(z, x, y) = 3000;
      }
    }
  }
  two.pixels = std::move(wide);
  QVERIFY(write_tiff(two, f_->file("two.tif").toStdString()).ok());
  QVERIFY(f_->drop({f_->file("two.tif")}));
  fill();
  auto* lumens = f_->window->findChild<QAbstractButton*>(QStringLiteral("lumens"));
  QVERIFY(lumens != nullptr);
  QTest::mouseClick(lumens, Qt::LeftButton, {}, QPoint(8, lumens->height() / 2));
  QVERIFY(f_->settle());
  find_cells();
  QCOMPARE(labels()->largest, 1U);
  QCOMPARE(labels()->open.size(), std::size_t{1});
  QTRY_VERIFY(box()->isVisible());
  QVERIFY(find<QLabel>("leak_words")->text().startsWith(QStringLiteral("A cell is missing")));
  press("leak_close");
  QVERIFY(f_->settle());
  find_cells();
  QCOMPARE(labels()->largest, 2U);
  QVERIFY(!box()->isVisible());
}

APRSCOPE_GUI_TESTS(LeakBoxTest)
#include "leak_box_test.moc"
