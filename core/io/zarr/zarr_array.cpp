#include "core/io/zarr/zarr_array.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "core/base/printable.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/io/zarr/zarr_json.hpp"
#include "core/io/zarr/zarr_types.hpp"

namespace aprscope {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDimensions = 32;
constexpr std::int64_t kMostChunkBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMostChunksOfShard = std::int64_t{1} << 20;
constexpr std::int64_t kUsualChunkBytes = std::int64_t{1} << 26;

// For sentences: whatever a file says, in printable characters and not too long.
std::string quoted(const std::string& text) { return "\"" + printable(text.substr(0, 40)) + "\""; }

struct Reader {
  const ZarrStore& store;
  const std::string& key;

  [[nodiscard]] std::string where() const {
    return (key.empty() ? store.path() : store.path() / key).string();
  }
  [[nodiscard]] Error damaged(const std::string& what) const {
    return {"has metadata that cannot be used: " + what, where(),
            "get the data again from its source"};
  }
  [[nodiscard]] Error unsupported(const std::string& what) const {
    return {what + ", which is not supported", where(), "save it as uncompressed or zstd OME-Zarr"};
  }
};

std::vector<std::string> names_of(const Json& json, std::size_t rank) {
  std::vector<std::string> names(rank);
  if (!json.is_array() || json.size() != rank) return names;
  for (std::size_t i = 0; i < rank; ++i) names[i] = text_of(json[i]);
  return names;
}

// ---- Zarr 2

Result<ZarrArray> array_2(const Reader& at, const ZarrNode& node) {
  const Json& json = node.description;
  ZarrArray array;
  array.kind = ZarrKind::zarr2;
  const auto shape = extents(json, "shape", 0);
  const auto chunk = shape ? extents(json, "chunks", shape->size()) : std::nullopt;
  if (!shape || !chunk) return at.damaged("shape and chunks are not lists of sizes");
  array.shape = *shape;
  array.chunk = *chunk;

  const std::string dtype = text_of(member(json, "dtype"));
  const bool known = dtype.size() == 3 && dtype[2] >= '1' && dtype[2] <= '8' &&
                     (dtype[0] == '<' || dtype[0] == '>' || dtype[0] == '|');
  const auto type = known ? zarr_type_of_letters(dtype[1], dtype[2] - '0') : std::nullopt;
  if (!type) return at.unsupported("has values of type " + quoted(dtype));
  array.type = *type;
  array.big_endian = dtype[0] == '>';

  const Json& filters = member(json, "filters");
  if (filters.is_array() && !filters.empty()) {
    return at.unsupported("has the filter " + quoted(text_of(member(filters.front(), "id"))));
  }
  const Json& compressor = member(json, "compressor");
  if (!compressor.is_null()) {
    const std::string id = text_of(member(compressor, "id"));
    const auto codec = zarr_codec(id);
    if (!codec || *codec == ZarrCodec::crc32c) {
      return at.unsupported("is compressed with " + quoted(id));
    }
    array.codecs = {*codec};
  }
  const std::string order = text_of(member(json, "order"));
  array.order.resize(array.shape.size());
  std::iota(array.order.begin(), array.order.end(), 0);
  if (order == "F") std::reverse(array.order.begin(), array.order.end());

  const auto fill = zarr_fill(member(json, "fill_value"), array.type);
  if (!fill) return at.damaged("the fill value is no value of its type");
  array.fill = *fill;
  array.separator = text_of(member(json, "dimension_separator")) == "/" ? '/' : '.';
  array.dimension_names = names_of(member(node.attributes, "_ARRAY_DIMENSIONS"), shape->size());
  return array;
}

// ---- Zarr 3

// What a list of codecs makes of a chunk of `rank` dimensions.
struct Pipeline {
  std::vector<int> order;
  bool big_endian = false;
  std::vector<ZarrCodec> codecs;
  // The configuration of shards, where there are some.
  const Json* shards = nullptr;
};

bool is_permutation_of(const std::vector<int>& order) {
  std::vector<bool> seen(order.size());
  for (const int d : order) {
    if (d < 0 || d >= static_cast<int>(order.size()) || seen[static_cast<std::size_t>(d)]) {
      return false;
    }
    seen[static_cast<std::size_t>(d)] = true;
  }
  return true;
}

// The dimensions that `configuration` names, slowest first.
std::optional<std::vector<int>> transposed(const Json& configuration, std::size_t rank) {
  const Json& json = member(configuration, "order");
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (json.is_string()) {
    if (text_of(json) == "F") std::reverse(order.begin(), order.end());
    return order;
  }
  if (!json.is_array() || json.size() != rank) return {};
  for (std::size_t i = 0; i < rank; ++i) {
    const auto d = whole_number(json[i]);
    if (!d || *d < 0 || *d >= static_cast<std::int64_t>(rank)) return {};
    order[i] = static_cast<int>(*d);
  }
  if (!is_permutation_of(order)) return {};
  return order;
}

Result<Pipeline> pipeline_of(const Reader& at, const Json& list, std::size_t rank) {
  if (!list.is_array() || list.empty() || list.size() > 16) {
    return at.damaged("codecs are no list");
  }
  Pipeline made;
  made.order.resize(rank);
  std::iota(made.order.begin(), made.order.end(), 0);
  bool to_bytes = false;
  for (const Json& codec : list) {
    const std::string name = codec.is_string() ? text_of(codec) : text_of(member(codec, "name"));
    const Json& configuration = member(codec, "configuration");
    if (name == "transpose" && !to_bytes) {
      const auto order = transposed(configuration, rank);
      if (!order) return at.damaged("transpose names no order of dimensions");
      std::vector<int> composed(rank);
      for (std::size_t i = 0; i < rank; ++i) {
        composed[i] = made.order[static_cast<std::size_t>((*order)[i])];
      }
      made.order = composed;
    } else if (name == "bytes" && !to_bytes) {
      made.big_endian = text_of(member(configuration, "endian")) == "big";
      to_bytes = true;
    } else if (name == "sharding_indexed" && !to_bytes) {
      made.shards = &configuration;
      to_bytes = true;
    } else if (const auto known = zarr_codec(name); known && to_bytes) {
      made.codecs.push_back(*known);
    } else {
      return at.unsupported("is packed with the codec " + quoted(name));
    }
  }
  if (!to_bytes) return at.damaged("no codec makes bytes");
  return made;
}

// Chunks inside of shards: where the lists of them are, and what packs them.
Status take_shards(const Reader& at, const Pipeline& outer, ZarrArray& array) {
  const std::size_t rank = array.shape.size();
  if (!outer.codecs.empty() || !std::is_sorted(outer.order.begin(), outer.order.end())) {
    return at.unsupported("packs its shards as a whole");
  }
  const auto chunk = extents(*outer.shards, "chunk_shape", rank);
  if (!chunk) return at.damaged("shards name no size of chunks");
  ZarrShards shards;
  for (std::size_t d = 0; d < rank; ++d) {
    if (array.chunk[d] % (*chunk)[d] != 0) return at.damaged("chunks do not fill their shards");
    shards.chunks.push_back(array.chunk[d] / (*chunk)[d]);
  }
  array.chunk = *chunk;
  const auto list = pipeline_of(at, member(*outer.shards, "index_codecs"), rank + 1);
  if (!list) return list.error();
  shards.list_has_checksum = list->codecs == std::vector{ZarrCodec::crc32c};
  if (list->big_endian || list->shards != nullptr ||
      !std::is_sorted(list->order.begin(), list->order.end()) ||
      (!list->codecs.empty() && !shards.list_has_checksum)) {
    return at.unsupported("packs the lists of its shards in an unusual way");
  }
  const std::string place = text_of(member(*outer.shards, "index_location"));
  if (!place.empty() && place != "start" && place != "end") {
    return at.damaged("the list of a shard is neither at its start nor at its end");
  }
  shards.list_at_end = place != "start";
  array.shards = std::move(shards);
  return {};
}

Result<ZarrArray> array_3(const Reader& at, const ZarrNode& node) {
  const Json& json = node.description;
  ZarrArray array;
  array.kind = ZarrKind::zarr3;
  const auto shape = extents(json, "shape", 0);
  if (!shape) return at.damaged("the shape is no list of sizes");
  const std::size_t rank = shape->size();
  array.shape = *shape;
  const Json& grid = member(json, "chunk_grid");
  if (text_of(member(grid, "name")) != "regular") {
    return at.unsupported("has chunks of the kind " + quoted(text_of(member(grid, "name"))));
  }
  const auto chunk = extents(member(grid, "configuration"), "chunk_shape", rank);
  if (!chunk) return at.damaged("chunks have no size");
  array.chunk = *chunk;

  const Json& data_type = member(json, "data_type");
  const std::string type_name =
      data_type.is_string() ? text_of(data_type) : text_of(member(data_type, "name"));
  const auto type = zarr_type_of_name(type_name);
  if (!type) return at.unsupported("has values of type " + quoted(type_name));
  array.type = *type;

  const Json& transformers = member(json, "storage_transformers");
  if (transformers.is_array() && !transformers.empty()) {
    return at.unsupported("has the storage transformer " +
                          quoted(text_of(member(transformers.front(), "name"))));
  }
  auto outer = pipeline_of(at, member(json, "codecs"), rank);
  if (!outer) return outer.error();
  if (outer->shards != nullptr) {
    if (Status taken = take_shards(at, *outer, array); !taken) return taken.error();
    auto inner = pipeline_of(at, member(*outer->shards, "codecs"), rank);
    if (!inner) return inner.error();
    if (inner->shards != nullptr) return at.unsupported("has shards inside of shards");
    outer = std::move(inner);
  }
  array.order = outer->order;
  array.big_endian = outer->big_endian;
  array.codecs = outer->codecs;

  const auto fill = zarr_fill(member(json, "fill_value"), array.type);
  if (!fill) return at.damaged("the fill value is no value of its type");
  array.fill = *fill;
  const Json& keys = member(json, "chunk_key_encoding");
  const std::string encoding = text_of(member(keys, "name"));
  const std::string separator = text_of(member(member(keys, "configuration"), "separator"));
  if (encoding != "default" && encoding != "v2") {
    return at.unsupported("names its chunks in the way " + quoted(encoding));
  }
  array.prefixed = encoding == "default";
  array.separator = separator.empty() ? (array.prefixed ? '/' : '.') : separator[0];
  array.dimension_names = names_of(member(json, "dimension_names"), rank);
  return array;
}

// ---- N5

Result<ZarrArray> array_n5(const Reader& at, const ZarrNode& node) {
  const Json& json = node.description;
  ZarrArray array;
  array.kind = ZarrKind::n5;
  auto shape = extents(json, "dimensions", 0);
  auto chunk = shape ? extents(json, "blockSize", shape->size()) : std::nullopt;
  if (!shape || !chunk) return at.damaged("dimensions and blockSize are not lists of sizes");
  const std::size_t rank = shape->size();
  std::reverse(shape->begin(), shape->end());
  std::reverse(chunk->begin(), chunk->end());
  array.shape = *shape;
  array.chunk = *chunk;
  const std::string name = text_of(member(json, "dataType"));
  const auto type = zarr_type_of_name(name);
  if (!type || name == "bool") return at.unsupported("has values of type " + quoted(name));
  array.type = *type;
  array.big_endian = true;
  // Older files name the kind alone.
  const Json& compression = member(json, "compression");
  const std::string kind = compression.is_object()   ? text_of(member(compression, "type"))
                           : compression.is_string() ? text_of(compression)
                                                     : text_of(member(json, "compressionType"));
  if (!kind.empty() && kind != "raw") {
    const auto codec = n5_codec(kind);
    if (!codec) return at.unsupported("is compressed with " + quoted(kind));
    array.codecs = {*codec};
  }
  array.order.resize(rank);
  std::iota(array.order.begin(), array.order.end(), 0);
  array.fill = std::vector<std::uint8_t>(array.sample_bytes(), 0);
  array.separator = '/';
  array.dimension_names = names_of(member(json, "axes"), rank);
  std::reverse(array.dimension_names.begin(), array.dimension_names.end());
  return array;
}

}  // namespace

std::size_t ZarrArray::chunk_bytes() const {
  std::size_t bytes = sample_bytes();
  for (const std::int64_t side : chunk) bytes *= static_cast<std::size_t>(side);
  return bytes;
}

std::optional<std::vector<std::int64_t>> extents(const Json& object, const char* name,
                                                 std::size_t rank) {
  const Json& list = member(object, name);
  if (!list.is_array() || list.empty() || list.size() > kMostDimensions ||
      (rank != 0 && list.size() != rank)) {
    return {};
  }
  std::vector<std::int64_t> sizes;
  for (const Json& item : list) {
    const auto size = whole_number(item);
    if (!size || *size < 1) return {};
    sizes.push_back(*size);
  }
  return sizes;
}

Result<ZarrArray> zarr_array(const ZarrStore& store, const std::string& key, const ZarrNode& node) {
  const Reader at{store, key};
  auto array = node.kind == ZarrKind::zarr2   ? array_2(at, node)
               : node.kind == ZarrKind::zarr3 ? array_3(at, node)
                                              : array_n5(at, node);
  if (!array) return array;
  array->key = key;
  std::int64_t bytes = static_cast<std::int64_t>(array->sample_bytes());
  for (const std::int64_t side : array->chunk) {
    if (side > kMostChunkBytes / bytes) {
      return at.unsupported("has chunks of more than 1 GiB");
    }
    bytes *= side;
  }
  // Memory is taken for whole chunks, whatever part of them the image is.
  double excess = 1.0;
  for (std::size_t d = 0; d < array->shape.size(); ++d) {
    excess *=
        std::max(1.0, static_cast<double>(array->chunk[d]) / static_cast<double>(array->shape[d]));
  }
  if (bytes > kUsualChunkBytes && excess > 8.0) {
    return at.unsupported("has chunks that are far larger than the image");
  }
  if (array->shards) {
    std::int64_t chunks = 1;
    for (const std::int64_t count : array->shards->chunks) {
      if (count > kMostChunksOfShard / chunks) {
        return at.unsupported("has more than a million chunks in a shard");
      }
      chunks *= count;
    }
  }
  return array;
}

}  // namespace aprscope
