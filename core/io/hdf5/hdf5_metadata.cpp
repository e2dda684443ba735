#include "core/io/hdf5/hdf5_metadata.hpp"

#include <algorithm>
#include <utility>

#include "core/io/hdf5/hdf5_attributes.hpp"

namespace aprscope {
namespace {

std::string heading(const Hdf5Object& object) {
  return "[" + (object.path.empty() ? "/" : object.path) + "]\n";
}

std::string line_of(const Hdf5Object& object, const std::string& name) {
  const auto value = read_spelled_attribute(object, name.c_str());
  return name + " = " + value.value_or("(not shown: a long list, or of a kind that is not read)") +
         "\n";
}

}  // namespace

Result<std::string> spelled_attributes(const std::vector<Hdf5Object>& objects) {
  std::string text;
  for (const Hdf5Object& object : objects) {
    if (object.reader->stop().stop_requested()) return cancelled_error();
    if (text.size() > kMostMetadata) break;
    const auto names = object.reader->attribute_names(object.path);
    if (!names) {
      // Too many attributes, or damaged ones, of one object do not hide those of others.
      if (const auto root = object.reader->kind("/"); !root) return root.error();
      text += (text.empty() ? "" : "\n") + heading(object) + "(" + names.error().what + ")\n";
      continue;
    }
    if (names->empty()) continue;
    text += (text.empty() ? "" : "\n") + heading(object);
    for (const std::string& name : *names) text += line_of(object, name);
    // Long lists are not spelled, but are kept.
    object.reader->forget_attributes(object.path);
  }
  return text;
}

Result<std::vector<MetadataPart>> read_hdf5_metadata(const SourceInfo& info,
                                                     const JobContext& context) {
  const auto reader = Hdf5Reader::open(info.path, context.stop_token());
  if (!reader) return reader.error();
  std::vector<Hdf5Object> objects{{*reader, ""}};
  for (std::size_t end = 0; end < info.dataset.size();) {
    end = std::min(info.dataset.find('/', end + 1), info.dataset.size());
    objects.push_back({*reader, info.dataset.substr(0, end)});
  }
  auto text = spelled_attributes(objects);
  if (!text) return text.error();
  return std::vector<MetadataPart>{{"Attributes", *std::move(text)}};
}

}  // namespace aprscope
