#include "tests/app/gui/window_fixture.hpp"

#include <QDropEvent>
#include <QMimeData>
#include <algorithm>
#include <chrono>
#include <thread>

#include "core/apr/convert/conversion.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/write.hpp"

namespace aprscope::gui::test {
namespace {

constexpr auto kTimeout = std::chrono::minutes(3);

// Where the pointer was last reported on a widget.
class PointerReports : public QObject {
 public:
  explicit PointerReports(QWidget& widget) { widget.installEventFilter(this); }
  [[nodiscard]] bool came(const QPoint& to) const {
    return QTest::qWaitFor([&] { return last_ == to; }, 3000);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::MouseMove) {
      last_ = static_cast<const QMouseEvent*>(event)->position().toPoint();
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  QPoint last_{-1, -1};
};

}  // namespace

WindowFixture::WindowFixture(std::shared_ptr<const Backend> backend)
    : document(std::move(backend)) {
  qputenv("APRSCOPE_SETTINGS", file("settings.ini").toUtf8());
  theme.apply(ThemeKind::dark);
  window = std::make_unique<MainWindow>(document, theme);
  window->resize(1400, 900);
  QObject::connect(&window->views().feed(), &SliceFeed::picture_ready, window.get(),
                   [this](const SlicePicture& picture) {
                     pictures_[static_cast<std::size_t>(picture.axis)] = picture;
                     ++picture_count_;
                   });
  window->show();
  if (!QTest::qWaitForWindowExposed(window.get())) qFatal("the window was not shown");
  // A bare display has no window manager that would make the window active, which shortcuts need.
  QApplication::setActiveWindow(window.get());
}

WindowFixture::~WindowFixture() = default;

QString WindowFixture::file(const char* name) const {
  return QString::fromStdString((folder_ / name).string());
}

bool WindowFixture::settle() { return window->views().wait_until_shown(kTimeout); }

bool WindowFixture::drop(const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& path : files) urls << QUrl::fromLocalFile(path);
  data.setUrls(urls);
  const QPoint middle = window->rect().center();
  QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &enter);
  if (!enter.isAccepted()) return false;
  QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window.get(), &drop);
  return drop.isAccepted() && settle();
}

void WindowFixture::hold_full_lane() {
  document.jobs().post(
      Lane::full, QStringLiteral("held"), {}, window.get(),
      [](const JobContext& context) -> Result<bool> {
        while (!context.stop_requested()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return cancelled_error();
      },
      [](const Result<bool>&) {});
}

void WindowFixture::trigger(const char* action) {
  QAction* found = window->action(QLatin1String(action));
  if (found == nullptr) qFatal("no action %s", action);
  found->trigger();
}

void write_block_tiff(const QString& path, const Size3& size, const Index3& bright) {
  Pixels<std::uint16_t> pixels(size, 100);
  for (std::int64_t z = bright.z - 1; z <= bright.z + 1; ++z) {
    for (std::int64_t x = bright.x - 1; x <= bright.x + 1; ++x) {
      for (std::int64_t y = bright.y - 1; y <= bright.y + 1; ++y) pixels.at(z, x, y) = 4000;
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  if (!write_tiff(volume, path.toStdString())) qFatal("cannot write the test image");
}

void write_series_apr(const QString& path) {
  std::vector<Apr> series;
  for (int channel = 0; channel < 2; ++channel) {
    for (int time = 0; time < 3; ++time) {
      Volume volume;
      volume.pixels = Pixels<std::uint16_t>(
          {8, 16, 24}, static_cast<std::uint16_t>(1000 * channel + 100 * time + 7));
      auto apr = convert(volume, {});
      if (!apr) qFatal("%s", apr.error().message().c_str());
      apr->channel = channel == 0 ? "red" : "green";
      apr->channel_index = channel;
      apr->time = time;
      series.push_back(*std::move(apr));
    }
  }
  const Status written = write_apr_series(series, path.toStdString());
  if (!written) qFatal("%s", written.error().message().c_str());
}

void write_cells_tiff(const QString& path, const Size3& size) {
  SyntheticOptions options;
  options.size = size;
  auto volume = make_synthetic("cells", options);
  if (!volume || !write_tiff(*volume, path.toStdString())) qFatal("cannot write the test image");
}

bool move_pointer(QWidget& widget, const QPoint& to) {
  const PointerReports reports(widget);
  const QPoint beside = to.x() > 0 ? to - QPoint(1, 0) : to + QPoint(1, 0);
  for (int attempt = 0; attempt < 20; ++attempt) {
    QTest::mouseMove(&widget, beside);
    // Where it was already, it is not reported: the next move is one then.
    (void)reports.came(beside);
    QTest::mouseMove(&widget, to);
    if (reports.came(to)) return true;
  }
  return false;
}

double brightness(const QImage& image, const QRect& part) {
  const QRect area = part.isNull() ? image.rect() : part.intersected(image.rect());
  if (area.isEmpty()) return 0.0;
  double sum = 0.0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) {
      const QRgb c = image.pixel(x, y);
      sum += (qRed(c) + qGreen(c) + qBlue(c)) / 3.0;
    }
  }
  return sum / (static_cast<double>(area.width()) * area.height());
}

QString window_program() { return QStringLiteral(APRSCOPE_WINDOW_PROGRAM); }

QString command_line_program() { return QStringLiteral(APRSCOPE_CLI_PROGRAM); }

int run_tests(int argc, char** argv, const std::function<int()>& execute) {
  use_view_surface_format();
  QApplication application(argc, argv);
  return execute();
}

}  // namespace aprscope::gui::test
