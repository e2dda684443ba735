#include "core/io/zarr/zarr_chunk_write.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <vector>

#include <blosc.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/base/parallel.hpp"
#include "core/base/temporary.hpp"
#include "core/io/zarr/zarr_codec.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

// Fast, and within a few per cent of what higher levels reach on images.
constexpr int kLevel = 3;
// Chunks of a shard in x and y; of z one, so that a shard is written when its slices are there.
constexpr std::int64_t kShard = 8;

Error disk_error(const fs::path& path, int code) {
  return {std::string("cannot be written (") + std::strerror(code) + ")", path.string(),
          "free some space or choose another folder"};
}

Status make_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return disk_error(path, code.value());
  return {};
}

const char* dtype_2(SampleKind kind) {
  return kind == SampleKind::u8 ? "|u1" : kind == SampleKind::u16 ? "<u2" : "<f4";
}
const char* dtype_3(SampleKind kind) {
  return kind == SampleKind::u8 ? "uint8" : kind == SampleKind::u16 ? "uint16" : "float32";
}

// Sizes along the axes of an array: `z`, `x` and `y` after one for each other axis that it has.
Json extents(const ZarrArrayPlan& plan, std::int64_t times, std::int64_t channels, const Size3& s) {
  Json list = Json::array();
  if (plan.times > 1) list.push_back(times);
  for (const std::int64_t n : {channels, s.z, s.x, s.y}) list.push_back(n);
  return list;
}

Json description(const ZarrArrayPlan& plan) {
  const Json shape = extents(plan, plan.times, plan.channels, plan.size);
  const Json chunk = extents(plan, 1, 1, {kZarrChunk, kZarrChunk, kZarrChunk});
  if (!plan.sharded) {
    return {{"zarr_format", 2},
            {"shape", shape},
            {"chunks", chunk},
            {"dtype", dtype_2(plan.kind)},
            {"compressor",
             {{"id", "blosc"},
              {"cname", "zstd"},
              {"clevel", kLevel},
              {"shuffle", BLOSC_SHUFFLE},
              {"blocksize", 0}}},
            {"fill_value", 0},
            {"order", "C"},
            {"filters", nullptr},
            {"dimension_separator", "/"}};
  }
  const Json bytes{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}};
  // Samples of one byte have no order of bytes.
  const Json plain = plan.kind == SampleKind::u8 ? Json{{"name", "bytes"}} : bytes;
  const Json blosc{{"name", "blosc"},
                   {"configuration",
                    {{"cname", "zstd"},
                     {"clevel", kLevel},
                     {"shuffle", "shuffle"},
                     {"typesize", sample_bytes(plan.kind)},
                     {"blocksize", 0}}}};
  const Json shards{{"name", "sharding_indexed"},
                    {"configuration",
                     {{"chunk_shape", chunk},
                      {"codecs", Json::array({plain, blosc})},
                      {"index_codecs", Json::array({bytes, Json{{"name", "crc32c"}}})},
                      {"index_location", "end"}}}};
  const Json shard = extents(plan, 1, 1, {kZarrChunk, kShard * kZarrChunk, kShard * kZarrChunk});
  Json names{"c", "z", "y", "x"};
  if (plan.times > 1) names.insert(names.begin(), "t");
  return {{"zarr_format", 3},
          {"node_type", "array"},
          {"shape", shape},
          {"data_type", dtype_3(plan.kind)},
          {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", shard}}}}},
          {"chunk_key_encoding", {{"name", "default"}, {"configuration", {{"separator", "/"}}}}},
          {"fill_value", 0},
          {"codecs", Json::array({shards})},
          {"attributes", Json::object()},
          {"dimension_names", names}};
}

// Buffers of a thread.
struct Scratch {
  Bytes plain;
  Bytes packed;
};

// The chunk whose first pixel is (x, y), packed into scratch.packed; false where it is all zeros.
Result<bool> pack(const ZarrArrayPlan& plan, std::int64_t depth, const std::uint8_t* samples,
                  std::int64_t x, std::int64_t y, Scratch& scratch) {
  const std::size_t sample = sample_bytes(plan.kind);
  const auto side = static_cast<std::size_t>(kZarrChunk);
  // Samples beyond the image are zero.
  scratch.plain.assign(side * side * side * sample, 0);
  const std::int64_t rows = std::min(kZarrChunk, plan.size.x - x);
  const std::size_t run = static_cast<std::size_t>(std::min(kZarrChunk, plan.size.y - y)) * sample;
  for (std::int64_t i = 0; i < depth; ++i) {
    for (std::int64_t j = 0; j < rows; ++j) {
      const auto from = static_cast<std::size_t>((i * plan.size.x + x + j) * plan.size.y + y);
      const auto to = static_cast<std::size_t>((i * kZarrChunk + j) * kZarrChunk);
      std::memcpy(scratch.plain.data() + to * sample, samples + from * sample, run);
    }
  }
  const bool zeros = std::all_of(scratch.plain.begin(), scratch.plain.end(),
                                 [](std::uint8_t byte) { return byte == 0; });
  if (zeros) return false;
  scratch.packed.resize(scratch.plain.size() + BLOSC_MAX_OVERHEAD);
  const int count =
      blosc_compress_ctx(kLevel, BLOSC_SHUFFLE, sample, scratch.plain.size(), scratch.plain.data(),
                         scratch.packed.data(), scratch.packed.size(), "zstd", 0, 1);
  if (count <= 0) {
    return Error{"cannot be packed (blosc, " + std::to_string(count) + ")", plan.folder.string(),
                 "free some memory and try again"};
  }
  scratch.packed.resize(static_cast<std::size_t>(count));
  return true;
}

void put_u64(Bytes& out, std::uint64_t value) {
  for (unsigned i = 0; i < 8; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

// The folder of the chunks of a channel and time point.
fs::path folder_of(const ZarrArrayPlan& plan, const ZarrPlace& place) {
  fs::path folder = plan.sharded ? plan.folder / "c" : plan.folder;
  if (plan.times > 1) folder /= std::to_string(place.time);
  return folder / std::to_string(place.channel);
}

// Writes one file below `folder`: a chunk, or the chunks of a shard followed by the index of where
// they are.
Status write_item(const ZarrArrayPlan& plan, const fs::path& folder, std::int64_t z,
                  std::int64_t depth, const std::uint8_t* samples, std::int64_t row,
                  std::int64_t column, Scratch& scratch) {
  const fs::path path =
      folder / std::to_string(z / kZarrChunk) / std::to_string(row) / std::to_string(column);
  if (!plan.sharded) {
    const auto any = pack(plan, depth, samples, row * kZarrChunk, column * kZarrChunk, scratch);
    if (!any) return any.error();
    if (!*any) return {};
    if (Status made = make_folder(path.parent_path()); !made) return made;
    return write_new_file(path, scratch.packed.data(), scratch.packed.size());
  }
  Bytes file;
  Bytes list;
  for (std::int64_t i = 0; i < kShard * kShard; ++i) {
    const std::int64_t x = (row * kShard + i / kShard) * kZarrChunk;
    const std::int64_t y = (column * kShard + i % kShard) * kZarrChunk;
    bool any = false;
    if (x < plan.size.x && y < plan.size.y) {
      const auto packed = pack(plan, depth, samples, x, y, scratch);
      if (!packed) return packed.error();
      any = *packed;
    }
    constexpr std::uint64_t nowhere = UINT64_MAX;
    put_u64(list, any ? file.size() : nowhere);
    put_u64(list, any ? scratch.packed.size() : nowhere);
    if (any) file.insert(file.end(), scratch.packed.begin(), scratch.packed.end());
  }
  if (file.empty()) return {};
  const std::uint32_t sum = crc32c(list);
  file.insert(file.end(), list.begin(), list.end());
  for (unsigned i = 0; i < 4; ++i) file.push_back(static_cast<std::uint8_t>(sum >> (8 * i)));
  if (Status made = make_folder(path.parent_path()); !made) return made;
  return write_new_file(path, file.data(), file.size());
}

}  // namespace

Status write_new_file(const fs::path& path, const void* bytes, std::size_t count) {
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file) return disk_error(path, errno);
  const auto* at = static_cast<const std::uint8_t*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(file.get(), at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return disk_error(path, written < 0 ? errno : ENOSPC);
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return {};
}

Status write_zarr_array(const ZarrArrayPlan& plan) {
  if (Status made = make_folder(plan.folder); !made) return made;
  const std::string text = description(plan).dump(2) + "\n";
  return write_new_file(plan.folder / (plan.sharded ? "zarr.json" : ".zarray"), text.data(),
                        text.size());
}

Status write_zarr_slab(const ZarrArrayPlan& plan, const ZarrPlace& place, std::int64_t z,
                       std::int64_t depth, const void* samples, const JobContext& context) {
  const fs::path folder = folder_of(plan, place);
  const std::int64_t side = plan.sharded ? kShard * kZarrChunk : kZarrChunk;
  const std::int64_t columns = (plan.size.y + side - 1) / side;
  const std::int64_t count = (plan.size.x + side - 1) / side * columns;
  const int threads = threads_for(depth * plan.size.x * plan.size.y);
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads));
  std::mutex mutex;
  std::optional<Error> problem;
  const bool done = parallel_items(count, threads, context, "writing", [&](std::int64_t i, int t) {
    {
      const std::lock_guard lock(mutex);
      if (problem) return;
    }
    Status written = write_item(plan, folder, z, depth, static_cast<const std::uint8_t*>(samples),
                                i / columns, i % columns, scratch[static_cast<std::size_t>(t)]);
    if (written) return;
    const std::lock_guard lock(mutex);
    if (!problem) problem = written.error();
  });
  if (problem) return *problem;
  return done ? Status() : cancelled_error();
}

}  // namespace aprscope
