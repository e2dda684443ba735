#include "core/io/original_metadata.hpp"

#include <utility>

#include "core/io/common/guarded.hpp"
#include "core/io/formats.hpp"

namespace aprscope {

Result<std::vector<MetadataPart>> original_metadata(const SourceInfo& info,
                                                    const JobContext& context) {
  using Parts = std::vector<MetadataPart>;
  return guarded(info.path.string(), [&]() -> Result<Parts> {
    const Format* const format = format_by_id(info.format_id);
    if (format == nullptr) {
      return Error{"is of no known format", info.path.string(), "open the file again"};
    }
    if (!format->metadata) return Parts();
    auto raw = format->metadata(info, context);
    if (!raw) return raw.error();
    Parts shown;
    std::size_t left = kMostMetadata;
    for (MetadataPart& part : *raw) {
      if (part.text.empty()) continue;
      shown.push_back(shown_metadata(std::move(part), left));
      left -= shown.back().text.size();
    }
    return shown;
  });
}

}  // namespace aprscope
