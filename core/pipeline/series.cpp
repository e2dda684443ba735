#include "core/pipeline/series.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "core/base/printable.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"

namespace aprscope {

Status check_parts(const SourceInfo& info, std::span<const SourceSelection> parts) {
  std::map<std::pair<std::string, int>, int> places;
  for (const SourceSelection& part : parts) {
    const auto c = static_cast<std::size_t>(part.channel);
    if (part.channel < 0 || c >= info.channels.size()) continue;
    const auto [at, is_new] = places.try_emplace({info.channels[c], part.time}, part.channel);
    if (is_new) continue;
    return Error{"has two channels that are called \"" + printable(info.channels[c]) + "\" (" +
                     std::to_string(at->second) + " and " + std::to_string(part.channel) +
                     "), which one file cannot tell apart",
                 info.path.string(), "convert one channel at a time, to files of their own"};
  }
  return {};
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

Result<Apr> particles_of_part(const MakePart& make, const SourceInfo& info,
                              const SourceSelection& selection, const JobContext& context) {
  const auto made = make(selection, context);
  if (!made) return made.error();
  const Apr* const apr = std::get_if<Apr>(made->get());
  if (apr != nullptr) return *apr;
  return in_part(Error{"the result is a pixel image, not particles", info.path.string(),
                       "convert the image first"},
                 selection);
}

Status write_series(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, const std::filesystem::path& output,
                    const AprWriteOptions& options, const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the file that is read", output.string(), "choose another name"};
  }
  if (Status distinct = check_parts(info, parts); !distinct) return distinct;
  const MakePart make = part_maker(steps, info, parts, voxel, backend);
  const MakeApr part = [&](std::size_t i, const JobContext& share) {
    return particles_of_part(make, info, parts[i], share);
  };
  return write_apr_parts(parts.size(), part, output, options, context);
}

Result<std::vector<FileConversionReport>> convert_series(const FileConversion& how,
                                                         const SourceInfo& info,
                                                         std::span<const SourceSelection> parts,
                                                         const std::filesystem::path& output,
                                                         const JobContext& context) {
  if (is_same_file(output, info.path.string())) {
    return Error{"is the image itself", output.string(), "choose another name"};
  }
  if (Status distinct = check_parts(info, parts); !distinct) return distinct.error();
  const OpenPart open = [&](const SourceSelection& part) -> Result<std::shared_ptr<SliceSource>> {
    auto source = open_slices(info, part);
    if (!source) return source.error();
    return std::shared_ptr<SliceSource>(*std::move(source));
  };
  return convert_series_to_file(how, parts, open, output, context);
}

}  // namespace aprscope
