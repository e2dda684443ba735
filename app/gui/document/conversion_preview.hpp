#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/gui/document/item.hpp"
#include "app/gui/document/job_bridge.hpp"
#include "core/apr/convert/conversion.hpp"

namespace aprscope::gui {

/// Converts the current image in the background while its parameters are edited: first the
/// particles for the slices, then the figures of the estimate. The newest request wins. The
/// gradient takes most of the time, so it is kept while the image and the parameters that it
/// depends on stay, and the user edits (see set_editing()): with the scale it takes as much memory
/// as the image in floats.
class ConversionPreview : public QObject {
  Q_OBJECT

 public:
  ConversionPreview(JobBridge& background, QObject* parent);
  ~ConversionPreview() override;

  /// `convert` must be complete and `source` a pixel image. Does nothing if the same is finished or
  /// being computed.
  void request(std::shared_ptr<const Dataset> source, const Operation& convert);
  /// Forgets all results and stops the jobs.
  void reset();
  /// Whether more requests for the same image are likely. Some time after `false` the gradient is
  /// released; particles and estimate are kept.
  void set_editing(bool editing);
  /// Sets this time; 30 s by default.
  void set_patience(std::chrono::milliseconds patience);
  /// Whether the gradient and scale of an image are kept.
  [[nodiscard]] bool holds_gradient() const;

  [[nodiscard]] bool pending() const { return running_ || wanted_; }
  /// The particles of the newest finished request for the current image.
  [[nodiscard]] std::shared_ptr<const Dataset> dataset() const { return dataset_; }
  /// These particles, and the costs of making them.
  struct Made {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const Histogram> histogram;
    double seconds = 0.0;
  };
  /// These particles, if the CPU backend would make the same of this image by this complete
  /// operation, byte for byte except for the image's labels; else none.
  [[nodiscard]] std::optional<Made> made_of(const Dataset& source, const Operation& convert) const;
  [[nodiscard]] const std::optional<ConversionEstimate>& estimate() const { return estimate_; }

 signals:
  void dataset_changed();
  /// estimate() or pending() changed.
  void estimate_changed();
  void failed(const aprscope::Error& error);

 private:
  struct Request;
  struct Converted;
  struct Cache;

  void start();
  void forget_particles();
  void check_error(const Converted& converted);
  void finish();
  void await_release();

  JobBridge& background_;
  std::shared_ptr<Cache> cache_;
  std::shared_ptr<const Request> wanted_;
  std::shared_ptr<const Request> running_;
  /// The request that dataset_ and estimate_ belong to.
  std::shared_ptr<const Request> finished_;
  bool editing_ = false;
  QTimer release_;
  std::stop_source stop_gradient_;
  std::stop_source stop_rest_;
  std::shared_ptr<const Dataset> dataset_;
  /// The request that dataset_ was made for, its histogram, and the seconds that it took.
  std::shared_ptr<const Request> made_;
  std::shared_ptr<const Histogram> histogram_;
  double seconds_ = 0.0;
  std::optional<ConversionEstimate> estimate_;
};

}  // namespace aprscope::gui
