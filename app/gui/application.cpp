#include "app/gui/application.hpp"

#include <QApplication>
#include <QIcon>
#include <QTimer>
#include <chrono>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>

#include <malloc.h>

#include "app/gui/options.hpp"
#include "app/gui/panels/measure_panel.hpp"
#include "app/gui/preview_meter.hpp"
#include "app/gui/qt_log.hpp"
#include "app/gui/stall_meter.hpp"
#include "app/gui/tasks.hpp"
#include "app/gui/views/rehearsal.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/colour_tables.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/device_menu.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/tour.hpp"
#include "core/base/printable.hpp"
#include "core/base/system.hpp"
#include "gpu/engines/devices.hpp"

namespace aprscope::gui {
namespace {

int fail(const std::string& message) {
  std::fprintf(stderr, "aprscope: %s\n", printable_line(message).c_str());
  return 1;
}

ThemeKind chosen_theme(const Options& options) {
  const QString name =
      options.theme.empty()
          ? open_settings()->value(QStringLiteral("theme"), QStringLiteral("dark")).toString()
          : QString::fromStdString(options.theme);
  return name == QLatin1String("light") ? ThemeKind::light : ThemeKind::dark;
}

// Each frame allocates and frees memory of the size of the window. By default, the C library would
// get it from the system each time, page by page, which takes longer than drawing.
void keep_frame_memory() {
#if defined(__GLIBC__)
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 128 * kMegabyte);
#endif
}

void warm_up(ViewsArea& views) {
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    views.slice(axis).warm_up();
    (void)views.slice(axis).grabFramebuffer();
  }
}

int show_window(int argc, char** argv) {
  const auto parsed = parse_options(argc, argv);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const Options& options = std::get<Options>(parsed);
  if (!cpu_supported()) {
    return fail("this processor (" + cpu_name() + ") lacks AVX2, which the program needs.");
  }
  set_thread_count(options.threads);
  const auto chosen = choose_backend(options.device);
  if (!chosen) return fail(chosen.error().message());

  keep_frame_memory();
  install_qt_log();
  use_view_surface_format();
  int qt_argc = 1;  // Qt gets no options of this program
  MeasuredApplication application(qt_argc, argv);
  QApplication::setApplicationName(QStringLiteral("aprscope"));
  QApplication::setApplicationVersion(QStringLiteral(APRSCOPE_VERSION));

  const bool newcomer = options.plain_start() && never_used();
  Theme theme;
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/aprscope.svg")));
  theme.apply(chosen_theme(options));
  load_colour_tables();
  Document document(chosen->backend);
  document.opener().large_files().set_memory(options.memory != 0 ? options.memory : kept_memory());
  MainWindow window(document, theme);
  QObject::connect(&application, &MeasuredApplication::memory_ran_out, &document, [&document] {
    emit document.messages().said(
        MessageKind::error,
        QObject::tr("There was not enough memory for that: close other data or programs."));
  });
  arrange(window, options);
  if (options.demo || options.has_tasks() || !options.files.empty()) window.await_data();
  window.show();
  std::unique_ptr<StallMeter> meter;
  if (options.measure_stalls) {
    // The first frames set up OpenGL; this does it before the user waits for anything.
    warm_up(window.views());
    window.views().wait_until_shown(std::chrono::seconds(1));
    meter = std::make_unique<StallMeter>();
    application.measure();
  }

  if (options.device == "auto") {
    // A GPU that cannot be used is reported at each start; that there is none, only once.
    if (!gpu_inventory().devices.empty()) {
      say_why_not_the_gpu(document, chosen->reason);
    } else if (!options.has_tasks()) {
      say_that_there_is_no_gpu(document);
    }
  }
  Tasks tasks(document, window, options);
  tasks.open();
  Rehearsal rehearsal(document, window.views());
  if (!options.has_tasks() && !meter && !options.measure_previews) {
    // Files, the demo and the tour come first.
    const bool page = options.plain_start() && !options.demo && !newcomer;
    rehearsal.start(std::chrono::milliseconds(page ? 200 : 1500));
  }
  if (newcomer) {
    // Started when the window is shown; the tour's first step opens the demo image.
    QTimer::singleShot(0, &window.tour(), &Tour::start);
  }
  int code = 0;
  if (options.has_tasks()) {
    const Status done = tasks.run();
    if (!done) code = fail(done.error().message());
  }
  if (code == 0 && options.screenshot.empty() && !options.measure_previews)
    code = QApplication::exec();
  if (meter) {
    std::printf(
        "longest stall of the window after it was shown: %.1f ms; above 50 ms: %d; "
        "longest computing of its thread: %.1f ms\n",
        meter->longest(), meter->stalls(), meter->longest_computing());
    for (const MeasuredApplication::Event& event : application.slowest()) {
      std::printf("  computing %.1f ms of %.1f ms, at %.2f s: %s\n", event.computing, event.taken,
                  event.at, printable(event.what).c_str());
    }
  }
  if (code != 0) return code;
  if (options.measure_previews) {
    warm_up(window.views());
    for (const PreviewTimes& times : measure_previews(document, window)) {
      std::printf(
          "preview of %d x %d x %d: first slice %.0f ms (at most %.0f), all slices %.0f ms (at "
          "most "
          "%.0f)\n",
          times.size, times.size, times.size, times.first_median, times.first_longest,
          times.all_median, times.all_longest);
    }
  }
  const Status saved = tasks.picture();
  return saved ? 0 : fail(saved.error().message());
}

}  // namespace

void arrange(MainWindow& window, const Options& options) {
  // With --compare, the option names the view to compare instead.
  if (options.compare.empty()) {
    if (options.view == "xy") window.views().maximise(ViewPlace::xy);
    if (options.view == "3d") window.views().maximise(ViewPlace::mip);
    if (options.view == "yz") window.views().maximise(ViewPlace::yz);
    if (options.view == "xz") window.views().maximise(ViewPlace::xz);
  }
  if (!options.panel.empty()) window.show_panel(QString::fromStdString(options.panel));
  if (!options.measure.empty()) {
    window.show_panel(QStringLiteral("measure"));
    window.findChild<MeasurePanel*>()->choose(QString::fromStdString(options.measure));
  }
}

int run(int argc, char** argv) {
  try {
    return show_window(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory; close other programs");
  } catch (const std::system_error& error) {
    return fail(std::string("a thread cannot be started (") + error.what() +
                "); close other programs");
  }
}

}  // namespace aprscope::gui
