#include "core/io/bdv/bdv_views.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <system_error>

#include "core/base/printable.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/common/path_inside.hpp"
#include "core/io/hdf5/hdf5_dataset.hpp"
#include "core/io/zarr/zarr_array.hpp"
#include "core/io/zarr/zarr_json.hpp"
#include "core/io/zarr/zarr_volume.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// A registration takes some 200 bytes, so that these hold more than a hundred thousand views; their
// elements take many times as much memory.
constexpr std::uint64_t kMostXml = std::uint64_t{32} << 20U;

double pixels(const BdvSetup& setup) {
  return static_cast<double>(setup.size.z) * static_cast<double>(setup.size.x) *
         static_cast<double>(setup.size.y);
}

std::string channel_name(const BdvProject& project, const BdvSetup& setup) {
  const auto channel = setup.attributes.find("channel");
  if (channel == setup.attributes.end()) {
    return setup.name.empty() ? std::to_string(setup.id) : setup.name;
  }
  const auto name = project.names.find({"channel", channel->second});
  return name == project.names.end() ? std::to_string(channel->second) : name->second;
}

// The attributes of a setup without the channel: setups that share them make one image.
std::map<std::string, std::int64_t> without_channel(const BdvSetup& setup) {
  auto shared = setup.attributes;
  shared.erase("channel");
  return shared;
}

// Factors of all levels of a setup, each in the order of the file: x, y, z.
using Factors = std::vector<std::array<double, 3>>;

Result<Factors> factors_in_hdf5(const std::shared_ptr<Hdf5Reader>& reader,
                                const std::string& setup) {
  const std::string name = "/" + setup + "/resolutions";
  const auto kind = reader->kind(name);
  if (!kind) return kind.error();
  if (!*kind) return Factors{{1.0, 1.0, 1.0}};
  const auto array = Hdf5Array::open({reader, name});
  if (!array) return array.error();
  const auto& extent = array->facts().extent;
  constexpr std::uint64_t most = 64;
  if (extent.size() != 2 || extent[0] == 0 || extent[0] > most || extent[1] != 3) {
    return dataset_error(reader->path(), name, "does not list resolutions",
                         "get the file again from its source");
  }
  Factors factors(extent[0]);
  const Hdf5Box all{{0, 0}, extent};
  if (Status read = array->read(all, NumberType::f64, factors.data(), {}); !read) {
    return read.error();
  }
  return factors;
}

Result<Factors> factors_in_n5(const fs::path& folder, const std::string& setup) {
  const auto store = ZarrStore::open(folder);
  if (!store) return store.error();
  const auto node = zarr_node(*store, setup);
  if (!node) return node.error();
  Factors factors;
  if (*node) {
    for (const auto& item : member((*node)->attributes, "downsamplingFactors")) {
      std::array<double, 3> one{1.0, 1.0, 1.0};
      for (std::size_t i = 0; item.is_array() && i < std::min<std::size_t>(3, item.size()); ++i) {
        if (item[i].is_number()) one[i] = item[i].get<double>();
      }
      factors.push_back(one);
    }
  }
  if (factors.empty()) factors.push_back({1.0, 1.0, 1.0});
  return factors;
}

Status take_factors(const Factors& factors, int level, const fs::path& path, BdvPixels& out) {
  if (level < 0 || level >= std::ssize(factors)) {
    return Error{"has no level " + std::to_string(level), path.string(),
                 "choose levels 0 to " + std::to_string(factors.size() - 1)};
  }
  const auto& [x, y, z] = factors[static_cast<std::size_t>(level)];
  for (const double factor : {x, y, z}) {
    if (!(factor >= 1.0) || factor > 1e6) {
      return Error{"has a level of resolution that is no smaller image", path.string(),
                   "get the data again from its source"};
    }
  }
  out.factors = {z, y, x};
  return {};
}

}  // namespace

std::vector<BdvImage> bdv_images(const BdvProject& project) {
  struct Group {
    BdvImage image;
    const BdvSetup* first;
    std::set<std::int64_t> channels;
  };
  std::vector<Group> groups;
  // The values that occur of each attribute: images are named by those that differ.
  std::map<std::string, std::set<std::int64_t>> values;
  std::map<std::pair<std::map<std::string, std::int64_t>, std::array<std::int64_t, 3>>, std::size_t>
      known;
  for (std::size_t i = 0; i < project.setups.size(); ++i) {
    const BdvSetup& setup = project.setups[i];
    const auto shared = without_channel(setup);
    for (const auto& [name, value] : shared) values[name].insert(value);
    const auto channel = setup.attributes.find("channel");
    const std::array<std::int64_t, 3> size{setup.size.z, setup.size.x, setup.size.y};
    const auto at = known.find({shared, size});
    // Setups without a channel are images of their own, and so is what comes twice.
    if (at == known.end() || channel == setup.attributes.end() ||
        !groups[at->second].channels.insert(channel->second).second) {
      Group group{{}, &setup, {}};
      if (channel != setup.attributes.end()) group.channels.insert(channel->second);
      known.try_emplace({shared, size}, groups.size());
      groups.push_back(std::move(group));
      groups.back().image.setups.push_back(i);
      continue;
    }
    groups[at->second].image.setups.push_back(i);
  }
  std::vector<BdvImage> images;
  std::set<std::string> names;
  for (Group& group : groups) {
    BdvImage& image = group.image;
    std::stable_sort(image.setups.begin(), image.setups.end(), [&](std::size_t a, std::size_t b) {
      const auto channel = [&](std::size_t i) {
        const auto& all = project.setups[i].attributes;
        const auto found = all.find("channel");
        return found == all.end() ? -1 : found->second;
      };
      return channel(a) < channel(b);
    });
    for (const std::size_t i : image.setups) {
      image.channels.push_back(channel_name(project, project.setups[i]));
    }
    if (groups.size() > 1) {
      for (const auto& [name, value] : without_channel(*group.first)) {
        if (values[name].size() < 2) continue;
        image.name += (image.name.empty() ? "/" : "_") + printable(name) + std::to_string(value);
      }
      if (image.name.empty() || !names.insert(image.name).second) {
        image.name = "/setup" + std::to_string(group.first->id);
        names.insert(image.name);
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

Result<BdvChoice> bdv_choice(const BdvProject& project, const std::string& dataset,
                             const fs::path& path) {
  const auto images = bdv_images(project);
  std::string asked = dataset;
  while (asked.ends_with('/')) asked.pop_back();
  if (!asked.empty() && !asked.starts_with('/')) asked.insert(0, "/");
  if (asked.empty()) {
    return BdvChoice{*std::max_element(images.begin(), images.end(),
                                       [&](const BdvImage& a, const BdvImage& b) {
                                         return pixels(project.setups[a.setups.front()]) <
                                                pixels(project.setups[b.setups.front()]);
                                       }),
                     0};
  }
  const std::size_t slash = asked.rfind('/');
  const std::string last = asked.substr(slash + 1);
  const bool is_level =
      !last.empty() && last.size() < 4 && last.find_first_not_of("0123456789") == std::string::npos;
  for (const BdvImage& image : images) {
    if (image.name == asked) return BdvChoice{image, 0};
    if (is_level && image.name == asked.substr(0, slash)) {
      return BdvChoice{image, std::stoi(last)};
    }
  }
  return Error{"has no image \"" + printable(dataset) + "\"", path.string(),
               images.size() == 1 ? "leave it out, or name a level of resolution (/1)"
                                  : "list the images with info, and choose one of them"};
}

Result<BdvProject> read_bdv(const fs::path& path) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (state->bytes > kMostXml) {
    return Error{"has " + std::to_string(state->bytes) + " bytes, more than such a file has",
                 path.string(), "get the data again from its source"};
  }
  std::string text(state->bytes, '\0');
  const auto got = file->read_at(0, text.data(), text.size());
  if (!got) return got.error();
  text.resize(*got);
  if (!is_bdv_xml(text)) {
    return Error{"is no BigDataViewer file", path.string(), "open the file again"};
  }
  auto project = parse_bdv(text);
  if (!project) {
    Error error = project.error();
    error.where = path.string();
    return error;
  }
  if (project->loader != "bdv.hdf5" && project->loader != "bdv.n5") {
    return Error{"keeps its pixels as \"" + printable(project->loader.substr(0, 60)) +
                     "\", which is not read",
                 path.string(), "save it as HDF5 or N5, or open the pixels' own file"};
  }
  return project;
}

std::vector<fs::path> bdv_files(const BdvProject& project, const fs::path& path) {
  std::set<std::string> names{project.path};
  for (const BdvPartition& part : project.partitions) names.insert(part.path);
  std::vector<fs::path> files;
  for (const std::string& name : names) {
    // A file with a bad path is skipped: the error comes when its pixels are asked for.
    const auto inside = path_inside(path.parent_path(), name, path.string());
    if (inside) files.push_back(*inside);
  }
  return files;
}

std::optional<fs::path> bdv_xml_of(const fs::path& pixels) {
  fs::path xml = pixels;
  xml.replace_extension(".xml");
  std::error_code code;
  if (xml == pixels || !fs::is_regular_file(xml, code)) return std::nullopt;
  const auto project = read_bdv(xml);
  if (!project) return std::nullopt;
  for (const fs::path& file : bdv_files(*project, xml)) {
    if (fs::equivalent(file, pixels, code)) return xml;
  }
  return std::nullopt;
}

Result<BdvPixels> bdv_pixels(const BdvProject& project, const fs::path& path, std::size_t setup,
                             std::size_t time, int level, const JobContext& context) {
  const std::int64_t s = project.setups[setup].id;
  const std::int64_t t = project.times[time];
  const auto is_view = [&](const auto& view) { return view == std::pair{t, s}; };
  if (std::any_of(project.missing.begin(), project.missing.end(), is_view)) {
    return Error{"has no pixels of setup " + std::to_string(s) + " at time point " +
                     std::to_string(t) + ": they were not recorded",
                 path.string(), "choose another channel or time point"};
  }
  std::string name = project.path;
  for (const BdvPartition& part : project.partitions) {
    const auto holds = [](const std::vector<std::int64_t>& list, std::int64_t id) {
      return std::find(list.begin(), list.end(), id) != list.end();
    };
    if (holds(part.times, t) && holds(part.setups, s)) name = part.path;
  }
  const auto inside = path_inside(path.parent_path(), name, path.string());
  if (!inside) return inside.error();
  BdvPixels made;
  made.source.path = *inside;
  char text[100];
  if (project.loader == "bdv.n5") {
    made.in_n5 = true;
    std::snprintf(text, sizeof text, "setup%lld", static_cast<long long>(s));
    const auto factors = factors_in_n5(*inside, text);
    if (!factors) return factors.error();
    if (Status ok = take_factors(*factors, level, path, made); !ok) return ok.error();
    std::snprintf(text, sizeof text, "/setup%lld/timepoint%lld/s%d", static_cast<long long>(s),
                  static_cast<long long>(t), level);
    auto source = inspect_zarr(*inside, text, context);
    if (!source) return source.error();
    made.source = *std::move(source);
    return made;
  }
  const auto reader = Hdf5Reader::open(*inside, context.stop_token());
  if (!reader) return reader.error();
  std::snprintf(text, sizeof text, "s%02lld", static_cast<long long>(s));
  const auto factors = factors_in_hdf5(*reader, text);
  if (!factors) return factors.error();
  if (Status ok = take_factors(*factors, level, path, made); !ok) return ok.error();
  std::snprintf(text, sizeof text, "/t%05lld/s%02lld/%d/cells", static_cast<long long>(t),
                static_cast<long long>(s), level);
  const auto open = open_dataset(*reader, text);
  if (!open) return open.error();
  made.source.dataset = text;
  made.source.size = open->shape.size();
  made.source.dtype = open->shape.dtype;
  made.source.file_bytes = open->file_bytes();
  return made;
}

}  // namespace aprscope
