// What the panel says of a conversion is what the conversion does.
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "app/gui/document/estimate_text.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/io/write.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class EstimateTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void the_chip_says_how_well_the_bound_is_kept();
  void a_link_promises_it_everywhere();
  void where_particles_take_more_nothing_is_advertised();
  void words_follow_what_decides();

 private:
  ConvertControls& controls() { return *f_->window->findChild<ConvertControls*>(); }
  bool estimated() {
    return f_->settle() && QTest::qWaitFor(
                               [this] {
                                 return f_->document.preview().estimate().has_value() &&
                                        !f_->document.preview().estimate_pending();
                               },
                               60000);
  }
  QString chip() { return controls().findChild<QLabel*>(QStringLiteral("convert_chip"))->text(); }

  std::unique_ptr<WindowFixture> f_;
};

void EstimateTest::init() {
  f_ = std::make_unique<WindowFixture>();
  QVERIFY(f_->window->show_panel(QStringLiteral("convert")));
}

void EstimateTest::the_chip_says_how_well_the_bound_is_kept() {
  write_cells_tiff(f_->file("cells.tif"), {24, 64, 80});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  QVERIFY(estimated());
  const ConversionEstimate e = *f_->document.preview().estimate();
  QCOMPARE(chip(), estimate_html(e));
  // Its figures against the conversion itself, pixel by pixel.
  const Operation operation = *complete(controls().operation());
  const Volume& volume = f_->document.items().current()->dataset->volume();
  const auto parameters = conversion_parameters(operation, volume.voxel);
  const auto apr = convert(volume, parameters);
  const auto scale = compute_gradient_scale(volume, parameters);
  QVERIFY(apr && scale);
  QCOMPARE(e.particles, apr->access->count());
  const std::vector<float> values = apr->main_field()->to_float();
  std::uint64_t within = 0;
  const Size3 size = volume.size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const Index3 p{z, x, y};
        const double sigma =
            std::max(scale->scale.at(z / 2, x / 2, y / 2), apr->parameters.sigma_th);
        const double error = std::abs(static_cast<double>(volume.value(p)) -
                                      static_cast<double>(values[apr->access->find(p).index]));
        within += error <= static_cast<double>(parameters.rel_error) * sigma ? 1U : 0U;
      }
    }
  }
  QCOMPARE(e.error.pixels, static_cast<std::uint64_t>(size.count()));
  // At the bound itself rounding may decide.
  QVERIFY(std::abs(static_cast<double>(e.error.within) - static_cast<double>(within)) <=
          1e-5 * static_cast<double>(within));
  const double percent =
      100.0 * static_cast<double>(e.error.within) / static_cast<double>(e.error.pixels);
  QVERIFY2(chip().contains(QString::number(std::min(percent, 99.9), 'f', 1)) ||
               chip().contains(QStringLiteral("100.0")),
           qPrintable(chip()));
}

void EstimateTest::a_link_promises_it_everywhere() {
  write_cells_tiff(f_->file("cells.tif"), {24, 64, 80});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  // So small an error that thresholds decide.
  Operation strict = controls().operation();
  strict.parameters["rel_error"] = 0.001;
  controls().set_operation(strict);
  emit controls().preview_changed();
  QVERIFY(estimated());
  const ConversionEstimate before = *f_->document.preview().estimate();
  QVERIFY(before.rel_error <= before.idle_error);
  QVERIFY2(chip().contains(QStringLiteral("Thresholds decide")), qPrintable(chip()));
  QVERIFY(before.error.promised < before.error.pixels);
  // By keyboard: the link is the first thing in the chip that takes the focus.
  auto* label = controls().findChild<QLabel*>(QStringLiteral("convert_chip"));
  label->setFocus();
  QTest::keyClick(label, Qt::Key_Tab);
  QTest::keyClick(label, Qt::Key_Return);
  QVERIFY(!parameter<bool>(controls().operation(), "auto_thresholds"));
  QCOMPARE(parameter<double>(controls().operation(), "grad_th"), 0.0);
  QVERIFY(estimated());
  const ConversionEstimate after = *f_->document.preview().estimate();
  QVERIFY(after.error.promised > before.error.promised);
  QVERIFY(after.particles > before.particles);
  // The scale's threshold is that which was found.
  QVERIFY(std::abs(after.sigma_th - before.sigma_th) <= 1e-4F * before.sigma_th);
  QVERIFY(!chip().contains(QStringLiteral("href")));
}

void EstimateTest::where_particles_take_more_nothing_is_advertised() {
  // Noise alone: each pixel is a particle.
  Volume noise;
  Pixels<std::uint8_t> pixels({16, 40, 40});
  std::uint32_t state = 1;
  for (std::uint8_t& p : pixels.values) {
    state = state * 1664525U + 1013904223U;
    p = static_cast<std::uint8_t>(state >> 24U);
  }
  noise.pixels = std::move(pixels);
  QVERIFY(write_tiff(noise, f_->file("noise.tif").toStdString()).ok());
  QVERIFY(f_->drop({f_->file("noise.tif")}));
  QVERIFY(estimated());
  QVERIFY(f_->document.preview().estimate()->bytes_apr >
          f_->document.preview().estimate()->bytes_pixels);
  auto* button = controls().findChild<QPushButton*>(QStringLiteral("convert_button"));
  QVERIFY2(chip().contains(QStringLiteral("Particles take more memory than pixels")),
           qPrintable(chip()));
  QVERIFY(!button->property("primary").toBool());
  // Who wants it all the same can have it.
  QVERIFY(button->isEnabled());
  write_block_tiff(f_->file("block.tif"), {24, 48, 96}, {10, 20, 60});
  QVERIFY(f_->drop({f_->file("block.tif")}));
  QVERIFY(estimated());
  QVERIFY(button->property("primary").toBool());
}

void EstimateTest::words_follow_what_decides() {
  ConversionEstimate e;
  e.computational_ratio = 6.894;
  e.particles = 542553;
  e.bytes_pixels = 3735552;
  e.bytes_apr = 2100000;
  e.rel_error = 0.1;
  e.idle_error = 0.2;
  e.grad_th = 10.5F;
  e.error = {true, 2.79, {1, 2, 3}, 1000, 999, 200, 200};
  const QString idle = estimate_html(e);
  QVERIFY2(idle.contains(QStringLiteral("Thresholds decide:</b> E below 20 % is idle")),
           qPrintable(idle));
  QVERIFY(idle.contains(QStringLiteral("within E = 10 %: 99.9 % of the pixels")));
  QVERIFY(idle.contains(QStringLiteral("promised for 20.0 % of them: 100.0 % there")));
  QVERIFY(idle.contains(QStringLiteral("6.89 × fewer than pixels")));
  e.rel_error = 0.3;
  QVERIFY(estimate_html(e).contains(QStringLiteral("E decides; below 20 % thresholds would")));
  // All but a few is not all.
  e.error = {true, 2.79, {1, 2, 3}, 1'000'000, 999'999, 200, 200};
  QVERIFY(estimate_html(e).contains(QStringLiteral("99.9 % of the pixels")));
  QVERIFY(estimate_tip(e).contains(QStringLiteral("x ↓ 3  y → 4  z 2")));
}

APRSCOPE_GUI_TESTS(EstimateTest)
#include "estimate_test.moc"
