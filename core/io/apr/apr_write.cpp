#include "core/io/apr/apr_write.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/structure/tree.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/apr/apr_labels.hpp"

namespace aprscope {
namespace {

// Levels of zstd that the reference library uses for structure and for fields.
constexpr unsigned kStructureLevel = 4;
constexpr unsigned kFieldLevel = 2;
constexpr int kU16 = 1;
constexpr int kU64 = 3;
// The reference library reads the name into 100 bytes.
constexpr std::size_t kLongestName = 99;
// All attributes of a group share limits of 64 KB each; older lines go first.
constexpr std::size_t kLongestHistory = 32768;
constexpr const char* kDefaultChannel = "t";

const char* const kDiskAdvice = "free some space or choose another folder";

// The first bytes of a UTF-8 text, not cut within a character.
std::string shortened(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

std::string joined_history(const std::vector<std::string>& history) {
  std::size_t first = history.size();
  std::size_t bytes = 0;
  while (first > 0 && bytes + history[first - 1].size() + 1 <= kLongestHistory) {
    bytes += history[--first].size() + 1;
  }
  std::string text;
  for (std::size_t i = first; i < history.size(); ++i) {
    std::string line = history[i];
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += (text.empty() && i == first ? "" : "\n") + line;
  }
  return text;
}

// Names of HDF5 links: no slash, not "." and not empty.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  if (name.empty()) name = kDefaultChannel;
  if (name == ".") name = "_";
  return name;
}

// A name for each group; those that <channel><t> makes equal get a mark, the attributes `channel`
// and `time_steps` tell them apart.
Result<std::vector<std::string>> group_names(const std::vector<Apr>& series,
                                             const std::string& where) {
  std::set<std::pair<std::string, int>> places;
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const Apr& apr : series) {
    if (apr.time < 0) return Error{"a time point is negative", where, "number them from 0"};
    if (!places.emplace(apr.channel, apr.time).second) {
      return Error{"channel \"" + apr.channel + "\" would hold time point " +
                       std::to_string(apr.time) + " twice",
                   where, "give the channels different names"};
    }
    std::string channel = link_name(apr.channel);
    while (!taken.insert(group_name(channel, apr.time)).second) channel += '_';
    names.push_back(group_name(channel, apr.time));
  }
  return names;
}

Status check_fields(const std::vector<std::shared_ptr<const Field>>& fields, std::uint64_t count,
                    const std::string& where) {
  std::set<std::string> names;
  for (const auto& field : fields) {
    if (!field) return Error{"a field is empty", where, "remove it"};
    const std::string& name = field->name;
    if (name.empty() || name == "." || name == kAprTree || is_structure_dataset(name) ||
        name.find_first_of(std::string("/\0", 2)) != std::string::npos) {
      return Error{"a field cannot be called \"" + name + "\"", where, "give it another name"};
    }
    if (!names.insert(name).second) {
      return Error{"two fields are called \"" + name + "\"", where, "rename one of them"};
    }
    if (field->count() != count) {
      return Error{"field \"" + name + "\" has " + std::to_string(field->count()) +
                       " values where " + std::to_string(count) + " belong",
                   where, "compute it again"};
    }
  }
  return {};
}

Status check(const Apr& apr, const std::string& where) {
  if (!apr.access) return Error{"there is no structure to write", where, "convert an image first"};
  if (Status fine = check_fields(fields_with_labels(apr), apr.access->count(), where); !fine) {
    return fine;
  }
  return check_fields(apr.tree_fields, apr.access->tree().count(), where);
}

bool write_sizes(hid_t group, const AprAccess& access) {
  const Size3& size = access.size();
  const auto u64 = [](auto value) { return static_cast<std::uint64_t>(value); };
  bool ok = write_attribute(group, "z_num", u64(size.z)) &&
            write_attribute(group, "x_num", u64(size.x)) &&
            write_attribute(group, "y_num", u64(size.y)) &&
            write_attribute(group, "total_number_particles", u64(access.count())) &&
            write_attribute(group, "level_min", u64(1)) &&
            write_attribute(group, "level_max", u64(access.level_max()));
  for (int l = 1; ok && l < access.level_max(); ++l) {
    const Size3 grid = level_grid(size, access.level_max(), l);
    const std::string suffix = std::to_string(l);
    ok = write_attribute(group, ("z_num_" + suffix).c_str(), static_cast<std::int32_t>(grid.z)) &&
         write_attribute(group, ("x_num_" + suffix).c_str(), static_cast<std::int32_t>(grid.x)) &&
         write_attribute(group, ("y_num_" + suffix).c_str(), static_cast<std::int32_t>(grid.y));
  }
  return ok;
}

bool write_parameters(hid_t group, const AprParameters& p, const VoxelSize& voxel) {
  const std::pair<const char*, float> values[] = {
      {"lambda", p.lambda},
      {"sigma_th", p.sigma_th},
      {"sigma_th_max", p.sigma_th_max},
      {"I_th", p.intensity_th},
      {"grad_th", p.grad_th},
      {"rel_error", p.rel_error},
      {"dz", static_cast<float>(voxel.z)},
      {"dx", static_cast<float>(voxel.x)},
      {"dy", static_cast<float>(voxel.y)},
      {"psfx", p.psfx},
      {"psfy", p.psfy},
      {"psfz", p.psfz},
      {"noise_sd_estimate", p.noise_sd_estimate},
      {"background_intensity_estimate", p.background_intensity_estimate}};
  return std::all_of(std::begin(values), std::end(values), [&](const auto& value) {
    return write_attribute(group, value.first, value.second);
  });
}

// What the reference library asks of every group with fields. It may not be left out for a tree:
// the library would take it from a place where it is not.
bool write_coding(hid_t group) {
  return write_attribute(group, "compress_type", std::int32_t{0}) &&
         write_attribute(group, "quantization_factor", 0.5F) &&
         write_attribute(group, "compress_background", 1.0F) &&
         write_attribute(group, "lzxy_order", std::int32_t{1});
}

// Attributes that only this program knows; the reference library never looks at them.
bool write_own(hid_t group, const Apr& apr) {
  return write_attribute(group, "unit", apr.voxel.unit) &&
         write_attribute(group, "voxel_z", apr.voxel.z) &&
         write_attribute(group, "voxel_x", apr.voxel.x) &&
         write_attribute(group, "voxel_y", apr.voxel.y) &&
         write_attribute(group, "channel", apr.channel) &&
         write_attribute(group, "channel_index", static_cast<std::int32_t>(apr.channel_index)) &&
         (apr.history.empty() || write_attribute(group, "history", joined_history(apr.history)));
}

Status write_access(hid_t group, const LinearAccess& access, const std::string& where,
                    const JobContext& context) {
  if (Status y = write_vector(group, "y_vec", kU16, access.y().data(), access.count(),
                              kStructureLevel, where, context.part(0, 0.5));
      !y) {
    return y;
  }
  return write_vector(group, "xz_end_vec", kU64, access.xz_end().data(), access.xz_end().size(),
                      kStructureLevel, where, context.part(0.5, 1));
}

Status write_fields(hid_t group, const std::vector<std::shared_ptr<const Field>>& fields,
                    const std::string& where, const JobContext& context) {
  if (fields.size() > 1) {
    std::string order;
    for (const auto& field : fields) order += field->name + '\n';
    const std::scoped_lock lock(hdf5_mutex());
    if (!write_attribute(group, kFieldOrder, order)) {
      return hdf5_error(where, "its attributes cannot be written", kDiskAdvice);
    }
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = *fields[i];
    const void* const data =
        std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, field.values);
    const double n = static_cast<double>(fields.size());
    const JobContext part =
        context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
    if (Status written = write_vector(group, field.name, static_cast<int>(field.values.index()),
                                      data, field.count(), kFieldLevel, where, part);
        !written) {
      return written;
    }
  }
  return {};
}

Result<Hdf5Handle> create_group(hid_t parent, const std::string& name, const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  Hdf5Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!group) return hdf5_error(where, "group " + name + " cannot be written", kDiskAdvice);
  return group;
}

Status write_tree(hid_t parent, const Apr& apr, bool with_mean, const std::string& where,
                  const JobContext& context) {
  std::vector<std::shared_ptr<const Field>> fields = apr.tree_fields;
  const auto main = apr.main_field();
  const bool there = main && std::any_of(fields.begin(), fields.end(),
                                         [&](const auto& f) { return f->name == main->name; });
  if (with_mean && main && !there) {
    auto mean = fill_tree(*apr.access, main->to_float(), Reduction::mean, context.part(0, 0.4));
    if (!mean) return mean.error();
    fields.push_back(std::make_shared<const Field>(Field{main->name, std::move(*mean)}));
  }
  auto group = create_group(parent, kAprTree, where);
  if (!group) return group.error();
  {
    const std::scoped_lock lock(hdf5_mutex());
    if (!write_attribute(group->get(), "total_number_particles", apr.access->tree().count()) ||
        !write_coding(group->get())) {
      return hdf5_error(where, "the tree cannot be written", kDiskAdvice);
    }
  }
  if (Status structure =
          write_access(group->get(), apr.access->tree(), where, context.part(0.4, 0.7));
      !structure) {
    return structure;
  }
  return write_fields(group->get(), fields, where, context.part(0.7, 1.0));
}

Status write_group(hid_t root, const std::string& name, const Apr& apr,
                   const AprWriteOptions& options, const std::string& where,
                   const JobContext& context) {
  auto group = create_group(root, name, where);
  if (!group) return group.error();
  {
    const std::scoped_lock lock(hdf5_mutex());
    const hid_t g = group->get();
    const std::string title = apr.name.empty() ? kUnnamed : shortened(apr.name, kLongestName);
    if (!write_attribute(g, "time_steps", static_cast<std::uint64_t>(apr.time)) ||
        !write_attribute(g, "name", title) ||
        !write_attribute(g, "githash", std::string("aprscope")) || !write_sizes(g, *apr.access) ||
        !write_parameters(g, apr.parameters, apr.voxel) || !write_coding(g) || !write_own(g, apr)) {
      return hdf5_error(where, "its attributes cannot be written", kDiskAdvice);
    }
  }
  const bool tree = options.with_tree || !apr.tree_fields.empty();
  const double end = tree ? 0.7 : 1.0;
  if (Status structure =
          write_access(group->get(), apr.access->particles(), where, context.part(0.0, 0.4 * end));
      !structure) {
    return structure;
  }
  if (Status fields =
          write_fields(group->get(), fields_with_labels(apr), where, context.part(0.4 * end, end));
      !fields) {
    return fields;
  }
  if (!tree) return {};
  return write_tree(group->get(), apr, options.with_tree, where, context.part(end, 1.0));
}

Result<Hdf5Handle> create_file(const std::filesystem::path& path, const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  // Strong: closing the file after a failure closes what is still open in it.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (!access || H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) < 0) {
    return hdf5_error(where, "cannot be created", kDiskAdvice);
  }
#if H5_VERSION_GE(1, 10, 7)
  // Nobody else knows the file, and where locks are made of other locks (NFS) the one that
  // libhdf5 wants would meet ours.
  if (H5Pset_file_locking(access.get(), 0, 1) < 0) {
    return hdf5_error(where, "cannot be created", kDiskAdvice);
  }
#endif
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  if (!file) return hdf5_error(where, "cannot be created", kDiskAdvice);
  return file;
}

Status write_file(const std::vector<Apr>& series, const std::vector<std::string>& names,
                  const AprWriteOptions& options, const std::filesystem::path& temporary,
                  const std::string& where, const JobContext& context) {
  auto file = create_file(temporary, where);
  if (!file) return file.error();
  auto root = create_group(file->get(), kAprRoot, where);
  if (!root) return root.error();
  const double n = static_cast<double>(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    const JobContext part =
        context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
    if (Status written = write_group(root->get(), names[i], series[i], options, where, part);
        !written) {
      return written;
    }
  }
  const std::scoped_lock lock(hdf5_mutex());
  if (H5Fflush(file->get(), H5F_SCOPE_GLOBAL) < 0 || !root->reset() || !file->reset()) {
    return hdf5_error(where, "cannot be written to the end", kDiskAdvice);
  }
  return {};
}

}  // namespace

Status write_apr_series(const std::vector<Apr>& series, const std::filesystem::path& path,
                        const AprWriteOptions& options, const JobContext& context) {
  const std::string where = path.string();
  if (series.empty()) return Error{"there is nothing to write", where, "choose at least one APR"};
  for (const Apr& apr : series) {
    if (Status fine = check(apr, where); !fine) return fine;
  }
  try {
    auto names = group_names(series, where);
    if (!names) return names.error();
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      if (context.stop_requested()) return cancelled_error();
      return write_file(series, *names, options, temporary, where, context);
    });
  } catch (const std::exception&) {
    return Error{"there is too little memory to write it", where, "close other data"};
  }
}

Status write_apr(const Apr& apr, const std::filesystem::path& path, const AprWriteOptions& options,
                 const JobContext& context) {
  return write_apr_series({apr}, path, options, context);
}

}  // namespace aprscope
