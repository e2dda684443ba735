#include "core/io/imaris/imaris_metadata.hpp"

#include <utility>

#include "core/io/hdf5/hdf5_metadata.hpp"
#include "core/io/imaris/imaris_file.hpp"

namespace aprscope {
namespace {

// More groups are no description of an image; each takes a question.
constexpr std::size_t kMostGroups = 10000;

}  // namespace

Result<std::vector<MetadataPart>> read_imaris_metadata(const SourceInfo& info,
                                                       const JobContext& context) {
  const auto reader = Hdf5Reader::open(info.path, context.stop_token());
  if (!reader) return reader.error();
  const auto file = read_imaris(*reader, info.dataset);
  if (!file) return file.error();
  const Hdf5Object description{*reader, file->description};
  std::vector<Hdf5Object> objects{{*reader, ""}};
  const auto kind = (*reader)->kind(description.path);
  if (!kind) return kind.error();
  if (*kind == Hdf5ObjectKind::group) {
    objects.push_back(description);
    const auto children = (*reader)->children(description.path);
    if (!children) return children.error();
    for (const Hdf5Child& child : *children) {
      if (objects.size() > kMostGroups) break;
      if (child.kind == Hdf5ObjectKind::group) objects.push_back(description.child(child.name));
    }
  }
  auto text = spelled_attributes(objects);
  if (!text) return text.error();
  return std::vector<MetadataPart>{{"Attributes", *std::move(text)}};
}

}  // namespace aprscope
