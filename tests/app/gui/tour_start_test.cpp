// The tour is shown at the very first start only, and never where nobody is there to take it.
#include <QElapsedTimer>
#include <QProcess>

#include "app/gui/options.hpp"
#include "app/gui/widgets/settings.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

const QString kShown = QStringLiteral("tour/shown");

Options options_of(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "aprscope");
  std::vector<char*> argv;
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  return std::get<Options>(parse_options(static_cast<int>(argv.size()), argv.data()));
}

}  // namespace

class TourStartTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void only_a_plain_start_is_a_first_start();
  void the_program_shows_it_at_the_first_start_only();
  void the_program_does_not_show_it_with_a_file();
  void a_picture_is_taken_without_it();

 private:
  // Starts the program and waits until its settings say something; how long that took, −1: in vain.
  int program_until(const QString& settings, const QStringList& arguments, const QString& key,
                    int patience, int linger = 0);

  std::unique_ptr<WindowFixture> f_;
};

int TourStartTest::program_until(const QString& settings, const QStringList& arguments,
                                 const QString& key, int patience, int linger) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("APRSCOPE_SETTINGS"), settings);
  process.setProcessEnvironment(environment);
  QElapsedTimer timer;
  timer.start();
  process.start(window_program(), arguments);
  int found = -1;
  while (found < 0 && timer.elapsed() < patience) {
    QTest::qWait(50);
    if (QSettings(settings, QSettings::IniFormat).contains(key)) {
      found = static_cast<int>(timer.elapsed());
    }
  }
  // What comes of it a moment later, too.
  if (found >= 0) QTest::qWait(linger);
  process.kill();
  process.waitForFinished();
  return found;
}

void TourStartTest::only_a_plain_start_is_a_first_start() {
  QVERIFY(never_used());
  note_tour_shown();
  QVERIFY(!never_used());
  open_settings()->clear();
  QVERIFY(never_used());
  add_recent_file(QStringLiteral("/somewhere/cells.tif"));
  QVERIFY(!never_used());

  QVERIFY(options_of({}).plain_start());
  QVERIFY(options_of({"--theme", "light"}).plain_start());
  QVERIFY(!options_of({"cells.tif"}).plain_start());
  QVERIFY(!options_of({"--screenshot", "a.png"}).plain_start());
  QVERIFY(!options_of({"--export", "a.apr"}).plain_start());
  QVERIFY(!options_of({"--convert"}).plain_start());
  QVERIFY(!options_of({"--panel", "filter"}).plain_start());
  QVERIFY(!options_of({"--view", "3d"}).plain_start());
  QVERIFY(!options_of({"--measure-stalls"}).plain_start());
  QVERIFY(!options_of({"--measure-previews"}).plain_start());
}

void TourStartTest::the_program_shows_it_at_the_first_start_only() {
  const QString settings = f_->file("first.ini");
  const int took = program_until(settings, {}, kShown, 120000);
  QVERIFY(took > 0);
  // Started again, it has been used, whatever became of the first time.
  QSettings(settings, QSettings::IniFormat).remove(kShown);
  QSettings(settings, QSettings::IniFormat).setValue(QStringLiteral("theme"), "dark");
  QCOMPARE(program_until(settings, {}, kShown, took + 3000), -1);
}

void TourStartTest::the_program_does_not_show_it_with_a_file() {
  const QString image = f_->file("cells.tif");
  write_cells_tiff(image, {8, 32, 32});
  const QString settings = f_->file("file.ini");
  QVERIFY(program_until(settings, {image}, QStringLiteral("recent_files"), 120000, 2000) > 0);
  QVERIFY(!QSettings(settings, QSettings::IniFormat).contains(kShown));
}

void TourStartTest::a_picture_is_taken_without_it() {
  const QString settings = f_->file("picture.ini");
  const QString picture = f_->file("picture.png");
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("APRSCOPE_SETTINGS"), settings);
  process.setProcessEnvironment(environment);
  process.start(window_program(), {"--screenshot", picture});
  QVERIFY(process.waitForFinished(240000));
  QCOMPARE(process.exitCode(), 0);
  QVERIFY(QFile::exists(picture));
  QVERIFY(!QSettings(settings, QSettings::IniFormat).contains(kShown));
}

APRSCOPE_GUI_TESTS(TourStartTest)
#include "tour_start_test.moc"
