// Colours from look-up tables of other programs: imported, kept, taken along by workspaces.
#include "app/gui/widgets/colour_tables.hpp"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <algorithm>

#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/base/atomic_file.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

// From blue to orange, as lines of text.
std::string orange() { return "Red Green Blue\n0 0 90\n255 140 0\n"; }

}  // namespace

class ColourTablesTest : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    f_ = std::make_unique<WindowFixture>();
    write_block_tiff(f_->file("block.tif"), {8, 24, 32}, {4, 8, 12});
    QVERIFY(f_->drop({f_->file("block.tif")}));
    QVERIFY(f_->window->show_panel(QStringLiteral("display")));
  }
  void cleanup() { f_.reset(); }
  void an_imported_table_colours_the_picture_and_is_kept();
  void kept_tables_are_there_at_the_next_start();
  void a_workspace_takes_it_along();
  void what_is_no_table_gets_a_sentence();

 private:
  QComboBox& choice() {
    return *f_->window->findChild<QComboBox*>(QStringLiteral("display_colormap"));
  }
  void write(const QString& path, const std::string& text) {
    QVERIFY(write_text_atomically(path.toStdString(), text).ok());
  }
  // With the button and its dialog.
  void import(const QString& path) {
    QTest::mouseClick(f_->window->findChild<QPushButton*>(QStringLiteral("import_colours")),
                      Qt::LeftButton);
    auto* dialog = f_->window->findChild<QFileDialog*>(QStringLiteral("import_colours_dialog"));
    QVERIFY(dialog != nullptr);
    emit dialog->fileSelected(path);
    dialog->close();
    QVERIFY(f_->settle());
  }
  QColor background() {
    SliceView& xy = f_->slice(Axis::z);
    const QImage shot = xy.grab().toImage();
    return shot.pixelColor((xy.to_widget(20.5, 28.5) * shot.devicePixelRatio()).toPoint());
  }

  std::unique_ptr<WindowFixture> f_;
};

void ColourTablesTest::an_imported_table_colours_the_picture_and_is_kept() {
  write(f_->file("my orange.lut"), orange());
  import(f_->file("my orange.lut"));
  QCOMPARE(choice().currentText(), QStringLiteral("my orange"));
  QCOMPARE(f_->document.items().current()->display.colormap, std::string("my orange"));
  DisplaySettings display = f_->document.items().current()->display;
  display.contrast = {100.0, 4000.0, 1.0};
  f_->document.edits().set_display(f_->document.items().current()->id, display);
  QVERIFY(f_->settle());
  const QColor dark = background();
  QVERIFY2(dark.blue() > 70 && dark.red() < 30, qPrintable(dark.name()));
  // The next start finds it, in the 768 bytes that ImageJ reads, too.
  QFile kept(colour_tables_folder() + QStringLiteral("/my orange.lut"));
  QVERIFY(kept.open(QIODevice::ReadOnly));
  QCOMPARE(kept.size(), qint64{768});
  // Other colours of that name get one of their own; undo goes back.
  write(f_->file("my orange.lut"), "0 0 0\n0 255 0\n");
  import(f_->file("my orange.lut"));
  QCOMPARE(choice().currentText(), QStringLiteral("my orange 2"));
  f_->trigger("undo");
  QCOMPARE(choice().currentText(), QStringLiteral("my orange"));
}

void ColourTablesTest::kept_tables_are_there_at_the_next_start() {
  QVERIFY(QDir().mkpath(colour_tables_folder()));
  write(colour_tables_folder() + QStringLiteral("/kept one.lut"), "0 0 0\n9 99 199\n");
  write(colour_tables_folder() + QStringLiteral("/broken.lut"), "no colours\nat all\n");
  const std::vector<std::string> before = added_colormaps();
  QVERIFY(std::find(before.begin(), before.end(), "kept one") == before.end());
  load_colour_tables();
  QCOMPARE(colormap("kept one")[255], (std::array<std::uint8_t, 4>{9, 99, 199, 255}));
}

void ColourTablesTest::a_workspace_takes_it_along() {
  write(f_->file("teal.lut"), "0 0 0\n0 200 180\n");
  import(f_->file("teal.lut"));
  const QString path = f_->file("a.aprscope");
  QVERIFY(f_->window->save_workspace_to(path).ok());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QByteArray text = file.readAll();
  // Another computer, which has no colours of this name.
  text.replace("\"teal\"", "\"theirs\"");
  write(path, text.toStdString());
  f_->window->open_workspace_from(path);
  QVERIFY(f_->settle());
  QTRY_COMPARE(choice().currentText(), QStringLiteral("theirs"));
  QCOMPARE(colormap("theirs")[255], (std::array<std::uint8_t, 4>{0, 200, 180, 255}));
}

void ColourTablesTest::what_is_no_table_gets_a_sentence() {
  const QString before = choice().currentText();
  write(f_->file("poem.lut"), "Roses are\nred\n");
  import(f_->file("poem.lut"));
  QCOMPARE(choice().currentText(), before);
  const QString said = f_->window->message_bar().text();
  QVERIFY2(said.contains(QStringLiteral("poem.lut")) && said.contains(QStringLiteral("line 2")),
           qPrintable(said));
}

APRSCOPE_GUI_TESTS(ColourTablesTest)
#include "colour_tables_test.moc"
