#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "app/gui/compare/comparison.hpp"
#include "core/operations/measure/comparison.hpp"

namespace aprscope::gui {

/// The slices of both sides at the crosshair.
struct ComparePicture {
  Axis axis = Axis::z;
  /// The index of the slice in A / in B: volumes may have different sizes.
  std::int64_t index_a = 0;
  std::int64_t index_b = 0;
  Plane a;
  Plane b;
  /// B − A; empty if the shapes differ, or if the sides must not be compared.
  Plane difference;
  /// Its range is symmetric about zero.
  Contrast difference_contrast;
};

/// The metrics of one pair: unknown, being computed, known, or the reason why there are none.
struct MetricsState {
  std::optional<ImageMetrics> metrics;
  bool pending = false;
  QString note;
};

/// Supplies the comparison: makes the slices of both sides in the background and measures them.
/// Also measures the whole volumes, by itself if that is quick, else on request, as a job with
/// progress and Cancel.
class CompareFeed : public QObject {
  Q_OBJECT

 public:
  CompareFeed(Document& document, Comparison& comparison, QObject* parent = nullptr);

  /// True while a picture is missing or out of date.
  [[nodiscard]] bool busy() const { return running_ || wanted_ || rest_.isActive(); }
  /// Null while there is none.
  [[nodiscard]] const ComparePicture* picture() const { return picture_.get(); }
  [[nodiscard]] const MetricsState& slice_metrics() const { return slice_; }
  [[nodiscard]] const MetricsState& volume_metrics() const { return volume_; }
  /// Measures the whole volumes, however large they are.
  void measure_volume();

 signals:
  void picture_ready(const aprscope::gui::ComparePicture& picture);
  void metrics_changed();

 private:
  struct Request {
    std::shared_ptr<const Dataset> a;
    std::shared_ptr<const Dataset> b;
    ReconstructionMode mode_a = ReconstructionMode::constant;
    ReconstructionMode mode_b = ReconstructionMode::constant;
    Axis axis = Axis::z;
    std::int64_t index_a = 0;
    std::int64_t index_b = 0;
    /// Whether the two sides may be compared, i.e. a difference has a meaning.
    bool measured = true;
    friend bool operator==(const Request&, const Request&) = default;
    [[nodiscard]] bool same_sides(const Request& other) const {
      return a == other.a && b == other.b && mode_a == other.mode_a && mode_b == other.mode_b &&
             measured == other.measured;
    }
  };

  [[nodiscard]] std::optional<Request> request() const;
  void refresh();
  void start();
  void take(const Request& request, const Result<std::shared_ptr<const ComparePicture>>& picture);
  void measure_slice();
  void follow_sides();

  Document& document_;
  Comparison& comparison_;
  std::optional<Request> wanted_;
  std::optional<Request> shown_;
  bool running_ = false;
  std::shared_ptr<const ComparePicture> picture_;
  MetricsState slice_;
  MetricsState volume_;
  /// The sides that volume_ belongs to.
  std::optional<Request> volume_of_;
  std::uint64_t volume_job_ = 0;
  /// Slices are measured when the crosshair has stopped moving.
  QTimer rest_;
};

}  // namespace aprscope::gui
