#include "core/io/zarr/zarr_node.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/io/common/json_parser.hpp"
#include "core/io/zarr/zarr_json.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostMetadata = std::uint64_t{1} << 26;
constexpr JsonBounds kMetadataBounds{20000, 4096, std::size_t{1} << 24,
                                     "get the data again from its source"};

// Python writes NaN and Infinity as they are, which is no JSON: null takes their place.
void name_no_numbers(std::string& text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      quoted = !quoted;
    if (quoted || at >= text.size()) continue;
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (text.compare(at, word.size(), word) == 0) text.replace(at, word.size(), "null");
    }
  }
}

// Parsed metadata; nothing where there is no such file.
Result<std::optional<Json>> json_at(const ZarrStore& store, const std::string& key) {
  const auto bytes = store.read(key, kMostMetadata);
  if (!bytes) return bytes.error();
  if (!*bytes) return std::optional<Json>();
  std::string text(reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size());
  name_no_numbers(text);
  auto json = parse_json(text, (store.path() / key).string(), kMetadataBounds);
  if (!json) return json.error();
  if (!json->is_object()) {
    return Error{"is not metadata of an array or a group", (store.path() / key).string(),
                 "get the data again from its source"};
  }
  return std::optional<Json>(*std::move(json));
}

}  // namespace

Result<std::optional<ZarrNode>> zarr_node(const ZarrStore& store, const std::string& key) {
  using Found = std::optional<ZarrNode>;
  ZarrNode node;
  node.described_in = joined_key(key, "zarr.json");
  auto json = json_at(store, node.described_in);
  if (!json) return json.error();
  if (*json) {
    node.kind = ZarrKind::zarr3;
    node.is_array = text_of(member(**json, "node_type")) == "array";
    node.attributes = member(**json, "attributes");
    node.description = **std::move(json);
    return Found(std::move(node));
  }
  for (const char* name : {".zarray", ".zgroup"}) {
    node.described_in = joined_key(key, name);
    json = json_at(store, node.described_in);
    if (!json) return json.error();
    if (!*json) continue;
    node.kind = ZarrKind::zarr2;
    node.is_array = std::string_view(name) == ".zarray";
    node.description = **std::move(json);
    auto attributes = json_at(store, joined_key(key, ".zattrs"));
    if (!attributes) return attributes.error();
    if (*attributes) node.attributes = **std::move(attributes);
    return Found(std::move(node));
  }
  node.described_in = joined_key(key, "attributes.json");
  json = json_at(store, node.described_in);
  if (!json) return json.error();
  if (!*json) return Found();
  node.kind = ZarrKind::n5;
  node.is_array = (*json)->contains("dimensions") && (*json)->contains("blockSize");
  node.attributes = **json;
  node.description = **std::move(json);
  return Found(std::move(node));
}

}  // namespace aprscope
