#include "core/io/apr/apr_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/hdf5/hdf5_attributes.hpp"

namespace aprscope {
namespace {

constexpr std::array<std::string_view, 9> kStructure = {
    "y_vec", "xz_end_vec", "map_level",   "map_global_index", "map_number_gaps",
    "map_x", "map_z",      "map_y_begin", "map_y_end"};
constexpr std::array<const char*, 3> kUsualFields = {"particle_intensities", "particles", "parts"};

// The reference library writes 8 bytes from 4-byte integers: the upper half is noise.
std::optional<std::uint64_t> read_low_32(const Hdf5Object& group, const char* name) {
  auto value = read_integer_attribute(group, name);
  if (value) *value &= 0xFFFFFFFFU;
  return value;
}

void read_float(const Hdf5Object& group, const char* name, float& value) {
  if (const auto read = read_number_attribute(group, name)) value = static_cast<float>(*read);
}

AprParameters read_parameters(const Hdf5Object& group) {
  AprParameters p;
  read_float(group, "lambda", p.lambda);
  read_float(group, "sigma_th", p.sigma_th);
  read_float(group, "sigma_th_max", p.sigma_th_max);
  read_float(group, "I_th", p.intensity_th);
  read_float(group, "grad_th", p.grad_th);
  read_float(group, "rel_error", p.rel_error);
  read_float(group, "psfx", p.psfx);
  read_float(group, "psfy", p.psfy);
  read_float(group, "psfz", p.psfz);
  read_float(group, "noise_sd_estimate", p.noise_sd_estimate);
  read_float(group, "background_intensity_estimate", p.background_intensity_estimate);
  return p;
}

// `coarse` is the 4-byte value that every file has, `fine` the 8-byte one of our own files. They
// differ when another program has changed the first.
double read_spacing(const Hdf5Object& group, const char* coarse, const char* fine) {
  const double spacing = read_number_attribute(group, coarse).value_or(1.0);
  const auto exact = read_number_attribute(group, fine);
  const double value =
      exact && static_cast<float>(*exact) == static_cast<float>(spacing) ? *exact : spacing;
  return std::isfinite(value) && value > 0 ? value : 1.0;
}

VoxelSize read_voxel(const Hdf5Object& group) {
  VoxelSize voxel{read_spacing(group, "dz", "voxel_z"), read_spacing(group, "dx", "voxel_x"),
                  read_spacing(group, "dy", "voxel_y"), "px"};
  if (auto unit = read_text_attribute(group, "unit"); unit && !unit->empty()) voxel.unit = *unit;
  return voxel;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// True for a group with the structure of either layout.
Result<bool> holds_structure(const Hdf5Object& group) {
  for (const char* name : {"y_vec", "map_level"}) {
    const auto kind = group.reader->kind(group.child(name).path);
    if (!kind) return kind.error();
    if (*kind) return true;
  }
  return false;
}

// The header of a group, checked.
Result<AprHeader> read_apr_header(const Hdf5Object& root, const Hdf5Object& group) {
  const std::string where = group.where();
  AprHeader h;
  // The oldest files keep all of it one level up.
  const Hdf5Object& meta = has_attribute(group, "level_max") ? group : root;
  const auto z = read_low_32(meta, "z_num");
  const auto x = read_low_32(meta, "x_num");
  const auto y = read_low_32(meta, "y_num");
  const auto level_max = read_low_32(meta, "level_max");
  const auto particles = read_integer_attribute(meta, "total_number_particles");
  if (Status readable = group.reader->status(); !readable) return readable.error();
  if (!z || !x || !y || !level_max || !particles) {
    return Error{"lacks its sizes", where, "the file is damaged or not an APR"};
  }
  for (const std::uint64_t n : {*z, *x, *y}) {
    if (n < 1 || n > 65536) {
      return Error{"has size " + std::to_string(*z) + " × " + std::to_string(*x) + " × " +
                       std::to_string(*y) + " (z, x, y)",
                   where, "sizes of 1 to 65536 are possible, so the file is damaged"};
    }
  }
  h.size = {static_cast<std::int64_t>(*z), static_cast<std::int64_t>(*x),
            static_cast<std::int64_t>(*y)};
  h.level_max = finest_level(h.size);
  if (*level_max != static_cast<std::uint64_t>(h.level_max)) {
    return Error{"says that its finest level is " + std::to_string(*level_max) +
                     " where its size makes it " + std::to_string(h.level_max),
                 where, "the file is damaged"};
  }
  const auto children = group.reader->children(group.path);
  if (!children) return children.error();
  h.random_access = std::none_of(children->begin(), children->end(),
                                 [](const Hdf5Child& c) { return c.name == "y_vec"; });
  h.linear_order = !h.random_access || has_attribute(group, "lzxy_order");
  h.particles = *particles;
  if (h.particles < 1 || h.particles > static_cast<std::uint64_t>(h.size.count())) {
    return Error{"says that it has " + std::to_string(h.particles) + " particles for " +
                     std::to_string(h.size.count()) + " pixels",
                 where, "the file is damaged"};
  }
  h.parameters = read_parameters(meta);
  h.voxel = read_voxel(meta);
  h.name = read_text_attribute(meta, "name").value_or("");
  if (h.name == kUnnamed) h.name.clear();
  h.history = lines_of(read_text_attribute(group, "history").value_or(""));
  auto coding = read_field_coding(group, root, h.parameters);
  if (!coding) return coding.error();
  h.coding = *coding;
  h.fields = field_names(group, *children, h.ignored);
  if (Status sorted = put_labels_last(group, h.fields); !sorted) return sorted.error();
  if (Status readable = group.reader->status(); !readable) return readable.error();
  return h;
}

}  // namespace

bool is_structure_dataset(const std::string& name) {
  return std::find(kStructure.begin(), kStructure.end(), name) != kStructure.end();
}

std::string main_field_name(const std::vector<std::string>& fields) {
  for (const char* usual : kUsualFields) {
    if (std::find(fields.begin(), fields.end(), usual) != fields.end()) return usual;
  }
  return fields.empty() ? std::string() : fields.front();
}

Result<AprFile> open_apr_file(const std::string& path, const std::stop_token& stop) {
  auto reader = Hdf5Reader::open(path, stop);
  if (!reader) return reader.error();
  return open_apr_file(*reader);
}

Result<AprFile> open_apr_file(const std::shared_ptr<Hdf5Reader>& reader) {
  const std::string path = reader->path().string();
  AprFile out;
  out.path = path;
  out.root = Hdf5Object{reader, ""}.child(kAprRoot);
  const auto kind = reader->kind(out.root.path);
  if (!kind) return kind.error();
  if (*kind != Hdf5ObjectKind::group) {
    return Error{"is an HDF5 file without an APR in it", path,
                 "choose a file that holds the group /ParticleRepr"};
  }
  const auto children = reader->children(out.root.path);
  if (!children) return children.error();
  std::vector<AprGroupFacts> facts;
  for (const Hdf5Child& child : *children) {
    if (child.kind == Hdf5ObjectKind::unreadable) {
      return Error{"is damaged: it cannot be opened", out.root.child(child.name).where(),
                   "get the file again from its source"};
    }
    if (child.kind != Hdf5ObjectKind::group) continue;
    const Hdf5Object group = out.root.child(child.name);
    const auto holds = holds_structure(group);
    if (!holds) return holds.error();
    if (!*holds) continue;
    facts.push_back({child.name, read_integer_attribute(group, "time_steps"),
                     read_text_attribute(group, "channel"),
                     read_integer_attribute(group, "channel_index")});
  }
  if (Status readable = reader->status(); !readable) return readable.error();
  if (facts.empty()) {
    return Error{"holds no APR", path, "the file is damaged or was never finished"};
  }
  out.groups = interpret_groups(facts);
  return out;
}

Result<AprGroup> open_apr_group(const AprFile& file, const std::string& name) {
  AprGroup out;
  out.group = file.root.child(name);
  out.where = out.group.where();
  auto header = read_apr_header(file.root, out.group);
  if (!header) return header.error();
  out.header = std::move(*header);
  return out;
}

std::vector<std::string> field_names(const Hdf5Object& group,
                                     const std::vector<Hdf5Child>& children,
                                     std::vector<std::string>& ignored) {
  std::vector<std::string> names;
  for (const Hdf5Child& child : children) {
    const bool dataset =
        child.kind == Hdf5ObjectKind::dataset || child.kind == Hdf5ObjectKind::unreadable;
    if (!dataset || is_structure_dataset(child.name)) continue;
    auto& list = is_vector(child) ? names : ignored;
    list.push_back(child.name);
  }
  const std::vector<std::string> order =
      lines_of(read_text_attribute(group, kFieldOrder).value_or(""));
  const auto place = [&](const std::string& name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return names;
}

Result<FieldCoding> read_field_coding(const Hdf5Object& group, const Hdf5Object& fallback,
                                      const AprParameters& parameters) {
  FieldCoding coding;
  const Hdf5Object& from = has_attribute(group, "compress_type") ? group : fallback;
  const auto type = read_integer_attribute(from, "compress_type");
  if (!type || (*type & 0xFFFFFFFFU) == 0) return coding;
  if ((*type & 0xFFFFFFFFU) != 1) {
    return Error{"its fields have compression type " + std::to_string(*type), group.where(),
                 "this program reads types 0 (none) and 1 (within noise level)"};
  }
  coding.wnl = true;
  read_float(from, "quantization_factor", coding.parameters.quantization);
  coding.parameters.background =
      parameters.background_intensity_estimate - parameters.noise_sd_estimate;
  read_float(from, "compress_background", coding.parameters.background);
  return coding;
}

Apr described_apr(const AprHeader& header) {
  Apr apr;
  apr.voxel = header.voxel;
  apr.parameters = header.parameters;
  apr.name = header.name;
  apr.history = header.history;
  for (const std::string& ignored : header.ignored) {
    apr.history.push_back("open: left out dataset " + ignored + ", which is no particle field");
  }
  return apr;
}

}  // namespace aprscope
