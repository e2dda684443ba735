#include "core/cells/record_update.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace aprscope {

std::vector<std::uint32_t> labels_in_order(std::span<const std::uint32_t> labels) {
  std::vector<std::uint32_t> out(labels.begin(), labels.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (!out.empty() && out.front() == 0) out.erase(out.begin());
  return out;
}

Region box_of_changed(const LabelRecords& before, const Region& box,
                      std::span<const std::uint32_t> labels) {
  Region out = box;
  for (const std::uint32_t label : labels) {
    const LabelSums* const had = before.of(label);
    if (had == nullptr) continue;
    const Region& more = had->box;
    out = {{std::min(out.begin.z, more.begin.z), std::min(out.begin.x, more.begin.x),
            std::min(out.begin.y, more.begin.y)},
           {std::max(out.end.z, more.end.z), std::max(out.end.x, more.end.x),
            std::max(out.end.y, more.end.y)}};
  }
  return out;
}

LabelRecords with_changed(LabelRecords before, const LabelRecords& found,
                          std::span<const std::uint32_t> labels) {
  const auto is_changed = [&](std::uint32_t label) {
    return std::binary_search(labels.begin(), labels.end(), label);
  };
  LabelRecords out;
  out.intensities.resize(before.intensities.size());
  std::size_t next = 0;
  const auto put = [&](const LabelRecords& from, std::size_t i) {
    out.sums.push_back(from.sums[i]);
    for (std::size_t c = 0; c < out.intensities.size(); ++c) {
      out.intensities[c].push_back(from.intensities[c][i]);
    }
  };
  for (std::size_t i = 0; i < before.sums.size(); ++i) {
    if (is_changed(before.sums[i].label)) continue;
    while (next < found.sums.size() && found.sums[next].label < before.sums[i].label) {
      put(found, next++);
    }
    put(before, i);
  }
  while (next < found.sums.size()) put(found, next++);
  std::erase_if(before.contacts,
                [&](const LabelContact& one) { return is_changed(one.a) || is_changed(one.b); });
  out.contacts.reserve(before.contacts.size() + found.contacts.size());
  std::merge(before.contacts.begin(), before.contacts.end(), found.contacts.begin(),
             found.contacts.end(), std::back_inserter(out.contacts),
             [](const LabelContact& one, const LabelContact& two) {
               return std::pair(one.a, one.b) < std::pair(two.a, two.b);
             });
  return out;
}

}  // namespace aprscope
