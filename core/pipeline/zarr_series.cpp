#include "core/pipeline/zarr_series.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/io/common/part_error.hpp"
#include "core/io/common/same_file.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope {
namespace {

// The data alone, which keep the whole data set alive.
std::shared_ptr<const Data> data_of(std::shared_ptr<const Dataset> dataset) {
  const Data* const data = &dataset->data();
  return {std::move(dataset), data};
}

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

MakePart part_maker(std::vector<Operation> steps, const SourceInfo& info,
                    std::optional<VoxelSize> voxel, const Backend& backend) {
  return [steps = std::move(steps), &info, voxel = std::move(voxel), &backend](
             const SourceSelection& part,
             const JobContext& context) -> Result<std::shared_ptr<const Data>> {
    // Of a file that is larger than memory, no more than a first crop needs.
    auto run = execute_file(steps, info, part, backend, context, voxel);
    if (!run) return run.error();
    return data_of(std::move(run->data));
  };
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
  const MakePart make = [&](const SourceSelection& part, const JobContext& share) {
    const auto other = how.other_steps.find(part.channel);
    const auto& steps = other == how.other_steps.end() ? how.steps : other->second;
    return part_maker(steps, info, how.voxel, backend)(part, share);
  };
  return write_zarr_parts(how.series, parts, make, output, how.version, context);
}

}  // namespace aprscope
