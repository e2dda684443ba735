// A list of tiles opens as one image; its tiles are registered from the menu, with real events.
#include "app/gui/document/stitcher.hpp"

#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <cmath>

#include "app/gui/window/message_bar.hpp"
#include "core/io/write.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kTile{6, 70, 80};

// Blobs on a dark ground.
std::uint16_t specimen(std::int64_t z, std::int64_t x, std::int64_t y) {
  double value = 100.0;
  for (unsigned i = 1; i <= 90; ++i) {
    const double dz = static_cast<double>(z) - static_cast<double>(i * 7U % 9U);
    const double dx = static_cast<double>(x) - static_cast<double>(i * 2654435761U % 83U);
    const double dy = static_cast<double>(y) - static_cast<double>(i * 40503U % 151U);
    const double square = dz * dz + dx * dx + dy * dy;
    if (square < 60.0) value += 900.0 * std::exp(-square / 8.0);
  }
  return static_cast<std::uint16_t>(value);
}

}  // namespace

class StitcherTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup() { f_.reset(); }
  void a_list_is_an_image_and_its_tiles_find_their_places();
  void tiles_that_do_not_fit_are_registered_before_they_are_converted();
  void other_data_have_no_tiles();

 private:
  void name_and_save(const char* name);
  const Item& current() { return *f_->document.items().current(); }
  std::unique_ptr<WindowFixture> f_;
};

void StitcherTest::init() {
  f_ = std::make_unique<WindowFixture>();
  // The second tile lies at (1, 4, 60), not where the list has it.
  for (int tile = 0; tile < 2; ++tile) {
    Pixels<std::uint16_t> pixels(kTile);
    for (std::int64_t z = 0; z < kTile.z; ++z) {
      for (std::int64_t x = 0; x < kTile.x; ++x) {
        for (std::int64_t y = 0; y < kTile.y; ++y) {
          pixels.values[static_cast<std::size_t>(pixels.index(z, x, y))] =
              tile == 0 ? specimen(z, x, y) : specimen(z + 1, x + 4, y + 60);
        }
      }
    }
    Volume volume;
    volume.pixels = std::move(pixels);
    const QString name = f_->file(tile == 0 ? "a.tif" : "b.tif");
    QVERIFY(write_tiff(volume, name.toStdString()).ok());
  }
  QFile list(f_->file("tiles.txt"));
  QVERIFY(list.open(QIODevice::WriteOnly));
  list.write("dim = 3\na.tif; ; (0, 0, 0)\nb.tif; ; (57, 0, 0)\n");
}

void StitcherTest::name_and_save(const char* name) {
  auto* dialog = f_->window->findChild<QFileDialog*>();
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->selectedFiles().front().endsWith(QStringLiteral("tiles.registered.txt")),
           qPrintable(dialog->selectedFiles().front()));
  auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  field->setText(f_->file(name));
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(f_->settle());
}

void StitcherTest::a_list_is_an_image_and_its_tiles_find_their_places() {
  QVERIFY(f_->drop({f_->file("tiles.txt")}));
  QCOMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(current().dataset->size() == (Size3{6, 70, 137}));
  f_->trigger("register_tiles");
  name_and_save("places.txt");
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(f_->settle());
  QCOMPARE(current().name, QStringLiteral("places"));
  QVERIFY2(current().dataset->size() == (Size3{7, 74, 140}),
           qPrintable(QStringLiteral("%1 %2 %3")
                          .arg(current().dataset->size().z)
                          .arg(current().dataset->size().x)
                          .arg(current().dataset->size().y)));
  // The picture is that of the specimen, across the seam.
  f_->document.view().set_crosshair({3, 30, 70});
  QVERIFY(f_->settle());
  const Plane& plane = f_->picture(Axis::z).plane;
  for (std::int64_t x = 6; x < 68; ++x) {
    for (std::int64_t y = 2; y < 138; ++y) {
      QCOMPARE(plane.values[static_cast<std::size_t>(x * plane.cols + y)],
               static_cast<float>(specimen(3, x, y)));
    }
  }
  const QString said = f_->window->message_bar().text();
  QVERIFY2(said.contains(QStringLiteral("1 of 1 pairs count")), qPrintable(said));
}

void StitcherTest::tiles_that_do_not_fit_are_registered_before_they_are_converted() {
  f_->document.opener().large_files().set_memory(100'000);
  QVERIFY(f_->drop({f_->file("tiles.txt")}));
  auto* box = f_->window->findChild<QMessageBox*>(QStringLiteral("conversion_box"));
  QVERIFY(box != nullptr);
  auto* first = box->findChild<QPushButton*>(QStringLiteral("register_first"));
  QVERIFY(first != nullptr);
  QTest::mouseClick(first, Qt::LeftButton);
  name_and_save("places.txt");
  // The new list does not fit either: the same question, about that.
  const auto asked = [&] {
    for (auto* other : f_->window->findChildren<QMessageBox*>(QStringLiteral("conversion_box"))) {
      if (other->isVisible() && other->text().contains(QStringLiteral("7 × 74 × 140"))) return true;
    }
    return false;
  };
  QTRY_VERIFY(asked());
}

void StitcherTest::other_data_have_no_tiles() {
  auto* action = f_->window->findChild<QAction*>(QStringLiteral("register_tiles"));
  QVERIFY(action != nullptr && !action->isEnabled());
  QVERIFY(f_->drop({f_->file("a.tif")}));
  QVERIFY(!action->isEnabled());
  QVERIFY(f_->drop({f_->file("tiles.txt")}));
  QVERIFY(action->isEnabled());
}

APRSCOPE_GUI_TEST_MAIN(StitcherTest)
#include "stitcher_test.moc"
