#include "core/io/hdf5/hdf5_dataset.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>
#include <utility>

#include "core/base/system.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/common/units.hpp"
#include "core/io/hdf5/hdf5_attributes.hpp"

namespace aprscope {
namespace {

constexpr int kDeepestGroup = 64;

// The shape of an image; rank 0 for anything else.
DatasetShape shape_of(const Hdf5Type& type, const std::vector<std::uint64_t>& extent,
                      const std::vector<std::uint64_t>& chunk) {
  DatasetShape shape;
  if (extent.size() < 2 || extent.size() > kMostDimensions || type.name().empty()) return shape;
  shape.rank = static_cast<int>(extent.size());
  shape.dtype = type.name();
  shape.sample_bytes = type.size;
  std::copy(extent.begin(), extent.end(), shape.extent + (kMostDimensions - shape.rank));
  if (chunk.size() == extent.size()) {
    std::copy(chunk.begin(), chunk.end(), shape.chunk + (kMostDimensions - shape.rank));
  }
  return shape;
}

double samples(const DatasetShape& shape) {
  double n = 1;
  for (const std::uint64_t e : shape.extent) n *= static_cast<double>(e);
  return n;
}

// Sizes against what the file holds for them.
Status check_shape(const OpenDataset& open) {
  const DatasetShape& shape = open.shape;
  const std::filesystem::path& path = open.array.object().reader->path();
  const auto bytes =
      checked_bytes(shape.size(), shape.sample_bytes, shape.extent[0] * shape.extent[1], path);
  if (!bytes || shape.extent[0] > INT32_MAX || shape.extent[1] > (1 << 20)) {
    return dataset_error(path, open.name(),
                         "has no pixels or an impossible size (" + size_text(shape.size()) + ")",
                         "choose another dataset");
  }
  const Hdf5Dataset& facts = open.array.facts();
  // Pixels in other files are checked when these are read.
  if (facts.storage == Hdf5Storage::mapped || facts.storage == Hdf5Storage::elsewhere) return {};
  const std::uint64_t stored = facts.stored;
  // Filters rarely reach 1000; a wide margin for images that are mostly constant or never written.
  constexpr double largest_ratio = 1e5;
  const double limit = facts.storage == Hdf5Storage::chunked ? largest_ratio : 1.0;
  if (stored > open.file_bytes() ||
      static_cast<double>(*bytes) > static_cast<double>(stored) * limit) {
    return dataset_error(path, open.name(),
                         "claims " + size_text(shape.size()) + " pixels (" + format_bytes(*bytes) +
                             " in all), but the file holds only " +
                             format_bytes(std::min(stored, open.file_bytes())) + " of them",
                         "the file is damaged or was never written completely");
  }
  return {};
}

// Reads the attribute element_size_um: z, x, y (for a 2-D dataset x, y suffice).
VoxelSize voxel_size(const Hdf5Object& object) {
  bool single = false;
  const auto values = read_number_list(object, "element_size_um", &single);
  if (!values || (values->size() != 2 && values->size() != 3)) return {};
  std::vector<double> v = *values;
  if (v.size() == 2) v.insert(v.begin(), v[0]);
  // The attribute is f32: 0.15F is meant as 0.15.
  if (single) {
    for (double& side : v) side = shortest_decimal(side);
  }
  return sane_voxel({v[0], v[1], v[2], "µm"});
}

// "t" or "s" and digits.
bool is_numbered(const std::string& name, char letter) {
  return name.size() >= 2 && name[0] == letter &&
         std::all_of(name.begin() + 1, name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// BigDataViewer keeps pixels in /tTTTTT/sSS/LEVEL/cells, and unsigned ones as signed numbers of the
// same bits: of 16 bits, unless /sSS has an attribute that says otherwise (bigdataviewer-core,
// Hdf5ImageLoader).
bool is_unsigned_in_bigdataviewer(const Hdf5Object& dataset) {
  std::vector<std::string> parts;
  for (std::size_t at = 1; at <= dataset.path.size();) {
    const std::size_t end = std::min(dataset.path.find('/', at), dataset.path.size());
    parts.push_back(dataset.path.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() != 4 || !is_numbered(parts[0], 't') || !is_numbered(parts[1], 's') ||
      parts[2].empty() || parts[3] != "cells") {
    return false;
  }
  const Hdf5Object setup{dataset.reader, "/" + parts[1]};
  const auto kind = dataset.reader->kind(setup.path);
  if (!kind || !*kind) return true;
  const auto stated = read_text_attribute(setup, "dataType");
  return !stated || stated->starts_with("uint");
}

}  // namespace

Error dataset_error(const std::filesystem::path& path, const std::string& dataset,
                    const std::string& what, const std::string& advice) {
  return {what, path.string() + ":" + dataset, advice};
}

Result<FoundDatasets> find_datasets(const std::shared_ptr<Hdf5Reader>& reader,
                                    const std::stop_token& stop) {
  FoundDatasets found;
  struct Group {
    std::string path;
    int depth;
  };
  std::vector<Group> pending = {{"", 0}};
  // Links may lead in circles.
  std::set<std::uint64_t> seen;
  while (!pending.empty()) {
    if (stop.stop_requested()) return cancelled_error();
    const Group group = std::move(pending.back());
    pending.pop_back();
    const auto children = reader->children(group.path);
    if (!children) {
      Error error = children.error();
      if (!error.cancelled() && group.path.empty()) {
        error.what = "is damaged: its datasets cannot be listed (" + error.what + ")";
      }
      return error;
    }
    std::vector<Group> inner;
    for (const Hdf5Child& child : *children) {
      const std::string path = group.path + "/" + child.name;
      if (child.kind == Hdf5ObjectKind::group && seen.insert(child.address).second) {
        if (group.depth + 1 > kDeepestGroup) {
          return Error{"nests its groups more than " + std::to_string(kDeepestGroup) + " deep",
                       reader->path().string(),
                       "the file is damaged; if it is not, name the dataset (FILE:/path)"};
        }
        inner.push_back({path, group.depth + 1});
      }
      if (child.kind == Hdf5ObjectKind::unreadable) found.unreadable.push_back(path);
      if (child.kind != Hdf5ObjectKind::dataset) continue;
      const DatasetShape shape = shape_of(child.type, child.extent, {});
      if (shape.rank == 0 || !seen.insert(child.address).second) continue;
      found.names.push_back(path);
      found.samples.push_back(samples(shape));
    }
    pending.insert(pending.end(), inner.rbegin(), inner.rend());
  }
  return found;
}

Result<OpenDataset> open_dataset(const std::shared_ptr<Hdf5Reader>& reader,
                                 const std::string& name) {
  const auto& path = reader->path();
  const std::string advice = "list the datasets with info, and choose one of them";
  const auto kind = reader->kind(name);
  if (!kind) return kind.error();
  if (*kind != Hdf5ObjectKind::dataset) {
    return dataset_error(path, name, "is not a dataset of this file", advice);
  }
  const auto facts = reader->dataset(name);
  if (!facts) return facts.error();
  DatasetShape shape = shape_of(facts->type, facts->extent, facts->chunk);
  if (shape.rank == 0) {
    return dataset_error(path, name, "is not an image (2 to 5 dimensions of plain numbers)",
                         advice);
  }
  auto array = Hdf5Array::open({reader, name});
  if (!array) return array.error();
  if (facts->type.is_signed && is_unsigned_in_bigdataviewer(array->object())) {
    array->take_as_unsigned();
    shape.dtype = array->facts().type.name();
  }
  OpenDataset open{*std::move(array), shape};
  if (Status checked = check_shape(open); !checked) return checked.error();
  if (Status readable = reader->status(); !readable) return readable.error();
  return open;
}

// Whether the last part of the name says that it is not what a microscope recorded.
bool sounds_derived(const std::string& name) {
  std::string last = name.substr(name.find_last_of('/') + 1);
  std::transform(last.begin(), last.end(), last.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word :
       {"label", "mask", "seg", "annot", "instance", "ground", "truth", "pred"}) {
    if (last.find(word) != std::string::npos) return true;
  }
  return false;
}

Result<OpenDataset> open_largest_dataset(const std::shared_ptr<Hdf5Reader>& reader,
                                         const FoundDatasets& found) {
  std::vector<std::size_t> order(found.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // If an image and its labels have the same size, prefer the image.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (found.samples[a] != found.samples[b]) return found.samples[a] > found.samples[b];
    return !sounds_derived(found.names[a]) && sounds_derived(found.names[b]);
  });
  auto largest = open_dataset(reader, found.names[order.front()]);
  for (std::size_t i = 1; !largest && reader->status() && i < order.size(); ++i) {
    auto next = open_dataset(reader, found.names[order[i]]);
    if (next) return next;
  }
  return largest;
}

VoxelSize dataset_voxel_size(const Hdf5Object& dataset) {
  if (has_attribute(dataset, "element_size_um")) return voxel_size(dataset);
  return voxel_size({dataset.reader, dataset.path.substr(0, dataset.path.rfind('/'))});
}

}  // namespace aprscope
