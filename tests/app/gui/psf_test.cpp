// The PSF of a deconvolution: built, read, picked from beads; what is wrong with it is said.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <cmath>
#include <limits>

#include "app/gui/panels/bead_picker.hpp"
#include "app/gui/panels/psf_builder.hpp"
#include "app/gui/widgets/operation_form.hpp"
#include "app/gui/widgets/psf_view.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/deconvolve_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class PsfTest : public DeconvolveFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void a_psf_is_built_and_shown();
  void the_psf_that_is_shown_is_the_one_that_is_used();
  void a_bad_psf_says_what_to_do_and_loses_nothing();
  void a_psf_larger_than_the_image_is_cut_at_a_click();
  void beads_are_picked_in_a_slice_and_averaged();
  void nothing_is_cut_off_at_the_panels_narrowest();
};

void PsfTest::a_psf_is_built_and_shown() {
  QVERIFY(psf_ready());
  QVERIFY(panel().psf_builder()->psf().has_value());
  auto* facts = panel().findChild<QLabel*>(QStringLiteral("psf_facts"));
  auto* view = panel().findChild<PsfView*>(QStringLiteral("psf_view"));
  QVERIFY(!view->empty());
  // Sigma 2 px: 4.71 px wide, 4.71 µm in z, 1.18 across.
  QVERIFY2(facts->text().contains(QStringLiteral("1.18")), qPrintable(facts->text()));
  QVERIFY2(facts->text().contains(QStringLiteral("13 × 13 × 13 px")), qPrintable(facts->text()));
  type("psf_sigma_y", QStringLiteral("4"));
  QVERIFY(!panel().psf_builder()->psf().has_value());
  QVERIFY(psf_ready());
  QVERIFY2(facts->text().contains(QStringLiteral("13 × 13 × 25 px")), qPrintable(facts->text()));
  // Another kind has other fields.
  choose("born_wolf");
  QVERIFY(panel().psf_builder()->form()->control("psf_sigma") == nullptr);
  QVERIFY(panel().psf_builder()->form()->control("na") != nullptr);
  type("na", QStringLiteral("0.5"));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->error().isEmpty(), qPrintable(panel().psf_builder()->error()));
  QVERIFY(panel().psf_builder()->psf()->coverage < 1.0);
  // What no microscope has is said, and nothing can be started.
  type("n_immersion", QStringLiteral("1"));
  type("na", QStringLiteral("1.2"));
  QVERIFY(psf_ready());
  QVERIFY(panel().psf_builder()->error().contains(QStringLiteral("not below the index")));
  QVERIFY(!button("deconvolve_start")->isEnabled());
  // On particles each level's PSF is shown.
  choose("gaussian");
  QVERIFY(f_->document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f_->settle());
  QVERIFY(psf_ready());
  auto* levels = panel().findChild<QWidget*>(QStringLiteral("psf_levels"));
  QTRY_VERIFY(levels->isVisible());
}

void PsfTest::the_psf_that_is_shown_is_the_one_that_is_used() {
  Pixels<float> psf({3, 5, 5}, 0.0F);
  psf.at(1, 2, 2) = 4.0F;
  psf.at(1, 2, 1) = 1.0F;
  psf.at(1, 2, 3) = 1.0F;
  write("psf.tif", psf);
  choose("file");
  qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"))
      ->setText(f_->file("psf.tif"));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  // It is not made a second time for the run.
  QVERIFY(QFile::remove(f_->file("psf.tif")));
  run_to_the_end(2);
}

void PsfTest::a_bad_psf_says_what_to_do_and_loses_nothing() {
  Pixels<float> even({4, 8, 8}, 0.0F);
  even.at(2, 4, 4) = 1.0F;
  write("even.tif", even);
  write("zero.tif", Pixels<float>({5, 9, 9}, 0.0F));
  Pixels<float> holes({5, 9, 9}, 1.0F);
  holes.at(2, 4, 4) = 5.0F;
  holes.at(1, 3, 3) = std::numeric_limits<float>::quiet_NaN();
  write("nan.tif", holes);
  Pixels<float> large({41, 9, 9}, 0.0F);
  for (std::int64_t z = 0; z < 41; ++z) large.at(z, 4, 4) = 1.0F;
  large.at(20, 4, 4) = 2.0F;
  write("large.tif", large);
  choose("file");
  auto* path = qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"));
  QVERIFY(path != nullptr);
  auto* notes = panel().findChild<QLabel*>(QStringLiteral("psf_notes"));
  const auto try_file = [&](const QString& file) {
    path->setFocus();
    path->selectAll();
    QTest::keyClicks(path, file);
    QVERIFY(psf_ready());
  };
  const auto refused = [&](const char* why) {
    QVERIFY2(panel().psf_builder()->error().contains(QLatin1String(why)),
             qPrintable(panel().psf_builder()->error()));
    QVERIFY(notes->isVisible());
    QVERIFY(!button("deconvolve_start")->isEnabled());
  };
  QVERIFY(psf_ready());
  refused("no file is chosen");
  try_file(f_->file("nothing.tif"));
  refused("nothing.tif");
  try_file(f_->file("zero.tif"));
  refused("zero everywhere");
  try_file(f_->file("nan.tif"));
  refused("the first at z 1, x 3, y 3");
  try_file(f_->file("large.tif"));
  refused("more than the image");
  // An even one is centred, with a warning, or refused.
  try_file(f_->file("even.tif"));
  QVERIFY(panel().psf_builder()->psf().has_value());
  QVERIFY2(notes->text().contains(QStringLiteral("even")), qPrintable(notes->text()));
  qobject_cast<QAbstractButton*>(panel().psf_builder()->form()->control("psf_center"))->click();
  QVERIFY(psf_ready());
  refused("even size");
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(f_->settle());
}

void PsfTest::a_psf_larger_than_the_image_is_cut_at_a_click() {
  Pixels<float> large({41, 9, 9}, 0.0F);
  for (std::int64_t z = 0; z < 41; ++z) large.at(z, 4, 4) = z == 20 ? 20.0F : 1.0F;
  write("large.tif", large);
  choose("file");
  auto* path = qobject_cast<QLineEdit*>(panel().psf_builder()->form()->control("psf_file"));
  path->setText(f_->file("large.tif"));
  QVERIFY(psf_ready());
  auto* notes = panel().findChild<QLabel*>(QStringLiteral("psf_notes"));
  QVERIFY2(notes->text().contains(QStringLiteral("href=\"size:19,")), qPrintable(notes->text()));
  const QString text = notes->text();
  const auto at = text.indexOf(QStringLiteral("size:"));
  emit notes->linkActivated(text.mid(at).section(QLatin1Char('"'), 0, 0));
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  QCOMPARE(panel().psf_builder()->psf()->psf.size.z, std::int64_t{19});
  QVERIFY(panel().psf_builder()->psf()->coverage < 1.0);
}

void PsfTest::beads_are_picked_in_a_slice_and_averaged() {
  // Beads on voxels half as high as those of the image to deconvolve.
  Pixels<float> pixels({24, 64, 64}, 100.0F);
  const std::vector<Index3> centres{{12, 16, 18}, {12, 46, 20}, {12, 30, 46}};
  for (const Index3& c : centres) {
    for (std::int64_t z = 0; z < 24; ++z) {
      for (std::int64_t x = 0; x < 64; ++x) {
        for (std::int64_t y = 0; y < 64; ++y) {
          const double u = std::pow(static_cast<double>(z - c.z) / 2.0, 2) +
                           std::pow(static_cast<double>(x - c.x) / 2.0, 2) +
                           std::pow(static_cast<double>(y - c.y) / 2.0, 2);
          pixels.at(z, x, y) += static_cast<float>(1000.0 * std::exp(-0.5 * u));
        }
      }
    }
  }
  Volume volume;
  volume.pixels = pixels;
  volume.voxel = {0.5, 0.25, 0.25, "µm"};
  QVERIFY(write_tiff(volume, f_->file("beads.tif").toStdString()));
  const std::uint64_t cells = f_->document.items().current()->id;
  QVERIFY(f_->drop({f_->file("beads.tif")}));
  choose("beads");
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(panel().bead_picker()->active());
  SliceView& view = f_->slice(Axis::z);
  // Two pixels beside each.
  for (const Index3& c : centres) {
    const QPointF at =
        view.to_widget(static_cast<double>(c.x) + 2.5, static_cast<double>(c.y) - 1.5);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at.toPoint());
  }
  auto* list = panel().findChild<QListWidget*>(QStringLiteral("psf_bead_list"));
  QCOMPARE(list->count(), 3);
  for (std::size_t i = 0; i < 3; ++i) QVERIFY(panel().bead_picker()->beads()[i] == centres[i]);
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  QTRY_VERIFY(list->item(0)->text().contains(QStringLiteral("SNR")) ||
              list->item(0)->text().contains(QStringLiteral("z 13")));
  // Clicked again, a bead is dropped.
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, view.to_widget(46.5, 20.5).toPoint());
  QCOMPARE(list->count(), 2);
  QTest::mouseClick(button("psf_pick"), Qt::LeftButton);
  QVERIFY(!panel().bead_picker()->active());
  // For the image to deconvolve: half as many planes.
  f_->document.items().set_current(cells);
  QVERIFY(psf_ready());
  QVERIFY2(panel().psf_builder()->psf().has_value(), qPrintable(panel().psf_builder()->error()));
  const PsfReport report = psf_report(panel().psf_builder()->psf()->psf);
  QVERIFY2(std::abs(report.fwhm[0] - 2.355) < 0.4, qPrintable(QString::number(report.fwhm[0])));
  QVERIFY2(std::abs(report.fwhm[1] - 4.71) < 0.3, qPrintable(QString::number(report.fwhm[1])));
  // The recipe names file and positions; it runs.
  const Operation operation = panel().operation();
  QCOMPARE(parameter<std::string>(operation, "psf"), std::string("beads"));
  QVERIFY(parameter<std::string>(operation, "psf_file").find("beads.tif") != std::string::npos);
  set_iterations(3);
  QTRY_VERIFY(button("deconvolve_start")->isVisible());
  QTest::mouseClick(button("deconvolve_start"), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([&] { return !panel().run().running(); }, 120000));
  QVERIFY(f_->settle());
  QCOMPARE(f_->document.items().all().size(), std::size_t{3});
}

void PsfTest::nothing_is_cut_off_at_the_panels_narrowest() {
  f_->window->resize(1100, 800);
  for (const char* kind : {"gaussian", "born_wolf", "gibson_lanni", "file", "beads"}) {
    choose(kind);
    QVERIFY(psf_ready());
    for (QWidget* inside : panel().findChildren<QWidget*>()) {
      if (!inside->isVisible() || inside->parentWidget() == nullptr) continue;
      // What a scroll area hides is reached by scrolling down, never sideways.
      if (qobject_cast<PsfBuilder*>(inside) != nullptr ||
          qobject_cast<OperationForm*>(inside) != nullptr) {
        const QRect at(inside->mapTo(&panel(), QPoint(0, 0)), inside->size());
        QVERIFY2(at.left() >= 0 && at.right() <= panel().width(), kind);
        QVERIFY2(inside->minimumSizeHint().width() <= inside->width(), kind);
      }
    }
  }
}

APRSCOPE_GUI_TESTS(PsfTest)
#include "psf_test.moc"
