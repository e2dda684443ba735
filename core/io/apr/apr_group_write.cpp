#include "core/io/apr/apr_group_write.hpp"

#include <algorithm>
#include <vector>

#include "core/io/apr/apr_groups.hpp"
#include "core/io/apr/apr_header.hpp"

namespace aprscope {
namespace {

// The reference library reads the name into 100 bytes.
constexpr std::size_t kLongestName = 99;
// Attributes of a group share a limit of 64 KB. Oldest lines of a longer history are left out.
constexpr std::size_t kLongestHistory = 32768;
constexpr const char* kDefaultChannel = "t";

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

// A valid name of an HDF5 link: no slash, not "." and not empty.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::replace(name.begin(), name.end(), '\0', '_');
  if (name.empty()) name = kDefaultChannel;
  if (name == ".") name = "_";
  return name;
}

bool write_sizes(hid_t group, const AprExtent& extent) {
  const Size3& size = extent.size;
  const auto u64 = [](auto value) { return static_cast<std::uint64_t>(value); };
  bool ok = write_attribute(group, "z_num", u64(size.z)) &&
            write_attribute(group, "x_num", u64(size.x)) &&
            write_attribute(group, "y_num", u64(size.y)) &&
            write_attribute(group, "total_number_particles", u64(extent.particles)) &&
            write_attribute(group, "level_min", u64(1)) &&
            write_attribute(group, "level_max", u64(extent.level_max));
  for (int l = 1; ok && l < extent.level_max; ++l) {
    const Size3 grid = level_grid(size, extent.level_max, l);
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

// Attributes that the reference library reads from every group with fields. A tree needs them, too:
// without them the library looks for them in the wrong group.
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

// Throws std::bad_alloc if memory is too short for what libhdf5 keeps of a new file: libhdf5 itself
// would crash.
void check_room_for_file() {
  std::vector<char> room(std::size_t{8} << 20U);
  // Written to, so that no compiler optimises the allocation away.
  volatile char* const first = room.data();
  *first = 1;
}

Result<Hdf5Handle> create_file(const std::filesystem::path& path, const std::string& where) {
  check_room_for_file();
  const std::scoped_lock lock(hdf5_mutex());
  // Strong: closing the file after a failure closes what is still open in it.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  if (!access || H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) < 0) {
    return hdf5_error(where, "cannot be created", kDiskAdvice);
  }
#if H5_VERSION_GE(1, 10, 7)
  // Without a lock of libhdf5: no other process knows the file, and on NFS, where flock() is made
  // of other locks, it would conflict with ours.
  if (H5Pset_file_locking(access.get(), 0, 1) < 0) {
    return hdf5_error(where, "cannot be created", kDiskAdvice);
  }
#endif
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  if (!file) return hdf5_error(where, "cannot be created", kDiskAdvice);
  return file;
}

}  // namespace

Result<std::string> GroupNames::next(const Apr& apr, const std::string& where) {
  if (apr.time < 0) return Error{"a time point is negative", where, "number them from 0"};
  if (!places_.emplace(apr.channel, apr.time).second) {
    return Error{"channel \"" + apr.channel + "\" would hold time point " +
                     std::to_string(apr.time) + " twice",
                 where, "give the channels different names"};
  }
  std::string channel = link_name(apr.channel);
  while (!taken_.insert(group_name(channel, apr.time)).second) channel += '_';
  return group_name(channel, apr.time);
}

Result<Hdf5Handle> create_group(hid_t parent, const std::string& name, const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  Hdf5Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!group) return hdf5_error(where, "group " + name + " cannot be written", kDiskAdvice);
  return group;
}

Result<NewAprFile> NewAprFile::create(const std::filesystem::path& path, const std::string& where) {
  NewAprFile out;
  auto file = create_file(path, where);
  if (!file) return file.error();
  out.file = std::move(*file);
  auto root = create_group(out.file.get(), kAprRoot, where);
  if (!root) return root.error();
  out.root = std::move(*root);
  return out;
}

Status NewAprFile::close(const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0 || !root.reset() || !file.reset()) {
    return hdf5_error(where, "cannot be written to the end", kDiskAdvice);
  }
  return {};
}

Result<Hdf5Handle> create_apr_group(hid_t root, const std::string& name, const Apr& apr,
                                    const AprExtent& extent, const std::string& where) {
  auto group = create_group(root, name, where);
  if (!group) return group;
  const std::scoped_lock lock(hdf5_mutex());
  const hid_t g = group->get();
  const std::string title = apr.name.empty() ? kUnnamed : shortened(apr.name, kLongestName);
  if (!write_attribute(g, "time_steps", static_cast<std::uint64_t>(apr.time)) ||
      !write_attribute(g, "name", title) ||
      !write_attribute(g, "githash", std::string("aprscope")) || !write_sizes(g, extent) ||
      !write_parameters(g, apr.parameters, apr.voxel) || !write_coding(g) || !write_own(g, apr)) {
    return hdf5_error(where, "its attributes cannot be written", kDiskAdvice);
  }
  return group;
}

Result<Hdf5Handle> create_tree_group(hid_t parent, std::uint64_t cells, const std::string& where) {
  auto group = create_group(parent, kAprTree, where);
  if (!group) return group;
  const std::scoped_lock lock(hdf5_mutex());
  if (!write_attribute(group->get(), "total_number_particles", cells) ||
      !write_coding(group->get())) {
    return hdf5_error(where, "the tree cannot be written", kDiskAdvice);
  }
  return group;
}

Status link_structure(hid_t root, const std::string& of, hid_t group, const std::string& where) {
  const std::scoped_lock lock(hdf5_mutex());
  for (const char* list : {"y_vec", "xz_end_vec"}) {
    if (H5Lcreate_hard(root, (of + '/' + list).c_str(), group, list, H5P_DEFAULT, H5P_DEFAULT) <
        0) {
      return hdf5_error(where, "its structure cannot be written", kDiskAdvice);
    }
  }
  return {};
}

Status write_field_order(hid_t group, const std::vector<std::string>& names,
                         const std::string& where) {
  if (names.size() < 2) return {};
  std::string order;
  for (const std::string& name : names) order += name + '\n';
  const std::scoped_lock lock(hdf5_mutex());
  if (write_attribute(group, kFieldOrder, order)) return {};
  return hdf5_error(where, "its attributes cannot be written", kDiskAdvice);
}

}  // namespace aprscope
