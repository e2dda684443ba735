#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/gui/document/job_bridge.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

/// Finds labels in the background while the parameters are edited; the newest request wins. Results
/// that do not depend on the quick parameters (see LabelEngine) are kept while the data stays the
/// same, so that a slider shows other labels at once.
class LabelPreview : public QObject {
  Q_OBJECT

 public:
  LabelPreview(JobBridge& background, QObject* parent);

  /// `operation` must be complete, give labels, and be applicable to this data.
  void request(std::shared_ptr<const Dataset> source, const Operation& operation);
  /// Forgets all results and stops the jobs.
  void reset();

  [[nodiscard]] bool pending() const { return job_ != 0; }
  /// The number of different labels.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The number of smaller parts that the labels consist of; 0: they do not.
  [[nodiscard]] std::uint64_t part_count() const;
  /// Advice for the user if the labels are probably not what was meant; else empty.
  [[nodiscard]] const QString& advice() const { return advice_; }
  /// The labels of the newest finished request; null: none.
  [[nodiscard]] const std::shared_ptr<const Labels>& labels() const { return labels_; }
  /// The smaller parts that the labels consist of; null: they do not.
  [[nodiscard]] const std::shared_ptr<const LabelParts>& parts() const { return parts_; }

 signals:
  /// labels() changed.
  void changed();
  /// labels() or pending() changed.
  void state_changed();
  void failed(const aprscope::Error& error);

 private:
  struct Cache;

  JobBridge& background_;
  /// Only used by the jobs, one at a time.
  std::shared_ptr<Cache> cache_;
  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<const LabelParts> parts_;
  std::uint64_t count_ = 0;
  QString advice_;
  /// Counts requests, so that the result of an older one is ignored.
  std::uint64_t newest_ = 0;
  std::uint64_t job_ = 0;
};

}  // namespace aprscope::gui
