#include "core/pipeline/zarr_series.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

#include "core/io/common/part_error.hpp"
#include "core/io/common/same_file.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope {
namespace {

template <class T>
OmeZarrPart lent(const std::shared_ptr<const Data>& data) {
  return std::shared_ptr<const T>(data, &std::get<T>(*data));
}

}  // namespace

OmeZarrSeries zarr_series(const SourceInfo& info, std::span<const SourceSelection> parts,
                          const std::vector<Operation>& steps) {
  OmeZarrSeries series;
  series.channels.clear();
  const bool as_in_file = std::all_of(steps.begin(), steps.end(), [](const Operation& step) {
    return range_of(step) == Range::of_input;
  });
  for (const SourceSelection& part : parts) {
    if (part.time != parts.front().time) break;
    const auto c = static_cast<std::size_t>(part.channel);
    OmeZarrChannel channel;
    if (c < info.channels.size()) channel.name = info.channels[c];
    if (c < info.hints.size()) channel.look = info.hints[c];
    if (!as_in_file) channel.look.window.reset();
    series.channels.push_back(std::move(channel));
  }
  series.seconds = info.seconds;
  if (!series.channels.empty()) {
    series.times = static_cast<int>(parts.size() / series.channels.size());
  }
  return series;
}

Status write_zarr_parts(const OmeZarrSeries& series, std::span<const SourceSelection> parts,
                        const MakePart& make, const std::filesystem::path& output,
                        OmeZarrVersion version, const JobContext& context) {
  const MakeOmeZarrPart part = [&](int channel, int time,
                                   const JobContext& share) -> Result<OmeZarrPart> {
    const std::size_t i =
        static_cast<std::size_t>(time) * series.channels.size() + static_cast<std::size_t>(channel);
    const auto data = make(parts[i], share);
    if (!data) return in_part(data.error(), parts[i]);
    return std::holds_alternative<Apr>(**data) ? lent<Apr>(*data) : lent<Volume>(*data);
  };
  return write_ome_zarr(series, part, output, version, context);
}

Status write_zarr_series(const ZarrExport& how, const SourceInfo& info,
                         std::span<const SourceSelection> parts, const Backend& backend,
                         const std::filesystem::path& output, const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the image that is read", output.string(), "choose another name"};
  }
  const auto steps_of = [&](const SourceSelection& part) -> const std::vector<Operation>& {
    const auto other = how.other_steps.find(part.channel);
    return other == how.other_steps.end() ? how.steps : other->second;
  };
  // Channels that the same steps are run on may share a structure.
  std::vector<std::pair<const std::vector<Operation>*, MakePart>> makers;
  const MakePart make = [&](const SourceSelection& part, const JobContext& share) {
    const std::vector<Operation>& steps = steps_of(part);
    const auto made = std::find_if(makers.begin(), makers.end(),
                                   [&](const auto& one) { return *one.first == steps; });
    if (made != makers.end()) return made->second(part, share);
    std::vector<SourceSelection> alike;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(alike),
                 [&](const SourceSelection& one) { return steps_of(one) == steps; });
    makers.emplace_back(&steps, part_maker(steps, info, alike, how.voxel, backend));
    return makers.back().second(part, share);
  };
  return write_zarr_parts(how.series, parts, make, output, how.version, context);
}

}  // namespace aprscope
