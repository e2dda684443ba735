#include "core/cells/label_slots.hpp"

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Labels index a table directly (at most 4 MB) if the largest label is at most this.
constexpr std::uint32_t kMostDirect = 1U << 20U;
constexpr std::size_t kFirstPlaces = 1U << 10U;

}  // namespace

LabelSlots::LabelSlots(std::uint32_t largest) {
  if (largest <= kMostDirect) {
    direct_.assign(static_cast<std::size_t>(largest) + 1, kNone);
  } else {
    keys_.assign(kFirstPlaces, 0);
    slots_.resize(kFirstPlaces);
  }
}

std::uint32_t LabelSlots::add(std::uint32_t label) {
  const auto slot = static_cast<std::uint32_t>(labels_.size());
  labels_.push_back(label);
  if (!direct_.empty()) {
    direct_[label] = slot;
    return slot;
  }
  if (2 * labels_.size() > keys_.size()) {
    keys_.assign(2 * keys_.size(), 0);
    slots_.resize(keys_.size());
    for (std::uint32_t i = 0; i < slot; ++i) put(labels_[i], i);
  }
  put(label, slot);
  return slot;
}

void LabelSlots::put(std::uint32_t label, std::uint32_t slot) {
  std::size_t at = place(label);
  while (keys_[at] != 0) at = (at + 1) & (keys_.size() - 1);
  keys_[at] = label;
  slots_[at] = slot;
}

std::uint64_t count_labels(std::span<const std::uint32_t> values, std::uint32_t largest) {
  const auto count = static_cast<std::int64_t>(values.size());
  const int threads = threads_for(count, std::int64_t{1} << 18);
  std::vector<LabelSlots> met(static_cast<std::size_t>(threads), LabelSlots(largest));
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    LabelSlots& mine = met[static_cast<std::size_t>(thread)];
    // Runs of one label are long.
    std::uint32_t last = 0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (values[i] == last) continue;
      last = values[i];
      if (last != 0) mine.find_or_add(last);
    }
  });
  for (std::size_t t = 1; t < met.size(); ++t) {
    for (const std::uint32_t label : met[t].labels()) met.front().find_or_add(label);
  }
  return met.front().size();
}

void LabelSlots::clear() {
  if (!direct_.empty()) {
    for (const std::uint32_t label : labels_) direct_[label] = kNone;
  } else {
    keys_.assign(kFirstPlaces, 0);
    slots_.resize(kFirstPlaces);
  }
  labels_.clear();
}

}  // namespace aprscope
