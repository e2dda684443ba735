// What is written of a comparison, and what happens where a file is there already.
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QRadioButton>
#include <QTimer>

#include "app/gui/window/compare_export_dialog.hpp"
#include "app/gui/window/export_dialog.hpp"
#include "tests/app/gui/compare_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CompareExportTest : public CompareFixture {
  Q_OBJECT

 private slots:
  void init() { open(); }
  void cleanup() { f_.reset(); }
  void exports_are_written_and_no_leads_back_to_the_dialog();
  void no_leads_back_to_the_export_of_an_item_too();
};

void CompareExportTest::exports_are_written_and_no_leads_back_to_the_dialog() {
  compare_blocks(CompareMode::side_by_side);
  QTRY_VERIFY(area().feed().volume_metrics().metrics.has_value());
  const auto open_dialog = [&] {
    f_->trigger("compare_export_action");
    return f_->window->findChild<CompareExportDialog*>();
  };
  const auto text_of = [](const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  // A figure.
  CompareExportDialog* dialog = open_dialog();
  QVERIFY(dialog != nullptr);
  auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  QVERIFY(path->text().endsWith(QStringLiteral(".png")));
  path->setText(f_->file("figure.png"));
  dialog->accept();
  QVERIFY(settle());
  const QImage figure(f_->file("figure.png"));
  QVERIFY(figure.width() > 3 * 500);  // A, B and their difference
  QTRY_VERIFY(f_->window->findChild<CompareExportDialog*>() == nullptr);

  // The metrics, over a file that exists: first No, then Yes.
  QFile before(f_->file("table.csv"));
  QVERIFY(before.open(QIODevice::WriteOnly));
  before.write("precious");
  before.close();
  dialog = open_dialog();
  dialog->findChild<QRadioButton*>(QStringLiteral("export_metrics"))->click();
  path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  QVERIFY(path->text().endsWith(QStringLiteral(".csv")));
  path->setText(f_->file("table.csv"));
  const auto answer = [](QMessageBox::StandardButton button) {
    QTimer::singleShot(200, [button] {
      if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
        QTest::mouseClick(box->button(button), Qt::LeftButton);
      }
    });
  };
  answer(QMessageBox::No);
  dialog->accept();
  QVERIFY(dialog->isVisible());
  QCOMPARE(path->text(), f_->file("table.csv"));
  QCOMPARE(text_of(f_->file("table.csv")), QByteArray("precious"));
  answer(QMessageBox::Yes);
  dialog->accept();
  QVERIFY(settle());
  const QByteArray table = text_of(f_->file("table.csv"));
  QVERIFY(table.startsWith("of,quantity,value,unit\n"));
  QVERIFY(table.contains("volume,max_abs_diff,3900,grey values\n"));
  QTRY_VERIFY(f_->window->findChild<CompareExportDialog*>() == nullptr);

  // The profile, and a turn of both as single pictures.
  CompareSettings settings = comparison().settings();
  settings.line_tool = true;
  settings.line = PlaneLine{{20.5, 10.5}, {20.5, 80.5}};
  comparison().set_settings(settings);
  QVERIFY(settle());
  CompareExport what;
  what.kind = CompareExport::Kind::profile;
  what.path = f_->file("line.csv");
  QVERIFY(export_comparison(f_->document, comparison(), area(), what) != 0);
  what.kind = CompareExport::Kind::movie;
  what.path = f_->file("turn");
  what.frames = 3;
  QVERIFY(export_comparison(f_->document, comparison(), area(), what) != 0);
  QVERIFY(settle());
  QCOMPARE(text_of(f_->file("line.csv")).count('\n'), 72);  // a head and 71 samples
  const QImage frame(f_->file("turn/frame_0003.png"));
  QVERIFY(frame.width() > 2 * 500);
}

void CompareExportTest::no_leads_back_to_the_export_of_an_item_too() {
  QFile existing(f_->file("kept.tif"));
  QVERIFY(existing.open(QIODevice::WriteOnly));
  existing.write("precious");
  existing.close();
  f_->trigger("export");
  auto* dialog = f_->window->findChild<ExportDialog*>();
  QVERIFY(dialog != nullptr);
  auto* path = dialog->findChild<QLineEdit*>(QStringLiteral("export_path"));
  path->setText(f_->file("kept.tif"));
  QTimer::singleShot(200, [] {
    if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
      QTest::mouseClick(box->button(QMessageBox::No), Qt::LeftButton);
    }
  });
  dialog->accept();
  QVERIFY(dialog->isVisible());
  QCOMPARE(path->text(), f_->file("kept.tif"));
  dialog->reject();
  QVERIFY(settle());
  QVERIFY(existing.open(QIODevice::ReadOnly));
  QCOMPARE(existing.readAll(), QByteArray("precious"));
}

APRSCOPE_GUI_TESTS(CompareExportTest)
#include "compare_export_test.moc"
