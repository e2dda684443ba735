#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "core/apr/structure/apr.hpp"
#include "core/io/apr/apr_hdf5.hpp"

// Private to core/io: new .apr files, and all that a group of them says beside its datasets.

namespace aprscope {

/// Levels of zstd that the reference library uses for structure and for fields.
inline constexpr unsigned kStructureLevel = 4;
inline constexpr unsigned kFieldLevel = 2;
/// Types of the structure and of means, as FieldValues counts them.
inline constexpr int kU16 = 1;
inline constexpr int kU64 = 3;
inline constexpr int kF32 = 8;
inline constexpr const char* kDiskAdvice = "free some space or choose another folder";

/// A new file and its group of all channels and time points.
struct NewAprFile {
  Hdf5Handle file;
  Hdf5Handle root;

  /// Truncates what is at `path`. Errors: it cannot be created. Throws std::bad_alloc.
  static Result<NewAprFile> create(const std::filesystem::path& path, const std::string& where);
  /// Errors: the disk is full.
  Status close(const std::string& where);
};

/// A name for each group; those that <channel><t> makes equal get a mark, the attributes `channel`
/// and `time_steps` tell them apart.
class GroupNames {
 public:
  /// Errors: a negative time point, the same place twice.
  Result<std::string> next(const Apr& apr, const std::string& where);

 private:
  std::set<std::pair<std::string, int>> places_;
  std::set<std::string> taken_;
};

/// Errors: the disk is full.
Result<Hdf5Handle> create_group(hid_t parent, const std::string& name, const std::string& where);

/// What the structure of a group is.
struct AprExtent {
  Size3 size;
  int level_max = 1;
  std::uint64_t particles = 0;
};

/// Creates the group of one channel and time point with all its attributes: what `apr` is called,
/// was made with and has been through; of its structure only `extent` counts. Errors: the disk is
/// full.
Result<Hdf5Handle> create_apr_group(hid_t root, const std::string& name, const Apr& apr,
                                    const AprExtent& extent, const std::string& where);

/// Creates the group of its tree. Errors: the disk is full.
Result<Hdf5Handle> create_tree_group(hid_t parent, std::uint64_t cells, const std::string& where);

/// Says in which order the fields of a group come, where there are several. Errors: the disk is
/// full.
Status write_field_order(hid_t group, const std::vector<std::string>& names,
                         const std::string& where);

}  // namespace aprscope
