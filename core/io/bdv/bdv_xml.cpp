#include "core/io/bdv/bdv_xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <set>

#include <pugixml.hpp>

#include "core/base/printable.hpp"
#include "core/io/common/units.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMost = 1000000;

Error bdv_error(const std::string& reason) {
  return {"is a BigDataViewer file that cannot be used (" + reason + ")", "",
          "save it again with the program that it comes from"};
}

std::vector<std::string_view> words(std::string_view text, const char* between) {
  std::vector<std::string_view> made;
  while (true) {
    const std::size_t begin = text.find_first_not_of(between);
    if (begin == std::string_view::npos) return made;
    const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
    made.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

constexpr const char* kSpace = " \t\r\n";

// An id: a whole number from 0 on.
std::optional<std::int64_t> id_of(std::string_view text) {
  const auto parts = words(text, kSpace);
  if (parts.size() != 1) return std::nullopt;
  std::int64_t value = 0;
  const char* const end = parts[0].data() + parts[0].size();
  const auto [at, code] = std::from_chars(parts[0].data(), end, value);
  if (code != std::errc() || at != end || value < 0 || value > 1000000000) return std::nullopt;
  return value;
}

// Exactly N numbers, or none.
template <std::size_t N>
std::optional<std::array<double, N>> numbers(std::string_view text) {
  const auto parts = words(text, " \t\r\n,");
  if (parts.size() != N) return std::nullopt;
  std::array<double, N> made{};
  for (std::size_t i = 0; i < N; ++i) {
    const auto value = parse_number(parts[i]);
    if (!value) return std::nullopt;
    made[i] = *value;
  }
  return made;
}

// Adds numbers of a range, from first to last by steps: "0-9", "3", "0-20:5". False: no range.
bool add_range(std::string_view text, std::vector<std::int64_t>& out) {
  std::int64_t step = 1;
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    const auto given = id_of(text.substr(colon + 1));
    if (!given || *given == 0) return false;
    step = *given;
    text = text.substr(0, colon);
  }
  const auto dash = text.find('-');
  const auto first = id_of(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : id_of(text.substr(dash + 1));
  if (!first || !last || *last < *first) return false;
  if (static_cast<std::size_t>((*last - *first) / step) + out.size() >= kMost) return false;
  for (std::int64_t i = *first; i <= *last; i += step) out.push_back(i);
  return true;
}

Status read_times(const pugi::xml_node& node, std::vector<std::int64_t>& times) {
  const std::string_view type = node.attribute("type").value();
  if (type == "pattern") {
    for (const std::string_view part :
         words(node.child("integerpattern").child_value(), ", \t\r\n")) {
      if (!add_range(part, times)) return bdv_error("its time points are not understood");
    }
  } else if (type == "range") {
    const auto first = id_of(node.child("first").child_value());
    const auto last = id_of(node.child("last").child_value());
    if (!first || !last ||
        !add_range(std::to_string(*first) + "-" + std::to_string(*last), times)) {
      return bdv_error("its time points are not understood");
    }
  } else if (type == "list") {
    for (const pugi::xml_node one : node.children("Timepoint")) {
      const auto id = id_of(one.child("id").child_value());
      if (!id) return bdv_error("its time points are not understood");
      times.push_back(*id);
      if (times.size() > kMost) return bdv_error("more than a million time points");
    }
  } else {
    return bdv_error("its time points are not understood");
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.empty()) return bdv_error("no time points");
  return {};
}

VoxelSize voxel_of(const pugi::xml_node& node) {
  const auto size = numbers<3>(node.child("size").child_value());
  if (!size) return {};
  const std::string_view unit = node.child("unit").child_value();
  return sane_voxel({(*size)[2], (*size)[1], (*size)[0], normalized_unit(unit)});
}

Status read_setups(const pugi::xml_node& node, BdvProject& project) {
  std::set<std::int64_t> ids;
  for (const pugi::xml_node one : node.children("ViewSetup")) {
    const auto id = id_of(one.child("id").child_value());
    if (!id || !ids.insert(*id).second)
      return bdv_error("a view setup without a number of its own");
    if (ids.size() > kMost) return bdv_error("more than a million view setups");
    BdvSetup setup;
    setup.id = *id;
    setup.name = one.child("name").child_value();
    setup.voxel = voxel_of(one.child("voxelSize"));
    if (const auto size = numbers<3>(one.child("size").child_value())) {
      const auto fits = [](double side) {
        return side >= 1 && side < 2147483648.0 && side == std::floor(side);
      };
      if (std::all_of(size->begin(), size->end(), fits)) {
        setup.size = {static_cast<std::int64_t>((*size)[2]), static_cast<std::int64_t>((*size)[1]),
                      static_cast<std::int64_t>((*size)[0])};
      }
    }
    for (const pugi::xml_node attribute : one.child("attributes").children()) {
      if (const auto value = id_of(attribute.child_value())) {
        setup.attributes[attribute.name()] = *value;
      }
    }
    project.setups.push_back(std::move(setup));
  }
  if (project.setups.empty()) return bdv_error("no view setups");
  for (const pugi::xml_node list : node.children("Attributes")) {
    for (const pugi::xml_node one : list.children()) {
      const auto id = id_of(one.child("id").child_value());
      const std::string name = one.child("name").child_value();
      if (id && !name.empty()) project.names[{list.attribute("name").value(), *id}] = name;
    }
  }
  return {};
}

BdvAffine product(const BdvAffine& a, const BdvAffine& b) {
  BdvAffine made{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) made[4 * i + j] += a[4 * i + k] * b[4 * k + j];
    }
    made[4 * i + 3] += a[4 * i + 3];
  }
  return made;
}

// Reads the transformation of each view; of several, the first in the file is applied last.
Status read_registrations(const pugi::xml_node& node, BdvProject& project) {
  for (const pugi::xml_node one : node.children("ViewRegistration")) {
    const auto time = id_of(one.attribute("timepoint").value());
    const auto setup = id_of(one.attribute("setup").value());
    if (!time || !setup) return bdv_error("a registration of no view");
    if (project.registrations.size() >= kMost) return bdv_error("more than a million views");
    BdvAffine all{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (const pugi::xml_node transform : one.children("ViewTransform")) {
      const auto affine = numbers<12>(transform.child("affine").child_value());
      if (!affine) return bdv_error("a registration that is no affine transformation");
      all = product(all, *affine);
    }
    if (!std::all_of(all.begin(), all.end(), [](double v) { return std::isfinite(v); })) {
      return bdv_error("a registration with numbers beyond all bounds");
    }
    project.registrations[{*time, *setup}] = all;
  }
  return {};
}

Result<std::string> relative_path(const pugi::xml_node& node) {
  const std::string path(node.child_value());
  const std::string_view type = node.attribute("type").value();
  if (!type.empty() && type != "relative") {
    return Error{"names its pixels by an absolute path (" + printable(path.substr(0, 200)) +
                     "), which is not followed",
                 "", "save it with a relative path, beside its pixels"};
  }
  return path;
}

Status read_loader(const pugi::xml_node& node, BdvProject& project) {
  project.loader = node.attribute("format").value();
  const char* const element = project.loader == "bdv.hdf5" ? "hdf5"
                              : project.loader == "bdv.n5" ? "n5"
                                                           : nullptr;
  // Other formats keep pixels elsewhere: the error for them comes when pixels are read.
  if (element == nullptr) return {};
  auto path = relative_path(node.child(element));
  if (!path) return path.error();
  if (path->empty()) return bdv_error("it names no file of pixels");
  project.path = *std::move(path);
  for (const pugi::xml_node one : node.children("partition")) {
    if (project.partitions.size() >= kMost) return bdv_error("more than a million partitions");
    auto file = relative_path(one.child("path"));
    if (!file) return file.error();
    BdvPartition partition{*std::move(file), {}, {}};
    for (auto [name, list] :
         {std::pair{"timepoints", &partition.times}, std::pair{"setups", &partition.setups}}) {
      for (const std::string_view word : words(one.child(name).child_value(), kSpace)) {
        const auto id = id_of(word);
        if (!id) return bdv_error("a partition of views that are not understood");
        list->push_back(*id);
      }
    }
    project.partitions.push_back(std::move(partition));
  }
  return {};
}

}  // namespace

bool is_bdv_xml(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (true) {
    const std::size_t first = head.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return false;
    head.remove_prefix(first);
    const bool comment = head.starts_with("<!--");
    if (!comment && !head.starts_with("<?") && !head.starts_with("<!")) break;
    const std::size_t end = head.find(comment ? "-->" : ">");
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end + (comment ? 3 : 1));
  }
  constexpr std::string_view root = "<SpimData";
  if (!head.starts_with(root) || head.size() <= root.size()) return false;
  return std::string_view(" \t\r\n>/").find(head[root.size()]) != std::string_view::npos;
}

Result<BdvProject> parse_bdv(const std::string& xml) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size());
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!parsed) return bdv_error(parsed.description());
  const pugi::xml_node root = document.child("SpimData");
  const pugi::xml_node sequence = root.child("SequenceDescription");
  if (!sequence) return bdv_error("no SequenceDescription");
  BdvProject project;
  if (Status read = read_loader(sequence.child("ImageLoader"), project); !read) return read.error();
  if (Status read = read_setups(sequence.child("ViewSetups"), project); !read) return read.error();
  if (Status read = read_times(sequence.child("Timepoints"), project.times); !read) {
    return read.error();
  }
  if (Status read = read_registrations(root.child("ViewRegistrations"), project); !read) {
    return read.error();
  }
  for (const pugi::xml_node view : sequence.child("MissingViews").children("MissingView")) {
    const auto time = id_of(view.attribute("timepoint").value());
    const auto setup = id_of(view.attribute("setup").value());
    if (time && setup && project.missing.size() < kMost)
      project.missing.emplace_back(*time, *setup);
  }
  // All paths are relative to the base path, which is relative to the XML.
  const pugi::xml_node base = root.child("BasePath");
  auto folder = relative_path(base);
  if (!folder) return folder.error();
  if (!folder->empty() && *folder != "." && *folder != "./") {
    if (folder->back() != '/') *folder += '/';
    if (!project.path.empty()) project.path = *folder + project.path;
    for (BdvPartition& partition : project.partitions) partition.path = *folder + partition.path;
  }
  return project;
}

BdvPlace place_of(const BdvSetup& setup, const BdvAffine* registration) {
  BdvPlace place;
  place.voxel = setup.voxel;
  if (registration == nullptr) return place;
  const BdvAffine& a = *registration;
  const std::array<double, 3> scale{a[0], a[5], a[10]};
  const std::array<double, 3> size{setup.voxel.y, setup.voxel.x, setup.voxel.z};
  // Rounding of registrations that were fitted.
  constexpr double small = 1e-3;
  const double largest = std::max({std::abs(scale[0]), std::abs(scale[1]), std::abs(scale[2])});
  for (const std::size_t i : {1U, 2U, 4U, 6U, 8U, 9U}) {
    if (std::abs(a[i]) > small * largest) place.more = true;
  }
  if (scale[0] <= 0.0 || scale[1] <= 0.0 || scale[2] <= 0.0) place.more = true;
  if (place.more) return place;
  // The length of a pixel of the shared space, by the width of this image's.
  const double unit = size[0] / scale[0];
  const auto near = [](double p, double q) { return std::abs(p - q) <= small * std::abs(q); };
  const bool none = near(scale[0], 1.0) && near(scale[1], 1.0) && near(scale[2], 1.0);
  const bool alike = near(scale[1] * unit, size[1]) && near(scale[2] * unit, size[2]);
  if (!none && !alike) {
    place.voxel = sane_voxel({scale[2] * unit, scale[1] * unit, setup.voxel.y, setup.voxel.unit});
  }
  const std::array<double, 3> step = none ? size : std::array<double, 3>{unit, unit, unit};
  for (std::size_t i = 0; i < 3; ++i) {
    const double at = a[4 * i + 3] * step[i];
    // The order z, x, y: the file's third, second and first axis.
    place.origin[2 - i] = std::isfinite(at) && at != 0.0 ? at : 0.0;
  }
  return place;
}

}  // namespace aprscope
