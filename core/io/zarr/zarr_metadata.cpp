#include "core/io/zarr/zarr_metadata.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/io/zarr/zarr_store.hpp"

namespace aprscope {
namespace {

// The file behind a key, if there is one; or why it is not shown, which hides no other.
void add_file(const ZarrStore& store, const std::string& key, std::vector<MetadataPart>& parts) {
  const auto file = store.find(key);
  if (file && !*file) return;
  const auto part = file ? metadata_file(key, (*file)->path()) : file.error();
  parts.push_back(part ? *part : MetadataPart{key, "(not shown: " + part.error().message() + ")"});
}

}  // namespace

Result<std::vector<MetadataPart>> read_zarr_metadata(const SourceInfo& info,
                                                     const JobContext& context) {
  const auto store = ZarrStore::open(info.path);
  if (!store) return store.error();
  std::vector<MetadataPart> parts;
  std::string asked = info.dataset;
  asked.erase(0, asked.find_first_not_of('/'));
  std::vector<std::string> folders{""};
  for (std::size_t end = 0; end < asked.size();) {
    end = std::min(asked.find('/', end + 1), asked.size());
    folders.push_back(asked.substr(0, end));
  }
  for (const std::string& folder : folders) {
    if (context.stop_requested()) return cancelled_error();
    for (const char* name : {"zarr.json", ".zgroup", ".zattrs", ".zarray", "attributes.json"}) {
      add_file(*store, joined_key(folder, name), parts);
    }
  }
  add_file(*store, "OME/METADATA.ome.xml", parts);
  return parts;
}

}  // namespace aprscope
