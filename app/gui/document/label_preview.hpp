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

/// Finds labels in the background while the parameters of that are being edited: the newest request
/// wins. What does not depend on the quick parameters (see LabelEngine) is kept between requests on
/// the same data, so that a slider gives other labels at once.
class LabelPreview : public QObject {
  Q_OBJECT

 public:
  LabelPreview(JobBridge& background, QObject* parent);

  /// `operation` must be complete, give labels, and be one that takes this data.
  void request(std::shared_ptr<const Dataset> source, const Operation& operation);
  /// Forgets everything and stops.
  void reset();

  [[nodiscard]] bool pending() const { return job_ != 0; }
  /// How many different labels those are.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// How many parts those were made of; 0: not of smaller ones.
  [[nodiscard]] std::uint64_t part_count() const;
  /// What to try instead where they are hardly what was meant; empty: they may be.
  [[nodiscard]] const QString& advice() const { return advice_; }
  /// Of the newest finished request; null: none.
  [[nodiscard]] const std::shared_ptr<const Labels>& labels() const { return labels_; }
  /// What those were made of; null: nothing smaller.
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
  /// Touched by the jobs only, one at a time.
  std::shared_ptr<Cache> cache_;
  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<const LabelParts> parts_;
  std::uint64_t count_ = 0;
  QString advice_;
  /// Counts requests: what an older one finds is not shown.
  std::uint64_t newest_ = 0;
  std::uint64_t job_ = 0;
};

}  // namespace aprscope::gui
