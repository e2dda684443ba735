#include "core/pipeline/series.hpp"

#include <string>
#include <utility>

#include "core/io/common/same_file.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope {

Error in_part(Error error, const SourceSelection& selection) {
  if (!error.cancelled()) {
    error.where += " (channel " + std::to_string(selection.channel) + ", time point " +
                   std::to_string(selection.time) + ")";
  }
  return error;
}

std::vector<SourceSelection> all_parts(const SourceInfo& info) {
  std::vector<SourceSelection> out;
  for (int time = 0; time < info.times; ++time) {
    for (int channel = 0; channel < static_cast<int>(info.channels.size()); ++channel) {
      out.push_back({channel, time});
    }
  }
  return out;
}

Result<Apr> particles_of_part(const std::vector<Operation>& steps, const SourceInfo& info,
                              const SourceSelection& selection,
                              const std::optional<VoxelSize>& voxel, const Backend& backend,
                              const JobContext& context) {
  // Of a file that is larger than memory, no more than a first crop needs.
  const auto run = execute_file(steps, info, selection, backend, context, voxel);
  if (!run) return run.error();
  if (!run->data->is_apr()) {
    return Error{"the result is a pixel image, not particles", info.path.string(),
                 "convert the image first"};
  }
  return run->data->apr();
}

Status write_series(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, const std::filesystem::path& output,
                    const AprWriteOptions& options, const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the file that is read", output.string(), "choose another name"};
  }
  const MakeApr part = [&](std::size_t i, const JobContext& share) -> Result<Apr> {
    auto made = particles_of_part(steps, info, parts[i], voxel, backend, share);
    if (!made) return in_part(made.error(), parts[i]);
    return made;
  };
  return write_apr_parts(parts.size(), part, output, options, context);
}

}  // namespace aprscope
