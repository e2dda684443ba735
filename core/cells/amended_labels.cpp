#include "core/cells/amended_labels.hpp"

#include <atomic>

namespace aprscope {

void AmendedLabels::Turn::take(Labels& labels) const {
  if (forward) {
    change->apply(labels);
  } else {
    change->revert(labels);
  }
}

bool AmendedLabels::is_spare_of(const std::shared_ptr<const Labels>& now) const {
  return spare_ != nullptr && spare_of_.lock() == now;
}

void AmendedLabels::prepare(const std::shared_ptr<const Labels>& now) {
  {
    const std::lock_guard lock(mutex_);
    if (is_spare_of(now)) return;
  }
  // Copies without the lock, since copying takes a while.
  auto copy = std::make_shared<Labels>(*now);
  const std::lock_guard lock(mutex_);
  ++copies_;
  if (is_spare_of(now)) return;
  spare_ = std::move(copy);
  spare_of_ = now;
  behind_.clear();
}

std::shared_ptr<const Labels> AmendedLabels::applied(const std::shared_ptr<const Labels>& now,
                                                     std::shared_ptr<const LabelChange> change) {
  return turned(now, {std::move(change), true});
}

std::shared_ptr<const Labels> AmendedLabels::reverted(const std::shared_ptr<const Labels>& now,
                                                      std::shared_ptr<const LabelChange> change) {
  return turned(now, {std::move(change), false});
}

std::shared_ptr<const Labels> AmendedLabels::turned(const std::shared_ptr<const Labels>& now,
                                                    Turn turn) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Labels> next;
  // A single reference means that nobody looks at the spare and nobody can get hold of it.
  if (is_spare_of(now) && spare_.use_count() == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    next = std::move(spare_);
    for (const Turn& one : behind_) one.take(*next);
  } else {
    next = std::make_shared<Labels>(*now);
    ++copies_;
  }
  turn.take(*next);
  // The labels returned last become the spare: they lack only this turn.
  behind_.clear();
  spare_.reset();
  if (given_ == now) {
    spare_ = std::move(given_);
    spare_of_ = next;
    behind_.push_back(std::move(turn));
  }
  given_ = next;
  return next;
}

int AmendedLabels::copies() const {
  const std::lock_guard lock(mutex_);
  return copies_;
}

}  // namespace aprscope
