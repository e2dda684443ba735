#pragma once

#include <QApplication>
#include <QImage>
#include <QtTest>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/gui/views/views_area.hpp"
#include "app/gui/window/main_window.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/test_classes.hpp"

namespace aprscope::gui::test {

/// A window of its own with settings of its own, shown on the display.
class WindowFixture {
 public:
  explicit WindowFixture(std::shared_ptr<const Backend> backend = cpu_backend());
  ~WindowFixture();

  Theme theme;
  Document document;
  std::unique_ptr<MainWindow> window;

  [[nodiscard]] const aprscope::test::TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] QString file(const char* name) const;
  SliceView& slice(Axis axis) { return window->views().slice(axis); }

  /// Waits until all jobs are done and all views show the present state.
  bool settle();
  /// Drops files on the window with the events that a file manager causes, and settles.
  bool drop(const QStringList& files);
  /// Keeps the lane of whole-data jobs busy until that job is cancelled: what is posted after it
  /// waits, however quick it would be, and can be cancelled for certain.
  void hold_full_lane();
  /// Triggers an action by its object name.
  void trigger(const char* action);

  /// Newest plane that was shown in a slice view.
  [[nodiscard]] const SlicePicture& picture(Axis axis) const {
    return pictures_[static_cast<std::size_t>(axis)];
  }
  /// Pictures shown so far.
  [[nodiscard]] int picture_count() const { return picture_count_; }

 private:
  aprscope::test::TemporaryFolder folder_;
  std::array<SlicePicture, 3> pictures_;
  int picture_count_ = 0;
};

/// A dark volume (value 100) with one bright block (value 4000) of side 3 around `bright`, written
/// as TIFF; voxel size 2 × 0.5 × 0.5 µm.
void write_block_tiff(const QString& path, const Size3& size, const Index3& bright);

/// Particles of two channels at three times in one .apr file, 8 × 16 × 24; every voxel has the
/// value 1000 · channel + 100 · time + 7.
void write_series_apr(const QString& path);

/// Moves the pointer to a place of a widget that follows the pointer, and waits until the widget
/// was told. (Of moves that the display reports together, Qt sees the last one alone, and none if
/// that is where it knows the pointer to be: a busy machine loses them so.)
bool move_pointer(QWidget& widget, const QPoint& to);

/// Cells with noise, written as TIFF.
void write_cells_tiff(const QString& path, const Size3& size);

/// Mean of red, green and blue over a part of an image, 0 … 255.
double brightness(const QImage& image, const QRect& part = {});

/// Path of the aprscope program that was built with the tests.
QString window_program();
/// And of aprscope-cli.
QString command_line_program();

/// Runs a test class in a QApplication that can show the views.
int run_tests(int argc, char** argv, const std::function<int()>& execute);

}  // namespace aprscope::gui::test

// A machine with much else to do takes its time; whoever waits in vain is told of it all the same.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, 60000)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expression, text) QTRY_VERIFY2_WITH_TIMEOUT(expression, text, 60000)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)

/// Adds a class of tests to the program that they share, under the name of its file; put the .moc
/// include after it.
#define APRSCOPE_GUI_TESTS(Class)                                          \
  [[maybe_unused]] static const bool kClassIsAdded =                       \
      aprscope::test::add_test_class(__FILE__, [](int argc, char** argv) { \
        return aprscope::gui::test::run_tests(argc, argv, [argc, argv] {   \
          Class tests;                                                     \
          return QTest::qExec(&tests, argc, argv);                         \
        });                                                                \
      });
