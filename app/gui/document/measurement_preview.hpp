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

/// What there is to show of measurements: what is being tried out on the current data, in the
/// background, before anybody asks for it to be kept; else what the current item is, beside what a
/// filter that is being previewed would make of it.
class MeasurementPreview : public QObject {
  Q_OBJECT

 public:
  explicit MeasurementPreview(Document& document, QObject* parent = nullptr);

  /// Measures the current data; call it at each edit: the newest wins. What the current item says
  /// already is not measured again.
  void set_operation(const Operation& operation);
  void clear();
  /// Shows what somebody else has measured on the current data, until that changes.
  void show(std::shared_ptr<const Measurement> measurement);
  /// Another data item whose curves are shown in the same plots, see paired(); 0: none. It is none
  /// again when that item goes.
  void set_beside(std::uint64_t id);
  [[nodiscard]] std::uint64_t beside() const { return beside_; }
  /// Null: nothing has been measured.
  [[nodiscard]] std::shared_ptr<const Measurement> shown() const;
  /// Whether that is kept in no item yet.
  [[nodiscard]] bool is_tried() const { return tried_ != nullptr; }
  /// Whether it is of two data sets, whose names it has, see paired().
  [[nodiscard]] bool is_pair() const { return tried_ != nullptr && pair_; }

 signals:
  /// shown() changed.
  void changed();
  /// It could not be measured, for this reason.
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
  /// What operation_ was measured on last; kept by whoever has it, with labels that change.
  std::weak_ptr<const Dataset> measured_on_;
  bool pair_ = false;
  /// A filter is being previewed, and measured.
  bool filtered_ = false;
  /// Counts requests: what an older one finds is not shown.
  std::uint64_t newest_ = 0;
  /// The job of the newest request; 0 for none.
  std::uint64_t job_ = 0;
};

}  // namespace aprscope::gui
