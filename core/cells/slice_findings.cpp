#include "core/cells/slice_findings.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/connected_components.hpp"

namespace aprscope {
namespace {

struct Extra {
  std::uint32_t label = 0;
  std::int64_t pixels = 0;
};

// Pixels that labels gain when a slice is filled by itself, in the order of labels.
std::vector<Extra> extras_of(const std::uint32_t* labels, const Pixels<std::uint8_t>& parts,
                             bool of_lumens, Connectivity membrane) {
  constexpr auto kLumenPart = static_cast<std::uint8_t>(CellPart::lumen);
  const std::size_t count = parts.values.size();
  std::size_t open = 0;
  for (std::size_t i = 0; i < count; ++i) open += labels[i] == 0 && parts.values[i] == kLumenPart;
  if (open == 0) return {};
  // The slice is one thread's own: nobody asks to stop in the middle of it.
  const auto found = of_lumens ? label_lumens(parts, membrane) : label_objects(parts, membrane);
  if (!found) return {};
  const std::vector<std::uint32_t>& piece = found->values;
  std::vector<std::int64_t> more(static_cast<std::size_t>(found->largest) + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (labels[i] == 0 && parts.values[i] == kLumenPart) ++more[piece[i]];
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> shares;
  for (std::size_t i = 0; i < count; ++i) {
    if (labels[i] != 0 && piece[i] != 0 && more[piece[i]] > 0) ++shares[{piece[i], labels[i]}];
  }
  std::map<std::uint32_t, std::int64_t> gains;
  for (auto it = shares.begin(); it != shares.end();) {
    auto most = it;
    const std::uint32_t of = it->first.first;
    for (; it != shares.end() && it->first.first == of; ++it) {
      if (it->second > most->second) most = it;
    }
    gains[most->first.second] += more[of];
  }
  std::vector<Extra> extras;
  for (const auto& [label, pixels] : gains) extras.push_back({label, pixels});
  return extras;
}

}  // namespace

std::vector<std::int64_t> label_counts(const Labels& labels) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(labels.largest) + 1, 0);
  for (const std::uint32_t label : labels.values) ++counts[label];
  return counts;
}

Status compare_slices(const Labels& labels, const CellParts& slices, bool of_lumens,
                      Connectivity membrane, std::vector<LabelFinding>& findings,
                      const JobContext& context) {
  const Size3 n = slices.size;
  std::vector<std::vector<Extra>> extras(static_cast<std::size_t>(n.z));
  const bool done =
      parallel_items(n.z, thread_count(), context, "slices", [&](std::int64_t z, int) {
        const std::uint32_t* in = labels.values.data() + z * n.x * n.y;
        extras[static_cast<std::size_t>(z)] =
            extras_of(in, slice_of(slices, z), of_lumens, membrane);
      });
  if (!done) return cancelled_error();
  const std::vector<std::int64_t> own = label_counts(labels);
  for (LabelFinding& one : findings) {
    one.voxels_per_slice = static_cast<double>(own[one.label]);
    one.most_open_slice = -1;
  }
  std::vector<std::int64_t> most(findings.size(), 0);
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (const Extra& extra : extras[static_cast<std::size_t>(z)]) {
      const std::size_t at = extra.label - 1;
      findings[at].voxels_per_slice += static_cast<double>(extra.pixels);
      if (extra.pixels > most[at]) {
        most[at] = extra.pixels;
        findings[at].most_open_slice = z;
      }
    }
  }
  return {};
}

}  // namespace aprscope
