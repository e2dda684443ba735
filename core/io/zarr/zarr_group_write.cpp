#include "core/io/zarr/zarr_group_write.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/io/zarr/zarr_chunk_write.hpp"

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

Json axes(const ZarrFacts& facts) {
  Json list = Json::array();
  if (facts.series.times > 1) {
    Json time{{"name", "t"}, {"type", "time"}};
    if (facts.series.seconds) time["unit"] = "second";
    list.push_back(std::move(time));
  }
  list.push_back({{"name", "c"}, {"type", "channel"}});
  const std::string unit = ngff_unit(facts.voxel.unit);
  for (const char* name : {"z", "y", "x"}) {
    Json axis{{"name", name}, {"type", "space"}};
    if (!unit.empty()) axis["unit"] = unit;
    list.push_back(std::move(axis));
  }
  return list;
}

Json datasets(const ZarrFacts& facts, const std::vector<ZarrFactors>& levels) {
  Json list = Json::array();
  const std::array<double, 3> step{facts.voxel.z, facts.voxel.x, facts.voxel.y};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Json scale = Json::array();
    Json place = Json::array();
    if (facts.series.times > 1) {
      scale.push_back(facts.series.seconds.value_or(1.0));
      place.push_back(0.0);
    }
    scale.push_back(1.0);
    place.push_back(0.0);
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

double largest_of(SampleKind kind) { return kind == SampleKind::u8 ? 255.0 : 65535.0; }

// What is drawn darkest and brightest: programs divide by their difference, so that it is not 0.
std::array<double, 2> shown_values(const ZarrFacts& facts, const ZarrRange& found) {
  if (found.low > found.high) return {0.0, 1.0};
  if (found.low < found.high) return {found.low, found.high};
  if (facts.kind == SampleKind::f32) {
    return {found.low, found.low + std::max(1.0, std::abs(found.low))};
  }
  const double high = std::min(found.low + 1.0, largest_of(facts.kind));
  return {high - 1.0, high};
}

Json window(const ZarrFacts& facts, std::size_t c) {
  const ZarrRange& found = facts.ranges[c];
  const std::array<double, 2> shown =
      facts.series.channels[c].look.window.value_or(shown_values(facts, found));
  std::array<double, 2> all = facts.kind == SampleKind::f32
                                  ? shown_values(facts, found)
                                  : std::array<double, 2>{0.0, largest_of(facts.kind)};
  // What is shown lies in what can be chosen.
  all = {std::min(all[0], shown[0]), std::max(all[1], shown[1])};
  return {{"start", shown[0]}, {"end", shown[1]}, {"min", all[0]}, {"max", all[1]}};
}

std::string hex(const Rgb& colour) {
  std::string text;
  for (const std::uint8_t part : colour) {
    for (const int digit : {part / 16, part % 16}) text += "0123456789ABCDEF"[digit];
  }
  return text;
}

Json omero(const ZarrFacts& facts) {
  Json channels = Json::array();
  const std::size_t count = facts.series.channels.size();
  for (std::size_t c = 0; c < count; ++c) {
    const OmeZarrChannel& channel = facts.series.channels[c];
    const Rgb usual = count == 1 ? Rgb{255, 255, 255} : channel_colour(channel.name, c);
    channels.push_back({{"active", channel.active},
                        {"coefficient", 1},
                        {"color", hex(channel.look.colour.value_or(usual))},
                        {"family", "linear"},
                        {"inverted", false},
                        {"label", channel.name.empty() ? std::to_string(c) : channel.name},
                        {"window", window(facts, c)}});
  }
  const bool grey = channels.size() == 1 && channels[0]["color"] == "FFFFFF";
  return {{"name", facts.name},
          {"channels", std::move(channels)},
          {"rdefs",
           {{"defaultT", 0},
            {"defaultZ", (facts.size.z - 1) / 2},
            {"model", grey ? "greyscale" : "color"}}}};
}

}  // namespace

Status write_zarr_group(const fs::path& folder, const ZarrFacts& facts,
                        const std::vector<ZarrFactors>& levels, OmeZarrVersion version) {
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
                                   {"omero", omero(facts)}}}}}});
  }
  multiscale["version"] = "0.4";
  if (Status written = write(".zgroup", {{"zarr_format", 2}}); !written) return written;
  return write(".zattrs", {{"multiscales", Json::array({multiscale})}, {"omero", omero(facts)}});
}

}  // namespace aprscope
