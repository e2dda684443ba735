#include "tests/app/gui/deconvolve_fixture.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>

#include "app/gui/panels/psf_builder.hpp"
#include "core/io/write.hpp"

namespace aprscope::gui::test {

void DeconvolveFixture::open() {
  f_ = std::make_unique<WindowFixture>();
  write_cells_tiff(f_->file("cells.tif"), {20, 64, 72});
  QVERIFY(f_->drop({f_->file("cells.tif")}));
  f_->trigger("panel_deconvolve");
  QVERIFY(panel().isVisible());
  set_preview(false);
}

void DeconvolveFixture::choose(const char* kind) {
  auto* box = panel().findChild<QComboBox*>(QStringLiteral("psf_kind"));
  box->setFocus();
  const int to = box->findData(QLatin1String(kind));
  QVERIFY2(to >= 0, kind);
  while (box->currentIndex() < to) QTest::keyClick(box, Qt::Key_Down);
  while (box->currentIndex() > to) QTest::keyClick(box, Qt::Key_Up);
  QCOMPARE(box->currentData().toString(), QLatin1String(kind));
}

void DeconvolveFixture::type(const char* field, const QString& text) {
  auto* box = panel().findChild<QAbstractSpinBox*>(QLatin1String(field));
  QVERIFY2(box != nullptr, field);
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, text);
  QTest::keyClick(box, Qt::Key_Return);
}

bool DeconvolveFixture::psf_ready() {
  return QTest::qWaitFor(
      [this] {
        return panel().psf_builder()->psf().has_value() ||
               !panel().psf_builder()->error().isEmpty();
      },
      60000);
}

void DeconvolveFixture::set_iterations(int n) { type("iterations", QString::number(n)); }

void DeconvolveFixture::set_preview(bool on) {
  if (button("deconvolve_preview")->isChecked() != on) button("deconvolve_preview")->click();
}

void DeconvolveFixture::write(const char* name, const Pixels<float>& pixels) {
  Volume volume;
  volume.pixels = pixels;
  volume.voxel = {1.0, 0.25, 0.25, "µm"};
  QVERIFY(write_tiff(volume, f_->file(name).toStdString()));
}

void DeconvolveFixture::run_to_the_end(int iterations) {
  QVERIFY(psf_ready());
  set_iterations(iterations);
  const std::size_t before = f_->document.items().all().size();
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(panel().run().running());
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), before + 1);
}

}  // namespace aprscope::gui::test
