// The turning movie of one item, the legend beside the curves of a profile, and a comparison whose
// pictures stay until the next ones are there.
#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>

#include <qcustomplot.h>

#include "app/gui/widgets/profile_plot.hpp"
#include "app/gui/window/export_dialog.hpp"
#include "app/gui/window/job_strip.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/base/process.hpp"
#include "tests/app/gui/compare_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class LooksExportTest : public CompareFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void one_item_turns_in_a_folder_of_pictures();
  void one_item_turns_as_a_video();
  void a_turn_can_be_cancelled();
  void the_ending_follows_the_kind();
  void the_legend_is_beside_the_curves();
  void other_data_replaces_the_picture_without_a_blank();

 private:
  ExportDialog* open_export() {
    f_->trigger("export");
    return f_->window->findChild<ExportDialog*>();
  }
  static void press(QDialog& dialog, const QString& text) {
    for (QAbstractButton* button : dialog.findChildren<QAbstractButton*>()) {
      if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
    }
    QFAIL(qPrintable(text));
  }
  static void type(QLineEdit& field, const QString& text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
  }
};

void LooksExportTest::one_item_turns_in_a_folder_of_pictures() {
  ExportDialog* dialog = open_export();
  QVERIFY(dialog != nullptr);
  auto* movie = dialog->findChild<QRadioButton*>(QStringLiteral("export_movie"));
  auto* frames = dialog->findChild<QSpinBox*>(QStringLiteral("export_frames"));
  QVERIFY(!frames->isEnabled());
  movie->setFocus();
  QTest::keyClick(movie, Qt::Key_Space);
  QVERIFY(movie->isChecked() && frames->isEnabled());
  frames->setFocus();
  frames->selectAll();
  QTest::keyClicks(frames, QStringLiteral("4"));
  type(*dialog->findChild<QLineEdit*>(QStringLiteral("export_path")), f_->file("turn"));
  press(*dialog, ExportDialog::tr("Export"));
  QVERIFY(settle());
  const QDir folder(f_->file("turn"));
  QCOMPARE(folder.entryList({QStringLiteral("*.png")}).size(), 4);
  const QImage front(folder.filePath(QStringLiteral("frame_0001.png")));
  const QImage side(folder.filePath(QStringLiteral("frame_0002.png")));
  QVERIFY(front.width() > 400 && brightness(front) > 0.5);
  // It turns.
  QVERIFY(front != side);
  QVERIFY2(f_->window->message_bar().text().contains(QStringLiteral("turn")),
           qPrintable(f_->window->message_bar().text()));
}

void LooksExportTest::one_item_turns_as_a_video() {
  ExportOptions options;
  options.turn = true;
  options.frames = 3;
  f_->window->export_to(f_->file("turn.mp4"), options);
  QVERIFY(settle());
  if (find_program("ffmpeg")) {
    QVERIFY(QFileInfo(f_->file("turn.mp4")).size() > 1000);
  } else {
    QVERIFY2(f_->window->message_bar().text().contains(QStringLiteral("ffmpeg")),
             qPrintable(f_->window->message_bar().text()));
    QVERIFY(!QFileInfo::exists(f_->file("turn.mp4")));
  }
}

void LooksExportTest::a_turn_can_be_cancelled() {
  ExportOptions options;
  options.turn = true;
  options.frames = 2000;
  f_->window->export_to(f_->file("long"), options);
  JobStrip& strip = f_->window->job_strip();
  QTRY_VERIFY(strip.shown() > 0);
  QTRY_VERIFY(QDir(f_->file("long")).exists(QStringLiteral("frame_0002.png")));
  auto* cancel = strip.findChild<QAbstractButton*>(QStringLiteral("cancel_job"));
  QVERIFY(cancel != nullptr);
  QTest::mouseClick(cancel, Qt::LeftButton);
  QTRY_VERIFY(!f_->document.jobs().busy());
  QVERIFY(QDir(f_->file("long")).entryList(QDir::Files).size() < 1900);
  QVERIFY(f_->window->message_bar().text().isEmpty());
}

void LooksExportTest::the_ending_follows_the_kind() {
  ExportDialog* dialog = open_export();
  auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  QVERIFY(path->text().endsWith(QStringLiteral(".tif")));
  auto* movie = dialog->findChild<QRadioButton*>(QStringLiteral("export_movie"));
  movie->click();
  const bool video = find_program("ffmpeg").has_value();
  QCOMPARE(QFileInfo(path->text()).suffix(), video ? QStringLiteral("mp4") : QString());
  // Without an ending it is a folder.
  path->setText(f_->file("pictures"));
  QCOMPARE(dialog->path(), f_->file("pictures"));
  path->setText(f_->file("turn.webm"));
  QCOMPARE(dialog->path(), f_->file("turn.webm"));
  QVERIFY(dialog->options().turn);
  dialog->reject();
}

void LooksExportTest::the_legend_is_beside_the_curves() {
  compare_blocks(CompareMode::side_by_side);
  CompareSettings settings = comparison().settings();
  settings.line_tool = true;
  settings.line = PlaneLine{{20.5, 10.5}, {20.5, 80.5}};
  comparison().set_settings(settings);
  QVERIFY(settle());
  ProfilePlot& profile = area().profile();
  QTRY_VERIFY(profile.isVisible());
  QVERIFY(!profile.plot().legend->visible());
  auto* row = profile.findChild<QWidget*>(QStringLiteral("profile_legend"));
  QVERIFY(row != nullptr && row->isVisible());
  QVERIFY(!row->geometry().intersects(profile.plot().geometry()));
  const auto* a = profile.findChild<QLabel*>(QStringLiteral("profile_name_a"));
  const auto* b = profile.findChild<QLabel*>(QStringLiteral("profile_name_b"));
  QVERIFY(a->text().startsWith(QStringLiteral("A  ")) && a->isVisible());
  QVERIFY(b->text().startsWith(QStringLiteral("B  ")) && b->isVisible());
  // The colours beside the names are those of the curves.
  for (int i = 0; i < 2; ++i) {
    const QColor curve = profile.plot().graph(i)->pen().color();
    bool named = false;
    for (const QLabel* label : row->findChildren<QLabel*>()) {
      const QPixmap swatch = label->pixmap();
      named = named || (!swatch.isNull() && swatch.toImage().pixelColor(3, 1) == curve);
    }
    QVERIFY(named);
  }
  // What the cursor reads is there too, not over the curves.
  const QPoint middle = profile.plot().axisRect()->rect().center();
  QVERIFY(move_pointer(profile.plot(), middle));
  const auto* reading = profile.findChild<QLabel*>(QStringLiteral("profile_reading"));
  QTRY_VERIFY2(reading->text().contains(QStringLiteral("B − A")), qPrintable(reading->text()));
  QVERIFY(row->isAncestorOf(reading));
}

void LooksExportTest::other_data_replaces_the_picture_without_a_blank() {
  compare_blocks(CompareMode::side_by_side);
  const auto a = comparison().a()->id;
  const auto b = comparison().b()->id;
  const auto bright = [&] {
    return drawn(area().left(), static_cast<double>(bright_.x) + 0.5,
                 static_cast<double>(bright_.y) + 0.5)
                   .value() > 150 ||
           drawn(area().left(), static_cast<double>(other_.x) + 0.5,
                 static_cast<double>(other_.y) + 0.5)
                   .value() > 150;
  };
  QVERIFY(bright());
  // The sides change places: until the new picture is there, the old one is.
  QVERIFY(comparison().compare(b, a).ok());
  QVERIFY(bright());
  QVERIFY(settle());
  QVERIFY(bright());
}

APRSCOPE_GUI_TESTS(LooksExportTest)
#include "looks_export_test.moc"
