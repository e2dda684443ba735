#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

/// The preview of a filter in the 3-D view, of films whose time points are small: all of the time
/// point that is shown is filtered in the background. While another one is being filtered, that of
/// the time point before stays. UI thread only.
class VolumePreview : public QObject {
  Q_OBJECT

 public:
  VolumePreview(Document& document, QObject* parent);

  /// Whether anybody sees the 3-D view; else nothing is filtered.
  void set_seen(bool seen);
  /// The filtered data to look at in place of the current item's; null: that itself.
  [[nodiscard]] std::shared_ptr<const Raycaster> raycaster() const { return made_.raycaster; }
  /// The contrast of results that have another range than the data, the same along time.
  [[nodiscard]] const std::optional<Contrast>& contrast() const { return contrast_; }
  /// Whether what is shown is being filtered.
  [[nodiscard]] bool busy() const { return job_ != 0; }

 signals:
  void changed();

 private:
  struct Made {
    std::shared_ptr<const Raycaster> raycaster;
    std::optional<Contrast> contrast;
    Operation filter;
  };
  // What is filtered, and how.
  struct Request {
    std::uint64_t item = 0;
    int channel = 0;
    std::shared_ptr<const Dataset> dataset;
    Operation filter;
    std::shared_ptr<const Backend> backend;
    friend bool operator==(const Request&, const Request&) = default;
  };

  [[nodiscard]] std::optional<Request> request() const;
  void renew();
  void end();
  void start(const Request& request);
  void take(const Result<Made>& made);

  Document& document_;
  bool seen_ = false;
  /// What is shown or being filtered; what is shown may be of the time point before.
  std::optional<Request> asked_;
  Made made_;
  std::optional<Contrast> contrast_;
  std::uint64_t job_ = 0;
  /// Counts the requests; the newest counts.
  std::uint64_t newest_ = 0;
};

}  // namespace aprscope::gui
