#include "app/gui/preview_meter.hpp"

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <algorithm>
#include <array>
#include <chrono>

#include "app/gui/panels/filter_controls.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/operation_form.hpp"

namespace aprscope::gui {
namespace {

constexpr int kEdits = 7;
constexpr qint64 kPatienceMs = 20'000;
constexpr auto kSettle = std::chrono::minutes(2);
constexpr std::array<Axis, 3> kAxes{Axis::z, Axis::x, Axis::y};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Measures when each slice view has painted the picture of an edit.
class PaintTimer {
 public:
  explicit PaintTimer(ViewsArea& views) : views_(views) {
    connection_ = QObject::connect(&views.feed(), &SliceFeed::picture_ready, &views,
                                   [this](const SlicePicture& picture) {
                                     const auto a = static_cast<std::size_t>(picture.axis);
                                     if (clock_.isValid() && frames_[a] < 0)
                                       frames_[a] = frames_of(a);
                                   });
  }
  PaintTimer(const PaintTimer&) = delete;
  PaintTimer& operator=(const PaintTimer&) = delete;
  ~PaintTimer() { QObject::disconnect(connection_); }

  void start() {
    frames_.fill(-1);
    painted_.clear();
    clock_.start();
  }

  // Waits for the picture; times in ms when the first and the last visible slice were painted.
  bool wait(double& first, double& all) {
    const auto visible = std::count_if(
        kAxes.begin(), kAxes.end(), [this](Axis axis) { return views_.slice(axis).isVisible(); });
    while (static_cast<std::ptrdiff_t>(painted_.size()) < visible) {
      if (clock_.elapsed() > kPatienceMs) return false;
      QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
      const double now = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
      for (std::size_t a = 0; a < kAxes.size(); ++a) {
        if (frames_[a] < 0 || frames_of(a) <= frames_[a]) continue;
        frames_[a] = frames_of(a) + kDone;
        painted_.push_back(now);
      }
    }
    if (painted_.empty()) return false;
    first = painted_.front();
    all = painted_.back();
    return true;
  }

 private:
  static constexpr std::int64_t kDone = std::int64_t{1} << 40;

  std::int64_t frames_of(std::size_t axis) {
    return static_cast<std::int64_t>(views_.slice(static_cast<Axis>(axis)).frame_count());
  }

  ViewsArea& views_;
  QMetaObject::Connection connection_;
  QElapsedTimer clock_;
  std::array<std::int64_t, 3> frames_{-1, -1, -1};
  std::vector<double> painted_;
};

}  // namespace

std::vector<PreviewTimes> measure_previews(Document& document, MainWindow& window) {
  std::vector<PreviewTimes> out;
  auto* controls = window.findChild<FilterControls*>();
  if (document.items().current() == nullptr || controls == nullptr) return out;
  window.show_panel(QStringLiteral("filter"));
  // Off the middle, which is a seam in tiled data, and away from borders, which may be empty.
  const Size3 extent = document.items().current()->dataset->size();
  document.view().set_crosshair({extent.z * 3 / 8, extent.x * 3 / 8, extent.y * 3 / 8});
  PaintTimer timer(window.views());
  for (const int size : {3, 5, 7, 9, 11, 13}) {
    const double sigma = size / 6.0;
    const auto side = static_cast<double>(size);
    controls->set_operation({"gaussian",
                             {{"sigma", std::array<double, 3>{sigma, sigma, sigma}},
                              {"size", std::array<double, 3>{side, side, side}}}});
    emit controls->preview_changed();
    if (!window.views().wait_until_shown(kSettle)) return out;
    auto* box = controls->findChild<QDoubleSpinBox*>(QStringLiteral("sigma_y"));
    if (box == nullptr) return out;
    std::vector<double> firsts;
    std::vector<double> alls;
    for (int edit = 1; edit <= kEdits; ++edit) {
      double first = 0.0;
      double all = 0.0;
      timer.start();
      box->setValue(sigma + 0.02 * edit);
      if (!timer.wait(first, all)) return out;
      firsts.push_back(first);
      alls.push_back(all);
      if (!window.views().wait_until_shown(kSettle)) return out;
    }
    out.push_back({size, median(firsts), *std::max_element(firsts.begin(), firsts.end()),
                   median(alls), *std::max_element(alls.begin(), alls.end())});
  }
  return out;
}

}  // namespace aprscope::gui
