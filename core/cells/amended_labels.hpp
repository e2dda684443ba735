#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/cells/label_change.hpp"

namespace aprscope {

/// Labels that are corrected one correction after another, each time returning labels that are not
/// changed any more. Two copies take turns: the older one is changed next, if nobody uses it any
/// more. So a correction costs as much as it changes; only if the older copy is still in use, all
/// labels are copied. Any thread may call it.
class AmendedLabels {
 public:
  /// Makes the copy that the first correction of `now` would have to wait for; nothing where it is
  /// there. Throws std::bad_alloc, as all of these.
  void prepare(const std::shared_ptr<const Labels>& now);
  /// `now` with a change made, or taken back.
  std::shared_ptr<const Labels> applied(const std::shared_ptr<const Labels>& now,
                                        std::shared_ptr<const LabelChange> change);
  std::shared_ptr<const Labels> reverted(const std::shared_ptr<const Labels>& now,
                                         std::shared_ptr<const LabelChange> change);
  /// How often all labels had to be copied so far.
  [[nodiscard]] int copies() const;

 private:
  struct Turn {
    std::shared_ptr<const LabelChange> change;
    bool forward = true;
    void take(Labels& labels) const;
  };
  std::shared_ptr<const Labels> turned(const std::shared_ptr<const Labels>& now, Turn turn);
  // Whether the older copy is that of `now`, but for what it has still to catch up with.
  [[nodiscard]] bool is_spare_of(const std::shared_ptr<const Labels>& now) const;

  mutable std::mutex mutex_;
  /// The last ones that this gave, which are the older copy next.
  std::shared_ptr<Labels> given_;
  std::shared_ptr<Labels> spare_;
  std::weak_ptr<const Labels> spare_of_;
  std::vector<Turn> behind_;
  int copies_ = 0;
};

}  // namespace aprscope
