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
  /// Of each side's own slices.
  std::int64_t index_a = 0;
  std::int64_t index_b = 0;
  Plane a;
  Plane b;
  /// B − A; empty where the shapes differ, or the sides are not to be compared.
  Plane difference;
  /// Symmetric about zero.
  Contrast difference_contrast;
};

/// What is known about one pair: nothing yet, being measured, measured, or why not.
struct MetricsState {
  std::optional<ImageMetrics> metrics;
  bool pending = false;
  QString note;
};

/// Supplies the comparison: makes the slices of both sides in the background, measures them, and
/// the whole volumes (by itself where that takes a moment, else on request), as a job with progress
/// and Cancel.
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
  /// Measures the whole volumes, whatever their size.
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
    /// Whether a difference of the two means anything.
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
  /// Which sides volume_ is about.
  std::optional<Request> volume_of_;
  std::uint64_t volume_job_ = 0;
  /// Slices are measured when the crosshair rests.
  QTimer rest_;
};

}  // namespace aprscope::gui
