#include "core/io/zarr/zarr_write.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/zarr/zarr_chunk_write.hpp"
#include "core/io/zarr/zarr_place.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The name of a unit in OME-NGFF; "" if it has none.
std::string ngff_unit(const std::string& unit) {
  const std::array<std::array<const char*, 2>, 7> names{{{"µm", "micrometer"},
                                                         {"nm", "nanometer"},
                                                         {"mm", "millimeter"},
                                                         {"cm", "centimeter"},
                                                         {"m", "meter"},
                                                         {"Å", "angstrom"},
                                                         {"inch", "inch"}}};
  for (const auto& [ours, theirs] : names) {
    if (unit == ours) return theirs;
  }
  return "";
}

// All that is written, except the pixels.
struct Facts {
  Size3 size;
  SampleKind kind = SampleKind::u8;
  VoxelSize voxel;
  std::array<double, 3> origin{0.0, 0.0, 0.0};
  std::string name;
  std::string channel;
};

struct Range {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
};

Json axes(const Facts& facts) {
  Json list = Json::array({{{"name", "c"}, {"type", "channel"}}});
  const std::string unit = ngff_unit(facts.voxel.unit);
  for (const char* name : {"z", "y", "x"}) {
    Json axis{{"name", name}, {"type", "space"}};
    if (!unit.empty()) axis["unit"] = unit;
    list.push_back(std::move(axis));
  }
  return list;
}

// How many pixels of the image one of a level covers in each dimension.
using Factors = std::array<double, 3>;

Json datasets(const Facts& facts, const std::vector<Factors>& levels) {
  Json list = Json::array();
  const std::array<double, 3> step{facts.voxel.z, facts.voxel.x, facts.voxel.y};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Json scale{1.0};
    Json place{0.0};
    for (std::size_t d = 0; d < 3; ++d) {
      scale.push_back(step[d] * levels[i][d]);
      // The centre of the first pixel is that of the pixels that it covers.
      place.push_back(facts.origin[d] + 0.5 * (levels[i][d] - 1.0) * step[d]);
    }
    list.push_back({{"path", std::to_string(i)},
                    {"coordinateTransformations",
                     {{{"type", "scale"}, {"scale", scale}},
                      {{"type", "translation"}, {"translation", place}}}}});
  }
  return list;
}

Json omero(const Facts& facts, const Range& found) {
  // Without a finite value the range stays empty: use 0 … 1.
  const Range range = found.low <= found.high ? found : Range{0.0, 1.0};
  const double most = facts.kind == SampleKind::u8    ? 255.0
                      : facts.kind == SampleKind::u16 ? 65535.0
                                                      : range.high;
  const double least = facts.kind == SampleKind::f32 ? range.low : 0.0;
  Json channel{
      {"active", true},
      {"coefficient", 1},
      {"color", "FFFFFF"},
      {"family", "linear"},
      {"inverted", false},
      {"label", facts.channel.empty() ? "0" : facts.channel},
      {"window", {{"start", range.low}, {"end", range.high}, {"min", least}, {"max", most}}}};
  return {
      {"name", facts.name},
      {"channels", Json::array({std::move(channel)})},
      {"rdefs", {{"defaultT", 0}, {"defaultZ", (facts.size.z - 1) / 2}, {"model", "greyscale"}}}};
}

// Says what the folder holds; last, as it takes the range of values.
Status write_group(const fs::path& folder, const Facts& facts, const std::vector<Factors>& levels,
                   const Range& range, OmeZarrVersion version) {
  Json multiscale{
      {"name", facts.name}, {"axes", axes(facts)}, {"datasets", datasets(facts, levels)}};
  multiscale["type"] = "mean";
  const auto write = [&](const char* name, const Json& json) {
    // Names of files need not be UTF-8.
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    return write_new_file(folder / name, text.data(), text.size());
  };
  if (version == OmeZarrVersion::v05) {
    return write("zarr.json", {{"zarr_format", 3},
                               {"node_type", "group"},
                               {"attributes",
                                {{"ome",
                                  {{"version", "0.5"},
                                   {"multiscales", Json::array({multiscale})},
                                   {"omero", omero(facts, range)}}}}}});
  }
  multiscale["version"] = "0.4";
  if (Status written = write(".zgroup", {{"zarr_format", 2}}); !written) return written;
  return write(".zattrs",
               {{"multiscales", Json::array({multiscale})}, {"omero", omero(facts, range)}});
}

// ---- samples

template <class T>
T stored(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    // NaN becomes 0.
    constexpr auto most = static_cast<float>(std::numeric_limits<T>::max());
    if (!(value > 0.0F)) return 0;
    return value >= most ? std::numeric_limits<T>::max() : static_cast<T>(std::lround(value));
  }
}

template <class T>
void widen(std::span<const T> values, Range& range) {
  for (const T value : values) {
    const auto v = static_cast<double>(value);
    if (!std::isfinite(v)) continue;
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
  }
}

// Gives slices [z, z + depth) of a level as samples of type T.
template <class T>
using Slab = std::function<Result<std::span<const T>>(std::int64_t z, std::int64_t depth)>;

template <class T>
Status write_level(const ZarrArrayPlan& plan, const Slab<T>& slab, Range* range,
                   const JobContext& context) {
  if (Status made = write_zarr_array(plan); !made) return made;
  for (std::int64_t z = 0; z < plan.size.z; z += kZarrChunk) {
    const std::int64_t depth = std::min(kZarrChunk, plan.size.z - z);
    const auto samples = slab(z, depth);
    if (!samples) return samples.error();
    if (range != nullptr) widen(*samples, *range);
    const auto part = [&](std::int64_t at) {
      return static_cast<double>(at) / static_cast<double>(plan.size.z);
    };
    Status written =
        write_zarr_slab(plan, z, depth, samples->data(), context.part(part(z), part(z + depth)));
    if (!written) return written;
  }
  return {};
}

// A level that is in memory as floats.
template <class T>
Slab<T> slab_of(const Pixels<float>& pixels, std::vector<T>& scratch) {
  return [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    const float* const from = pixels.values.data() + pixels.index(z, 0, 0);
    const auto count = static_cast<std::size_t>(depth * pixels.size.x * pixels.size.y);
    if constexpr (std::is_same_v<T, float>) {
      return std::span<const T>(from, count);
    } else {
      scratch.resize(count);
      std::transform(from, from + count, scratch.begin(), stored<T>);
      return std::span<const T>(scratch);
    }
  };
}

Size3 halved(const Size3& size) { return {(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2}; }

// Factors of the next level; a side of one pixel is not halved.
Factors halved(const Factors& factors, const Size3& size) {
  return {size.z > 1 ? 2.0 * factors[0] : factors[0], size.x > 1 ? 2.0 * factors[1] : factors[1],
          size.y > 1 ? 2.0 * factors[2] : factors[2]};
}

bool is_last(const Size3& size) { return std::max({size.z, size.x, size.y}) <= kZarrChunk; }

// Means of up to 2³ pixels.
template <class T>
Result<Pixels<float>> means(const Pixels<T>& fine, const fs::path& path,
                            const JobContext& context) {
  auto coarse = allocate_pixels<float>(halved(fine.size), path);
  if (!coarse) return coarse;
  const Size3& size = coarse->size;
  const bool done = parallel_items(
      size.z, threads_for(fine.size.count()), JobContext(context.stop_token()), "writing",
      [&](std::int64_t z, int) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            double sum = 0.0;
            int count = 0;
            for (std::int64_t i = 2 * z; i < std::min(2 * z + 2, fine.size.z); ++i) {
              for (std::int64_t j = 2 * x; j < std::min(2 * x + 2, fine.size.x); ++j) {
                for (std::int64_t k = 2 * y; k < std::min(2 * y + 2, fine.size.y); ++k) {
                  sum += static_cast<double>(fine.at(i, j, k));
                  ++count;
                }
              }
            }
            coarse->at(z, x, y) = static_cast<float>(sum / count);
          }
        }
      });
  if (!done) return cancelled_error();
  return coarse;
}

// The share of the work that is done before level `i`: each has an eighth of the pixels.
double share_before(std::size_t i) { return 1.0 - std::pow(0.125, static_cast<double>(i)); }

ZarrArrayPlan plan_of(const fs::path& folder, std::size_t level, const Size3& size, SampleKind kind,
                      OmeZarrVersion version) {
  return {folder / std::to_string(level), size, kind, version == OmeZarrVersion::v05};
}

template <class T>
Status write_volume(const Pixels<T>& pixels, const Facts& facts, const fs::path& folder,
                    OmeZarrVersion version, const JobContext& context) {
  Range range;
  const Slab<T> all = [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    return std::span<const T>(pixels.values.data() + pixels.index(z, 0, 0),
                              static_cast<std::size_t>(depth * pixels.size.x * pixels.size.y));
  };
  Status written = write_level(plan_of(folder, 0, facts.size, facts.kind, version), all, &range,
                               context.part(0.0, share_before(1)));
  if (!written) return written;
  std::vector<Factors> levels{{1.0, 1.0, 1.0}};
  Pixels<float> level;
  std::vector<T> scratch;
  for (Size3 size = facts.size; !is_last(size); size = level.size) {
    auto coarse =
        levels.size() == 1 ? means(pixels, folder, context) : means(level, folder, context);
    if (!coarse) return coarse.error();
    level = *std::move(coarse);
    const std::size_t i = levels.size();
    levels.push_back(halved(levels.back(), size));
    written =
        write_level<T>(plan_of(folder, i, level.size, facts.kind, version), slab_of(level, scratch),
                       nullptr, context.part(share_before(i), share_before(i + 1)));
    if (!written) return written;
  }
  return write_group(folder, facts, levels, range, version);
}

template <class T>
Status write_particles(const AprAccess& access, std::span<const float> values, const Facts& facts,
                       const fs::path& folder, OmeZarrVersion version, const JobContext& context) {
  Range range;
  Pixels<float> painted;
  std::vector<T> scratch;
  const JobContext quiet(context.stop_token());
  const Slab<T> all = [&](std::int64_t z, std::int64_t depth) -> Result<std::span<const T>> {
    const Region region{{z, 0, 0}, {z + depth, facts.size.x, facts.size.y}};
    auto part = reconstruct(access, values, ReconstructionMode::constant, region, quiet);
    if (!part) return part.error();
    painted = *std::move(part);
    return slab_of(painted, scratch)(0, depth);
  };
  Status written = write_level(plan_of(folder, 0, facts.size, facts.kind, version), all, &range,
                               context.part(0.0, share_before(1)));
  if (!written) return written;
  std::vector<Factors> levels{{1.0, 1.0, 1.0}};
  std::vector<float> tree;
  Size3 size = facts.size;
  for (int level = access.level_max() - 1; level >= 1 && !is_last(size); --level) {
    if (tree.empty()) {
      if (Status filled = fill_tree(access, values, Reduction::mean, tree, quiet); !filled) {
        return filled;
      }
    }
    auto pixels = reconstruct_at_level(access, values, tree, level, quiet);
    if (!pixels) return pixels.error();
    const std::size_t i = levels.size();
    levels.push_back(halved(levels.back(), size));
    size = pixels->size;
    written =
        write_level<T>(plan_of(folder, i, size, facts.kind, version), slab_of(*pixels, scratch),
                       nullptr, context.part(share_before(i), share_before(i + 1)));
    if (!written) return written;
  }
  return write_group(folder, facts, levels, range, version);
}

}  // namespace

bool is_zarr_name(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending == ".zarr";
}

Status write_ome_zarr(const Volume& volume, const fs::path& path, OmeZarrVersion version,
                      const JobContext& context) {
  const auto kind = static_cast<SampleKind>(volume.pixels.index());
  const Facts facts{volume.size(), kind, volume.voxel, volume.origin, volume.name, volume.channel};
  return make_zarr_folder(path, [&](const fs::path& folder) {
    return std::visit(
        [&](const auto& pixels) { return write_volume(pixels, facts, folder, version, context); },
        volume.pixels);
  });
}

Status write_ome_zarr(const Apr& apr, const fs::path& path, OmeZarrVersion version,
                      const JobContext& context) {
  const auto field = apr.main_field();
  if (!field) {
    return Error{"has particles without values", path.string(), "choose data that have some"};
  }
  const std::string dtype = field->dtype();
  const SampleKind kind = dtype == "u8"    ? SampleKind::u8
                          : dtype == "u16" ? SampleKind::u16
                                           : SampleKind::f32;
  const std::vector<float> values = field->to_float();
  const Facts facts{apr.access->size(), kind, apr.voxel, {}, apr.name, apr.channel};
  return make_zarr_folder(path, [&](const fs::path& folder) {
    const auto write = [&]<class T>(T) {
      return write_particles<T>(*apr.access, values, facts, folder, version, context);
    };
    return kind == SampleKind::u8    ? write(std::uint8_t{})
           : kind == SampleKind::u16 ? write(std::uint16_t{})
                                     : write(float{});
  });
}

}  // namespace aprscope
