#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <new>
#include <string_view>

#include <pugixml.hpp>

#include "core/io/common/units.hpp"
#include "core/io/tiff/tiff_metadata.hpp"

namespace aprscope {
namespace {

// Most planes: more than libtiff can count directories.
constexpr std::int64_t kMostPlanes = 1 << 20;
// Elements that say nothing of their number go through all planes that follow. Sets name each plane
// once or, so, each file's first; what names all of them again and again would take hours.
constexpr std::int64_t kMostSteps = 16 * kMostPlanes;

// Elements are compared without their namespace prefix ("OME:Pixels").
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child(const pugi::xml_node& parent, std::string_view name) {
  for (const pugi::xml_node node : parent.children()) {
    if (local_name(node) == name) return node;
  }
  return {};
}

std::int64_t whole(const pugi::xml_node& node, const char* name, std::int64_t fallback) {
  const auto value = parse_number(node.attribute(name).value());
  if (!value || *value < 0 || *value > 4294967295.0 || *value != std::floor(*value)) {
    return fallback;
  }
  return static_cast<std::int64_t>(*value);
}

// Sizes of the three dimensions in one unit: x's, whose default is µm.
VoxelSize voxel_of(const pugi::xml_node& pixels) {
  VoxelSize voxel;
  bool has_x = false;
  const auto length = [&](const char* name, const char* unit_name, double fallback) {
    const auto value = parse_number(pixels.attribute(name).value());
    if (!value || *value <= 0.0) return fallback;
    const pugi::xml_attribute given = pixels.attribute(unit_name);
    const std::string unit = given ? normalized_unit(given.value()) : "µm";
    if (!has_x) {
      voxel.unit = unit;
      has_x = true;
      return *value;
    }
    const auto from = unit_in_micrometres(unit);
    const auto to = unit_in_micrometres(voxel.unit);
    return from && to ? *value * (*from / *to) : *value;
  };
  voxel.y = length("PhysicalSizeX", "PhysicalSizeXUnit", 1.0);
  voxel.x = length("PhysicalSizeY", "PhysicalSizeYUnit", voxel.y);
  voxel.z = length("PhysicalSizeZ", "PhysicalSizeZUnit", voxel.y);
  return sane_voxel(voxel);
}

// The unit of the time step is seconds where none is given.
std::optional<double> seconds_of(const pugi::xml_node& pixels) {
  const auto value = parse_number(pixels.attribute("TimeIncrement").value());
  const pugi::xml_attribute given = pixels.attribute("TimeIncrementUnit");
  const auto unit = given ? unit_in_seconds(given.value()) : std::optional(1.0);
  return value && unit ? sane_step(*value * *unit) : std::nullopt;
}

void read_channels(const pugi::xml_node& pixels, OmeInfo& info) {
  bool coloured = false;
  for (const pugi::xml_node channel : pixels.children()) {
    if (local_name(channel) != "Channel") continue;
    if (std::ssize(info.channel_names) >= info.size_c) break;
    const std::string_view name = channel.attribute("Name").value();
    info.channel_names.push_back(name.empty() ? std::to_string(info.channel_names.size())
                                              : std::string(name));
    // Red, green, blue and opacity in the bytes of a signed number, red first.
    const pugi::xml_attribute colour = channel.attribute("Color");
    const auto bytes = static_cast<std::uint32_t>(colour.as_llong(-1));
    ChannelHint hint;
    if (colour) {
      hint.colour =
          Rgb{static_cast<std::uint8_t>(bytes >> 24U), static_cast<std::uint8_t>(bytes >> 16U),
              static_cast<std::uint8_t>(bytes >> 8U)};
      coloured = true;
    }
    info.channel_hints.push_back(hint);
  }
  if (!coloured) info.channel_hints.clear();
}

// Steps through the planes in the file's order of dimensions.
class PlaneCounter {
 public:
  PlaneCounter(const OmeInfo& info, std::string_view order, std::int64_t z, std::int64_t c,
               std::int64_t t)
      : sizes_{info.size_z, info.plane_channels(), info.size_t}, at_{z, c, t} {
    for (std::size_t i = 0; i < 3; ++i) {
      const char dimension = order[i + 2];
      order_[i] = dimension == 'Z' ? 0U : dimension == 'C' ? 1U : 2U;
    }
  }
  [[nodiscard]] bool valid() const {
    return at_[0] < sizes_[0] && at_[1] < sizes_[1] && at_[2] < sizes_[2];
  }
  [[nodiscard]] std::size_t plane() const {
    return static_cast<std::size_t>((at_[2] * sizes_[1] + at_[1]) * sizes_[0] + at_[0]);
  }
  void advance() {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t dimension = order_[i];
      if (++at_[dimension] < sizes_[dimension] || i == 2) return;
      at_[dimension] = 0;
    }
  }

 private:
  std::int64_t sizes_[3];
  std::int64_t at_[3];
  std::size_t order_[3] = {0, 1, 2};
};

// Tells the file at hand from others of its set.
class SetOfFiles {
 public:
  SetOfFiles(const pugi::xml_node& pixels, OmeFile own, OmeInfo& info)
      : own_(std::move(own)), info_(info) {
    for (const pugi::xml_node data : pixels.children()) {
      if (local_name(data) != "TiffData") continue;
      const pugi::xml_node uuid = child(data, "UUID");
      const std::string name = uuid.attribute("FileName").value();
      if (!uuid || (first_ && *first_ != name)) several_ = true;
      if (!first_) first_ = name;
    }
  }

  // Index of the file of a plane, see OmeInfo::file; −1: unknown.
  std::int32_t place(const pugi::xml_node& uuid) {
    if (!uuid) return 0;
    const std::string name = uuid.attribute("FileName").value();
    const std::string_view text = uuid.child_value();
    if (!own_.uuid.empty() && !text.empty()) {
      if (own_.uuid == text) return 0;
      return name.empty() || name == own_.name ? -1 : number(name);
    }
    // With a single name in the XML, the file of that name is this one, even if it was renamed.
    return name.empty() || name == own_.name || !several_ ? 0 : number(name);
  }

 private:
  std::int32_t number(const std::string& name) {
    const auto [at, is_new] =
        numbers_.try_emplace(name, static_cast<std::int32_t>(info_.others.size() + 1));
    if (is_new) info_.others.push_back(name);
    return at->second;
  }

  OmeFile own_;
  OmeInfo& info_;
  std::map<std::string, std::int32_t> numbers_;
  std::optional<std::string> first_;
  bool several_ = false;
};

// Maps planes to directories; false: too many steps.
bool map_directories(const pugi::xml_node& pixels, const OmeFile& own, std::string_view order,
                     std::int64_t directories, OmeInfo& info) {
  SetOfFiles set(pixels, own, info);
  bool any = false;
  std::int64_t steps = 0;
  for (const pugi::xml_node data : pixels.children()) {
    if (local_name(data) != "TiffData") continue;
    any = true;
    const std::int32_t file = set.place(child(data, "UUID"));
    if (file < 0) continue;
    const bool has_directory = !data.attribute("IFD").empty();
    const std::int64_t first = whole(data, "IFD", 0);
    // How many the other files have shows when they are opened.
    const std::int64_t held = file == 0 ? directories : std::int64_t{1} << 32U;
    const std::int64_t count = whole(data, "PlaneCount", has_directory ? 1 : held);
    std::int64_t c = whole(data, "FirstC", 0);
    // Some writers count samples, not planes.
    if (c >= info.plane_channels()) c /= info.samples;
    PlaneCounter at(info, order, whole(data, "FirstZ", 0), c, whole(data, "FirstT", 0));
    for (std::int64_t i = 0; i < count && at.valid() && first + i < held; ++i) {
      if (++steps > kMostSteps) return false;
      info.directory[at.plane()] = first + i;
      info.file[at.plane()] = file;
      at.advance();
    }
  }
  if (any) return true;
  PlaneCounter at(info, order, 0, 0, 0);
  for (std::int64_t i = 0; i < directories && at.valid(); ++i) {
    info.directory[at.plane()] = i;
    at.advance();
  }
  return true;
}

Error ome_error(const std::string& reason) {
  return {"has OME-XML that cannot be used (" + reason + ")", "",
          "save the image again as OME-TIFF or plain TIFF"};
}

}  // namespace

bool is_ome_xml(const std::string& description) {
  // Only the start is examined, since other text may mention OME.
  const std::string_view head = std::string_view(description).substr(0, 4096);
  const auto first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && head[first] == '<' &&
         (head.find("<OME") != std::string_view::npos ||
          head.find("<ome:OME") != std::string_view::npos ||
          head.find("<OME:OME") != std::string_view::npos);
}

std::optional<OmeCompanion> ome_companion(const std::string& xml) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size());
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  const pugi::xml_node only = child(child(document, "OME"), "BinaryOnly");
  if (!parsed || !only) return std::nullopt;
  return OmeCompanion{only.attribute("MetadataFile").value(), only.attribute("UUID").value()};
}

Result<OmeInfo> parse_ome(const std::string& xml, std::int64_t directories, int samples,
                          const OmeFile& own) {
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size());
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!parsed) return ome_error(parsed.description());
  const pugi::xml_node root = child(document, "OME");
  if (child(root, "BinaryOnly")) {
    return ome_error("the metadata is in a companion file that names another one");
  }
  const pugi::xml_node pixels = child(child(root, "Image"), "Pixels");
  if (!pixels) return ome_error("no Image with Pixels");

  OmeInfo info;
  info.size_x = whole(pixels, "SizeX", 0);
  info.size_y = whole(pixels, "SizeY", 0);
  info.size_z = whole(pixels, "SizeZ", 0);
  info.size_c = whole(pixels, "SizeC", 0);
  info.size_t = whole(pixels, "SizeT", 0);
  for (const std::int64_t size :
       {info.size_x, info.size_y, info.size_z, info.size_c, info.size_t}) {
    if (size <= 0) return ome_error("sizes are missing or zero");
  }
  read_channels(pixels, info);
  // The pages know better than the attribute SamplesPerPixel, which many writers leave out.
  if (samples > 1 && info.size_c % samples == 0) info.samples = samples;
  if (info.size_z > kMostPlanes || info.size_c > kMostPlanes || info.size_t > kMostPlanes ||
      info.size_z * info.size_c > kMostPlanes ||
      info.size_z * info.size_c * info.size_t > kMostPlanes) {
    return ome_error("more planes than a TIFF file can hold");
  }
  std::string order = pixels.attribute("DimensionOrder").value();
  std::string sorted = order.substr(0, std::min<std::size_t>(order.size(), 5));
  std::sort(sorted.begin(), sorted.end());
  if (order.size() != 5 || sorted != "CTXYZ" || order.compare(0, 2, "XY") != 0) order = "XYZCT";
  info.voxel = voxel_of(pixels);
  info.seconds = seconds_of(pixels);
  info.directory.assign(static_cast<std::size_t>(info.size_z * info.plane_channels() * info.size_t),
                        -1);
  info.file.assign(info.directory.size(), 0);
  OmeFile file = own;
  if (file.uuid.empty()) file.uuid = root.attribute("UUID").value();
  if (!map_directories(pixels, file, order, directories, info)) {
    return ome_error("its planes are named over and over");
  }
  return info;
}

}  // namespace aprscope
