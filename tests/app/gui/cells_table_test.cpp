// What the table of cells measures beside the image, and what is said of cells that are none.
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/image/synthetic.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/app/gui/cells_fixture.hpp"
#include "tests/core/io/tiff_maker.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CellsTableTest : public QObject {
  Q_OBJECT

 private slots:
  void a_background_that_became_a_cell_is_said_with_what_to_try();
  void channels_of_the_file_are_in_the_table();
  void channels_of_other_files_are_in_the_table();
  void walls_are_in_the_table();

 private:
  static double number(const Table& table, const char* id, std::size_t row) {
    const Column* column = table.column(id);
    return column != nullptr ? std::get<std::vector<double>>(column->cells)[row] : -1.0;
  }
};

void CellsTableTest::a_background_that_became_a_cell_is_said_with_what_to_try() {
  WindowFixture f;
  SyntheticOptions options;
  options.size = {16, 64, 64};
  const auto nuclei = make_synthetic("cells", options);
  QVERIFY(nuclei.ok());
  QVERIFY(write_tiff(*nuclei, f.file("nuclei.tif").toStdString()).ok());
  QVERIFY(f.drop({f.file("nuclei.tif")}));
  QTest::keyClick(f.window.get(), Qt::Key_F11, Qt::ControlModifier);
  auto* note = f.window->findChild<QLabel*>(QStringLiteral("cells_note"));
  QVERIFY(note != nullptr);
  QTRY_VERIFY(note->text().contains(QStringLiteral("water that rises in distance")));
  // The table says it, too.
  QTest::mouseClick(f.window->findChild<QAbstractButton*>(QStringLiteral("cells_apply")),
                    Qt::LeftButton);
  auto* title = f.window->findChild<QLabel*>(QStringLiteral("measurement_title"));
  QTRY_VERIFY(title->isVisible() &&
              title->text().contains(QStringLiteral("of the image, as where")));
}

void CellsTableTest::channels_of_the_file_are_in_the_table() {
  CellsWindow w;
  QVERIFY(w.opened);
  // One channel: there is nothing to choose.
  w.open_panel();
  QVERIFY(!w.find<QCheckBox>("cells_all_channels")->isVisible());
  // Three, as ImageJ writes them: the tissue, and two that are as bright everywhere.
  const Volume image = tissue(2, 4);
  const auto& pixels = std::get<Pixels<std::uint16_t>>(image.pixels);
  const Size3 n = pixels.size;
  const QString path = w.window.file("three.tif");
  {
    aprscope::test::TiffMaker file(path.toStdString(), "w");
    aprscope::test::PageSpec page;
    page.cols = static_cast<std::uint32_t>(n.y);
    page.rows = static_cast<std::uint32_t>(n.x);
    for (std::int64_t z = 0; z < n.z; ++z) {
      for (int channel = 0; channel < 3; ++channel) {
        page.description = z == 0 && channel == 0
                               ? "ImageJ=1.53t\nimages=12\nchannels=3\nslices=4\nhyperstack=true\n"
                               : "";
        std::vector<std::uint16_t> values(&pixels.at(z, 0, 0), &pixels.at(z, 0, 0) + n.x * n.y);
        if (channel > 0) values.assign(values.size(), static_cast<std::uint16_t>(40 * channel));
        file.add(page, values);
      }
    }
  }
  QVERIFY(w.window.drop({path}));
  w.find_cells(4);
  QVERIFY(w.table().column("mean_channel_2") == nullptr);
  auto* all = w.find<QCheckBox>("cells_all_channels");
  QTRY_VERIFY(all->isVisible());
  w.press("cells_all_channels");
  QTRY_VERIFY(w.table().column("mean_channel_2") != nullptr);
  for (std::size_t row = 0; row < 4; ++row) {
    QCOMPARE(number(w.table(), "mean_channel_1", row), 40.0);
    QCOMPARE(number(w.table(), "maximum_channel_2", row), 80.0);
  }
  QVERIFY(w.table().column("mean_channel_0") != nullptr);
  // A recipe of the kept table measures the channels of whichever file it is run on.
  w.press("cells_keep");
  QTRY_VERIFY(w.document().items().current()->is_measurement());
  QVERIFY(w.window.settle());
  const QString recipe = w.window.file("recipe.json");
  QVERIFY(save_recipe(w.document().items().current()->recipe, recipe.toStdString()).ok());
  const auto read = load_recipe(recipe.toStdString());
  QVERIFY(read.ok());
  QCOMPARE(std::get<std::string>(read->steps.back().parameters.at("channels")),
           std::string("input"));
}

void CellsTableTest::channels_of_other_files_are_in_the_table() {
  CellsWindow w;
  Volume other = tissue(2, 12);
  for (auto& v : std::get<Pixels<std::uint16_t>>(other.pixels).values) v = 77;
  QVERIFY(write_tiff(other, w.window.file("dapi.tif").toStdString()).ok());
  w.find_cells(4);
  auto* files = w.find<QLineEdit>("cells_channel_files");
  QVERIFY(files->isVisible());
  QTest::mouseClick(files, Qt::LeftButton);
  QTest::keyClicks(files, w.window.file("dapi.tif"));
  QTest::keyClick(files, Qt::Key_Return);
  QTRY_VERIFY(w.table().column("mean_dapi_tif") != nullptr);
  QCOMPARE(number(w.table(), "mean_dapi_tif", 3), 77.0);
  files->selectAll();
  QTest::keyClick(files, Qt::Key_Delete);
  QTest::keyClick(files, Qt::Key_Return);
  QTRY_VERIFY(w.table().column("mean_dapi_tif") == nullptr);
}

void CellsTableTest::walls_are_in_the_table() {
  CellsWindow w;
  w.find_cells(4);
  QVERIFY(w.table().column("wall_median") == nullptr);
  w.press("cells_walls");
  QTRY_VERIFY(w.table().column("wall_median") != nullptr);
  for (std::size_t row = 0; row < 4; ++row) {
    // All walls are as bright, whichever half of one a cell has got.
    const double median = number(w.table(), "wall_median", row);
    QVERIFY(median == 3000.0 || median == 100.0);
    QVERIFY(number(w.table(), "weakest_x", row) >= 0.0);
  }
  w.press("cells_walls");
  QTRY_VERIFY(w.table().column("wall_median") == nullptr);
}

APRSCOPE_GUI_TESTS(CellsTableTest)
#include "cells_table_test.moc"
