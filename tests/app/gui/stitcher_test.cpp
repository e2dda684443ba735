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
#include "tests/core/io/bdv/bdv_maker.hpp"
#include "tests/support/zarr_maker.hpp"

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
  void tiles_of_bigdataviewer_are_one_image();
  void tiles_are_asked_about_by_their_pixels_too();
  void other_data_have_no_tiles();

 private:
  // The two tiles as setups of a BigDataViewer XML, where the list has them.
  void write_bdv();
  void name_and_save(const char* name, const char* proposed = "tiles.registered.txt");
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

void StitcherTest::write_bdv() {
  using aprscope::test::write_file;
  aprscope::test::BdvXmlMaker xml;
  xml.loader = "<ImageLoader format=\"bdv.n5\"><n5 type=\"relative\">set.n5</n5></ImageLoader>";
  const std::filesystem::path folder = f_->file("set.n5").toStdString();
  write_file(folder / "attributes.json", std::string(R"({"n5":"2.0.0"})"));
  for (int tile = 0; tile < 2; ++tile) {
    xml.setup(tile, "<tile>" + std::to_string(tile) + "</tile>", "80 70 6", "1 1 1", "pixel");
    xml.registration(0, tile, {tile == 0 ? "1 0 0 0 0 1 0 0 0 0 1 0" : "1 0 0 57 0 1 0 0 0 0 1 0"});
    const auto setup = folder / ("setup" + std::to_string(tile));
    write_file(setup / "attributes.json",
               std::string(R"({"downsamplingFactors":[[1,1,1]],"dataType":"uint16"})"));
    const auto array = setup / "timepoint0/s0";
    write_file(array / "attributes.json",
               std::string(R"({"dataType":"uint16","dimensions":[80,70,6],"blockSize":[80,70,6],)"
                           R"("compression":{"type":"raw"}})"));
    // Big-endian: kind 0, three dimensions, their lengths; then the values.
    std::string block{0, 0, 0, 3, 0, 0, 0, 80, 0, 0, 0, 70, 0, 0, 0, 6};
    for (std::int64_t z = 0; z < kTile.z; ++z) {
      for (std::int64_t x = 0; x < kTile.x; ++x) {
        for (std::int64_t y = 0; y < kTile.y; ++y) {
          const unsigned value = tile == 0 ? specimen(z, x, y) : specimen(z + 1, x + 4, y + 60);
          block += static_cast<char>(value >> 8U);
          block += static_cast<char>(value & 0xFFU);
        }
      }
    }
    write_file(array / "0/0/0", block);
  }
  QFile file(f_->file("set.xml"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(xml.text().c_str());
}

void StitcherTest::name_and_save(const char* name, const char* proposed) {
  auto* dialog = f_->window->findChild<QFileDialog*>();
  QVERIFY(dialog != nullptr);
  QVERIFY2(dialog->selectedFiles().front().endsWith(QLatin1String(proposed)),
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

void StitcherTest::tiles_of_bigdataviewer_are_one_image() {
  write_bdv();
  QVERIFY(f_->drop({f_->file("set.xml")}));
  auto* dialog = f_->window->findChild<QDialog*>(QStringLiteral("dataset_dialog"));
  QVERIFY(dialog != nullptr);
  auto* together = dialog->findChild<QPushButton*>(QStringLiteral("tiles_together"));
  QVERIFY(together != nullptr && together->isVisible());
  QTest::mouseClick(together, Qt::LeftButton);
  name_and_save("list.txt", "set.tiles.txt");
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{1});
  QVERIFY(f_->settle());
  QVERIFY(current().dataset->size() == (Size3{6, 70, 137}));
  QCOMPARE(current().dataset->probe({3, 30, 20}).value, static_cast<float>(specimen(3, 30, 20)));
  QCOMPARE(current().dataset->probe({3, 30, 100}).value, static_cast<float>(specimen(4, 34, 103)));
  // They are registered from there.
  f_->trigger("register_tiles");
  name_and_save("places.txt", "list.registered.txt");
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(f_->settle());
  QVERIFY(current().dataset->size() == (Size3{7, 74, 140}));
}

void StitcherTest::tiles_are_asked_about_by_their_pixels_too() {
  write_bdv();
  QVERIFY(f_->drop({f_->file("set.n5")}));
  auto* dialog = f_->window->findChild<QDialog*>(QStringLiteral("dataset_dialog"));
  QVERIFY(dialog != nullptr && dialog->isVisible());
  dialog->reject();
  QVERIFY(f_->settle());
  QVERIFY(f_->document.items().all().empty());
}

void StitcherTest::other_data_have_no_tiles() {
  auto* action = f_->window->findChild<QAction*>(QStringLiteral("register_tiles"));
  QVERIFY(action != nullptr && !action->isEnabled());
  QVERIFY(f_->drop({f_->file("a.tif")}));
  QVERIFY(!action->isEnabled());
  QVERIFY(f_->drop({f_->file("tiles.txt")}));
  QVERIFY(action->isEnabled());
}

APRSCOPE_GUI_TESTS(StitcherTest)
#include "stitcher_test.moc"
