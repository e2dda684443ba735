#include "core/pipeline/series.hpp"

#include <string>
#include <utility>

#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"

namespace aprscope {
namespace {

// Share of the progress until a part is read.
constexpr double kReadShare = 0.2;

}  // namespace

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
  auto data = load(info, selection, context.part(0.0, kReadShare));
  if (!data) return data.error();
  if (voxel) std::visit([&](auto& one) { one.voxel = *voxel; }, *data);
  const auto run =
      execute(steps, Dataset::create(*std::move(data)), backend, context.part(kReadShare, 1.0));
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
