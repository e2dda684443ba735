#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

class Document;

/// The measurement to show. In the Measure panel, it is computed in the background for the current
/// data, before the user keeps it; otherwise it is that of the current item, together with the same
/// measurement of a filter's preview.
class MeasurementPreview : public QObject {
  Q_OBJECT

 public:
  explicit MeasurementPreview(Document& document, QObject* parent = nullptr);

  /// Measures the current data; call it at each edit: the newest request wins. Does not repeat a
  /// measurement that the current item already is.
  void set_operation(const Operation& operation);
  void clear();
  /// Shows a measurement of the current data made elsewhere, until the data changes.
  void show(std::shared_ptr<const Measurement> measurement);
  /// Another data item whose curves are shown in the same plots, see paired(); 0: none. Reset to
  /// none when that item is removed.
  void set_beside(std::uint64_t id);
  [[nodiscard]] std::uint64_t beside() const { return beside_; }
  /// The measurement to show; null: none.
  [[nodiscard]] std::shared_ptr<const Measurement> shown() const;
  /// Whether it is a preview, i.e. not kept in an item.
  [[nodiscard]] bool is_tried() const { return tried_ != nullptr; }
  /// Whether it has the curves of two data sets, and their names, see paired().
  [[nodiscard]] bool is_pair() const { return tried_ != nullptr && pair_; }

 signals:
  /// shown() changed.
  void changed();
  /// The measurement failed, with the reason.
  void failed(const QString& why);

 private:
  void follow();
  void forget();
  void measure();
  void follow_filter();
  using Found = std::shared_ptr<const Measurement>;
  void post(bool pair, const std::function<Result<Found>(const JobContext&)>& work);

  Document& document_;
  std::optional<Operation> operation_;
  std::uint64_t beside_ = 0;
  std::shared_ptr<const Measurement> tried_;
  /// The data that operation_ was measured on last; weak, so that it is not kept alive for this.
  std::weak_ptr<const Dataset> measured_on_;
  bool pair_ = false;
  /// Whether a filter's preview is included.
  bool filtered_ = false;
  /// Counts requests, so that the result of an older one is ignored.
  std::uint64_t newest_ = 0;
  /// The job of the newest request; 0 for none.
  std::uint64_t job_ = 0;
};

}  // namespace aprscope::gui
