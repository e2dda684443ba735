// The program itself, started as a script or run.sh starts it.
#include <QImage>
#include <QProcess>

#include "core/io/formats.hpp"
#include "core/io/image_source.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui::test;

class ProgramTest : public QObject {
  Q_OBJECT

 private slots:
  void a_screenshot_shows_the_demo_image();
  void a_script_converts_filters_and_exports();
  void a_bad_file_fails_with_one_line();
  void an_input_is_not_replaced();
  void wrong_usage_is_told_apart();
  void help_needs_no_display();

 private:
  struct Run {
    int code = -1;
    QString out;
    QString error;
  };
  Run run(const QStringList& arguments, bool display = true);
  QString file(const char* name) const { return QString::fromStdString((folder_ / name).string()); }
  aprscope::test::TemporaryFolder folder_;
};

ProgramTest::Run ProgramTest::run(const QStringList& arguments, bool display) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("APRSCOPE_SETTINGS"), file("settings.ini"));
  // Qt says a line about it where it is missing.
  environment.insert(QStringLiteral("XDG_RUNTIME_DIR"),
                     QString::fromStdString(folder_.path().string()));
  if (!display) {
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
  }
  process.setProcessEnvironment(environment);
  process.start(window_program(), arguments);
  if (!process.waitForFinished(240000)) {
    process.kill();
    process.waitForFinished();
    return {};
  }
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
          QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

void ProgramTest::a_screenshot_shows_the_demo_image() {
  const Run r = run({"--screenshot", file("demo.png")});
  QVERIFY2(r.code == 0, qPrintable(r.error));
  const QImage shot(file("demo.png"));
  QVERIFY(!shot.isNull());
  QVERIFY(shot.width() >= 1000 && shot.height() >= 600);
  // The middle of the window, where the views are, has cells: bright and dark.
  int bright = 0;
  int dark = 0;
  const QRect middle(shot.width() * 3 / 10, shot.height() / 5, shot.width() * 4 / 10,
                     shot.height() / 2);
  for (int y = middle.top(); y < middle.bottom(); ++y) {
    for (int x = middle.left(); x < middle.right(); ++x) {
      const int grey = qGray(shot.pixel(x, y));
      bright += grey > 130 ? 1 : 0;
      dark += grey < 50 ? 1 : 0;
    }
  }
  const int all = middle.width() * middle.height();
  QVERIFY2(bright > all / 50, "no bright cells in the views");
  QVERIFY2(dark > all / 10, "no dark background in the views");
}

void ProgramTest::a_script_converts_filters_and_exports() {
  write_cells_tiff(file("cells.tif"), {24, 80, 96});
  const Run r = run({file("cells.tif"), "--convert", "--filter", "gaussian:sigma=1.5",
                     "--export-converted", file("converted.apr"), "--export", file("filtered.apr"),
                     "--screenshot", file("shot.png"), "--theme", "light", "--view", "xy"});
  QVERIFY2(r.code == 0, qPrintable(r.error));
  QVERIFY(brightness(QImage(file("shot.png"))) > 50.0);
  const auto converted = load_file(file("converted.apr").toStdString());
  const auto filtered = load_file(file("filtered.apr").toStdString());
  QVERIFY(converted.ok() && filtered.ok());
  const Apr& before = std::get<Apr>(*converted);
  const Apr& after = std::get<Apr>(*filtered);
  QVERIFY(before.access->particles() == after.access->particles());
  QVERIFY(before.main_field()->to_float() != after.main_field()->to_float());
}

void ProgramTest::a_bad_file_fails_with_one_line() {
  QFile bad(file("bad.tif"));
  QVERIFY(bad.open(QIODevice::WriteOnly));
  bad.write("no image");
  bad.close();
  const Run r = run({file("bad.tif"), "--screenshot", file("none.png")});
  QCOMPARE(r.code, 1);
  QVERIFY2(r.error.contains(QStringLiteral("bad.tif")), qPrintable(r.error));
  QCOMPARE(r.error.count(QLatin1Char('\n')), 1);
  QVERIFY(!QFile::exists(file("none.png")));
}

void ProgramTest::an_input_is_not_replaced() {
  write_cells_tiff(file("kept.tif"), {8, 32, 32});
  QFile input(file("kept.tif"));
  QVERIFY(input.open(QIODevice::ReadOnly));
  const QByteArray before = input.readAll();
  const Run r = run({file("kept.tif"), "--filter", "gaussian:sigma=1", "--export",
                     file("./kept.tif"), "--screenshot", file("none.png")});
  QCOMPARE(r.code, 1);
  QVERIFY2(r.error.contains(QStringLiteral("would be replaced")), qPrintable(r.error));
  input.seek(0);
  QCOMPARE(input.readAll(), before);
}

void ProgramTest::wrong_usage_is_told_apart() {
  QCOMPARE(run({"--no-such-option"}).code, 2);
  const Run r = run({"--device", "cuda:99", "--screenshot", file("none.png")});
  QCOMPARE(r.code, 1);
  QVERIFY2(r.error.contains(QStringLiteral("cuda:99")), qPrintable(r.error));
}

void ProgramTest::help_needs_no_display() {
  const Run r = run({"--help"}, false);
  QCOMPARE(r.code, 0);
  QVERIFY(r.out.contains(QStringLiteral("--screenshot")));
  for (const Format& format : formats()) {
    for (const std::string& ending : format.endings) {
      QVERIFY2(r.out.contains(QString::fromStdString(ending)), ending.c_str());
    }
  }
}

APRSCOPE_GUI_TESTS(ProgramTest)
#include "program_test.moc"
