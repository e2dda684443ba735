// The time point that comes next is read while the present one is shown: a step to it reads nothing
// and shows what is in the file.
#include "app/gui/document/time_ahead.hpp"

#include <QElapsedTimer>
#include <QFile>
#include <QSlider>
#include <QToolButton>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/gui/document/file_part.hpp"
#include "app/gui/document/large_files.hpp"
#include "app/gui/views/painted_views.hpp"
#include "app/gui/window/message_bar.hpp"
#include "core/pipeline/file_execution.hpp"
#include "tests/app/gui/film_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

constexpr Size3 kFrame{16, 40, 48};

// The number of jobs that read for the views, rather than ahead.
class ReadingJobs {
 public:
  explicit ReadingJobs(WindowFixture& f) {
    QObject::connect(&f.document.jobs(), &JobBridge::job_changed, f.window.get(),
                     [this](const JobStatus& status) {
                       const bool reads = status.title.rfind("Reading", 0) == 0;
                       if (reads && status.state == JobStatus::State::finished) ++count_;
                     });
  }
  [[nodiscard]] int count() const { return count_; }

 private:
  int count_ = 0;
};

}  // namespace

class TimeAheadTest : public QObject {
  Q_OBJECT

 private slots:
  void a_step_to_the_next_time_point_reads_nothing();
  void steps_back_look_back();
  void what_is_shown_is_what_a_file_of_its_own_shows();
  void a_film_is_read_in_order();
  void all_channels_come_along();
  void nothing_is_read_where_two_do_not_fit();
  void it_is_forgotten_when_something_else_is_wanted();
  void a_window_goes_while_it_reads();
  void who_waits_for_a_reading_gets_it_or_hears_that_it_ended();
  void a_step_takes();
  void cleanup() { f_.reset(); }

 private:
  void open_film(int times);
  void press(Qt::Key key) {
    // Another window may have been in front.
    QApplication::setActiveWindow(f_->window.get());
    QTest::keyClick(f_->window.get(), key, Qt::AltModifier);
  }
  [[nodiscard]] int time() const { return f_->document.items().current()->selection.time; }
  TimeAhead& ahead() { return f_->document.opener().time_ahead(); }
  // The next step will find this one.
  bool read_ahead(int time) {
    const Item item = *f_->document.items().current();
    SourceSelection next = item.selection;
    next.time = time;
    return QTest::qWaitFor([&] { return ahead().reading(part_of(item, next)) && ahead().ready(); },
                           60000);
  }

  std::unique_ptr<WindowFixture> f_;
};

void TimeAheadTest::open_film(int times) {
  f_ = std::make_unique<WindowFixture>();
  write_film(f_->file("film.apr"), times, kFrame);
  QVERIFY(f_->drop({f_->file("film.apr")}));
}

void TimeAheadTest::a_step_to_the_next_time_point_reads_nothing() {
  open_film(4);
  // Who only looks at a file does not read more of it.
  QVERIFY(!ahead().ready());
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  QVERIFY(read_ahead(2));
  QVERIFY(f_->settle());
  // There is nothing left to read.
  QVERIFY(QFile::remove(f_->file("film.apr")));
  const ReadingJobs reading(*f_);
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 2);
  QVERIFY(f_->settle());
  QCOMPARE(reading.count(), 0);
  const Item& item = *f_->document.items().current();
  const Apr expected = film_frame(2, kFrame);
  QVERIFY(item.dataset->apr().main_field()->values == expected.main_field()->values);
  QVERIFY(item.dataset->apr().access->particles() == expected.access->particles());
  // It failed to read the one after it, and says nothing of it before that is wanted.
  QVERIFY(!f_->window->message_bar().isVisible());
  press(Qt::Key_Right);
  QTRY_VERIFY(f_->window->message_bar().isVisible());
  QCOMPARE(time(), 2);
}

void TimeAheadTest::steps_back_look_back() {
  open_film(4);
  f_->document.opener().select(f_->document.items().current_id(), {0, 3});
  QVERIFY(f_->settle());
  // The last one: nothing follows it, unless the film is played.
  QVERIFY(!ahead().ready());
  press(Qt::Key_Left);
  QTRY_COMPARE(time(), 2);
  QVERIFY(read_ahead(1));
  QVERIFY(QFile::remove(f_->file("film.apr")));
  press(Qt::Key_Left);
  QTRY_COMPARE(time(), 1);
  QVERIFY(f_->settle());
}

void TimeAheadTest::what_is_shown_is_what_a_file_of_its_own_shows() {
  open_film(3);
  show_plainly(*f_);
  for (int t = 1; t < 3; ++t) {
    press(Qt::Key_Right);
    QTRY_COMPARE(time(), t);
    QVERIFY(t != 1 || read_ahead(2));
    QVERIFY(f_->settle());
    WindowFixture alone;
    write_still(alone.file("still.apr"), film_frame(t, kFrame));
    QVERIFY(alone.drop({alone.file("still.apr")}));
    show_plainly(alone);
    QVERIFY(alone.settle());
    for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
      QVERIFY(f_->picture(axis).plane.values == alone.picture(axis).plane.values);
    }
    const QImage shot = f_->slice(Axis::z).grab().toImage();
    QCOMPARE(shot, alone.slice(Axis::z).grab().toImage());
    QCOMPARE(f_->window->views().mip().grab().toImage(),
             alone.window->views().mip().grab().toImage());
  }
}

void TimeAheadTest::a_film_is_read_in_order() {
  open_film(3);
  std::vector<int> seen;
  connect(&f_->document.items(), &ItemList::data_changed, this, [&] { seen.push_back(time()); });
  QTest::keyClick(f_->window.get(), Qt::Key_Space, Qt::ControlModifier);
  QTRY_VERIFY(seen.size() >= 4);
  QTest::keyClick(f_->window.get(), Qt::Key_Space, Qt::ControlModifier);
  for (std::size_t i = 0; i < seen.size(); ++i) QCOMPARE(seen[i], static_cast<int>((i + 1) % 3));
  QVERIFY(f_->settle());
  // The loop goes on where it stopped.
  QVERIFY(read_ahead((time() + 1) % 3));
  const Apr expected = film_frame(time(), kFrame);
  QVERIFY(f_->document.items().current()->dataset->apr().main_field()->values ==
          expected.main_field()->values);
}

void TimeAheadTest::all_channels_come_along() {
  f_ = std::make_unique<WindowFixture>();
  write_series_apr(f_->file("series.apr"));
  QVERIFY(f_->drop({f_->file("series.apr")}));
  QTest::mouseClick(f_->window->findChild<QToolButton*>(QStringLiteral("channels_together")),
                    Qt::LeftButton);
  QVERIFY(f_->settle());
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  QVERIFY(read_ahead(2));
  QVERIFY(f_->settle());
  QVERIFY(QFile::remove(f_->file("series.apr")));
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 2);
  QVERIFY(f_->settle());
  QCOMPARE(f_->picture(Axis::z).plane.values.front(), 207.0F);
  const auto& others = f_->picture(Axis::z).channels.others;
  QCOMPARE(others.size(), std::size_t{1});
  QCOMPARE(others.front().plane.values.front(), 1207.0F);
}

void TimeAheadTest::nothing_is_read_where_two_do_not_fit() {
  open_film(4);
  const Item item = *f_->document.items().current();
  // What one time point takes, by the headers of the file.
  std::uint64_t bytes = 1;
  while (!particles_fit(*item.source, {0, 2}, bytes)) bytes += bytes / 8 + 1;
  f_->document.opener().large_files().set_memory(bytes + bytes / 2);
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  const auto reading = ahead().reading(part_of(*f_->document.items().current(), {0, 2}));
  QVERIFY(reading != nullptr);
  QTRY_VERIFY(reading->ended());
  QVERIFY(!ahead().ready());
  // It is read when it is asked for.
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 2);
  f_->document.opener().large_files().set_memory(3 * bytes);
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 3);
  press(Qt::Key_Left);
  QTRY_COMPARE(time(), 2);
  QVERIFY(read_ahead(1));
}

void TimeAheadTest::it_is_forgotten_when_something_else_is_wanted() {
  open_film(4);
  const std::uint64_t film = f_->document.items().current_id();
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  QVERIFY(read_ahead(2));
  // Another time point, and then that after it.
  auto* slider = f_->window->findChild<QSlider*>(QStringLiteral("time_slider"));
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_Home);
  QTRY_COMPARE(time(), 0);
  QVERIFY(!ahead().ready());
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  QVERIFY(read_ahead(2));
  // Another file.
  write_block_tiff(f_->file("one.tif"), {8, 16, 24}, {4, 8, 8});
  QVERIFY(f_->drop({f_->file("one.tif")}));
  QVERIFY(!ahead().ready());
  // Who comes back has chosen no direction; a step tells.
  f_->document.items().set_current(film);
  QVERIFY(f_->settle());
  press(Qt::Key_Left);
  QTRY_COMPARE(time(), 0);
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  QVERIFY(read_ahead(2));
  // The item goes.
  f_->trigger("remove");
  QTRY_VERIFY(f_->document.items().current_id() != film);
  QVERIFY(!ahead().ready());
}

void TimeAheadTest::a_window_goes_while_it_reads() {
  open_film(3);
  press(Qt::Key_Right);
  press(Qt::Key_Right);
  f_.reset();
  open_film(3);
  press(Qt::Key_Right);
  QTRY_COMPARE(time(), 1);
  f_.reset();
}

void TimeAheadTest::who_waits_for_a_reading_gets_it_or_hears_that_it_ended() {
  PartReading reading;
  std::atomic<bool> got = false;
  std::thread waits([&] { got = reading.wait({}).has_value(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  QVERIFY(!reading.ended());
  reading.end(LoadedPart());
  waits.join();
  QVERIFY(got && reading.ended());
  // What it ended with stays.
  reading.end(std::nullopt);
  QVERIFY(reading.wait({}).has_value());
  PartReading failed;
  failed.end(std::nullopt);
  failed.complete(LoadedPart());
  QVERIFY(!failed.wait({}).has_value());
  // A job that is told to stop does not wait.
  const PartReading never;
  std::stop_source stop;
  stop.request_stop();
  QVERIFY(!never.wait(JobContext(stop.get_token())).has_value());
}

// APRSCOPE_FILM=film.apr measures what a step takes in a file of this machine, with what was read
// ahead and without.
void TimeAheadTest::a_step_takes() {
  const QString given = qEnvironmentVariable("APRSCOPE_FILM");
  f_ = std::make_unique<WindowFixture>();
  const QString film = given.isEmpty() ? f_->file("film.apr") : given;
  if (given.isEmpty()) write_film(film, 4, kFrame);
  QVERIFY(f_->drop({film}));
  const int last = f_->document.items().current()->source->times - 1;
  QVERIFY(last >= 2);
  for (const bool with : {false, true}) {
    f_->document.opener().large_files().set_memory(with ? 0 : 1);
    f_->document.opener().select(f_->document.items().current_id(), {0, 0});
    QVERIFY(f_->settle());
    press(Qt::Key_Right);
    QTRY_COMPARE(time(), 1);
    QVERIFY(f_->settle());
    for (int t = 2; t <= last; ++t) {
      QVERIFY(!with || read_ahead(t));
      QTest::qWait(300);
      QVERIFY(f_->settle());
      QElapsedTimer clock;
      qint64 data = -1;
      qint64 slice = -1;
      QObject sees;
      connect(&f_->document.items(), &ItemList::data_changed, &sees,
              [&] { data = clock.elapsed(); });
      connect(&f_->window->views().feed(), &SliceFeed::picture_ready, &sees, [&] {
        if (data >= 0 && slice < 0) slice = clock.elapsed();
      });
      clock.start();
      press(Qt::Key_Right);
      QTRY_VERIFY(data >= 0 && slice >= 0);
      while (!f_->window->findChild<PaintedViews*>()->all()) QTest::qWait(1);
      QCOMPARE(time(), t);
      qInfo("step to %d %s: data after %lld ms, slice after %lld ms, all views after %lld ms", t,
            with ? "read ahead" : "read now", data, slice, clock.elapsed());
    }
  }
}

APRSCOPE_GUI_TESTS(TimeAheadTest)
#include "time_ahead_test.moc"
