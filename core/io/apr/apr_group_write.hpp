#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "core/apr/structure/apr.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/blosc_packing.hpp"

// Private to core/io: new .apr files, and the attributes of a group in them.

namespace aprscope {

/// How the structure and the fields of a file are packed.
struct AprPacking {
  BloscPacking structure, fields;
};
/// packs_for_looking(): LZ4, thoroughly where that hardly takes time; else zstd at the levels that
/// the reference library uses.
inline AprPacking packing_of(bool for_looking) {
  if (for_looking) return {{BloscCodec::lz4hc, 1}, {BloscCodec::lz4, 1}};
  return {{BloscCodec::zstd, 4}, {BloscCodec::zstd, 2}};
}
inline AprPacking packing_of(const AprWriteOptions& options, const Size3& size) {
  return packing_of(options.for_looking.value_or(packs_for_looking(size)));
}

/// Types of the structure and of means, as FieldValues counts them.
inline constexpr int kU16 = 1;
inline constexpr int kU64 = 3;
inline constexpr int kF32 = 8;
inline constexpr const char* kDiskAdvice = "free some space or choose another folder";

/// A new file and its group of all channels and time points.
struct NewAprFile {
  Hdf5Handle file;
  Hdf5Handle root;

  /// Creates or truncates the file `path`. Errors: it cannot be created. Throws std::bad_alloc.
  static Result<NewAprFile> create(const std::filesystem::path& path, const std::string& where);
  /// Closes the file. Errors: the disk is full.
  Status close(const std::string& where);
};

/// A name for each group; those that <channel><t> makes equal get a mark, the attributes `channel`
/// and `time_steps` tell them apart.
class GroupNames {
 public:
  /// The name of the group of the next APR. Errors: a negative time point, the same place twice.
  Result<std::string> next(const Apr& apr, const std::string& where);

 private:
  std::set<std::pair<std::string, int>> places_;
  std::set<std::string> taken_;
};

/// Creates a group. Errors: the disk is full.
Result<Hdf5Handle> create_group(hid_t parent, const std::string& name, const std::string& where);

/// The size of the structure of a group.
struct AprExtent {
  Size3 size;
  int level_max = 1;
  std::uint64_t particles = 0;
};

/// Creates the group of one channel and time point with all its attributes: name, parameters
/// and history of `apr`; its structure is described by `extent` alone. Errors: the disk is
/// full.
Result<Hdf5Handle> create_apr_group(hid_t root, const std::string& name, const Apr& apr,
                                    const AprExtent& extent, const std::string& where);

/// Creates the group of the tree of an APR. Errors: the disk is full.
Result<Hdf5Handle> create_tree_group(hid_t parent, std::uint64_t cells, const std::string& where);

/// The group of an APR whose structure others may share.
struct WrittenStructure {
  std::string group;
  bool with_tree = false;
};
/// Gives `group` the lists of the structure in the group `of` ("a", or "a/tree") of `root`: they
/// are in the file once, under both names (hard links), and whoever reads either group finds them
/// as its own. Errors: the disk is full.
Status link_structure(hid_t root, const std::string& of, hid_t group, const std::string& where);

/// Writes the order of the fields of a group, if there are several. Errors: the disk is
/// full.
Status write_field_order(hid_t group, const std::vector<std::string>& names,
                         const std::string& where);

}  // namespace aprscope
