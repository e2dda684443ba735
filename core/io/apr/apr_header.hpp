#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/io/apr/apr_groups.hpp"
#include "core/io/common/source_info.hpp"
#include "core/io/common/wnl.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: everything in an .apr file but the arrays.

namespace aprscope {

/// Group that holds the groups of all channels and time points.
inline constexpr const char* kAprRoot = "ParticleRepr";
/// Name of the subgroup with the tree.
inline constexpr const char* kAprTree = "Tree";
inline constexpr const char* kUnnamed = "no_name";
/// Attribute of our own files: names of the fields in their order, one a line.
inline constexpr const char* kFieldOrder = "field_order";

/// True for the names of the datasets that describe the structure in either layout.
bool is_structure_dataset(const std::string& name);

/// Compression of the particle fields of a group.
struct FieldCoding {
  bool wnl = false;
  WnlParameters parameters;
};

/// What the attributes of one time group say.
struct AprHeader {
  Size3 size;
  int level_max = 1;
  std::uint64_t particles = 0;
  bool random_access = false;
  /// Random access layout only: whether fields are in linear order already.
  bool linear_order = true;
  AprParameters parameters;
  VoxelSize voxel;
  std::string name;
  std::vector<std::string> history;
  FieldCoding coding;
  /// Names of the fields, and of datasets that are none (with the reason).
  std::vector<std::string> fields;
  std::vector<std::string> ignored;
};

/// Name, parameters and history of a group's APR; the history tells what is left out. No fields.
Apr described_apr(const AprHeader& header);

/// An opened .apr file and its table of contents.
struct AprFile {
  std::string path;
  Hdf5Object root;
  AprGroups groups;
};

/// See inspect_apr() of apr_file.hpp.
Result<SourceInfo> inspect_apr(const std::shared_ptr<Hdf5Reader>& reader);

/// Opens a file. Errors: not HDF5, no group /ParticleRepr in it, no APR in that, cancelled.
Result<AprFile> open_apr_file(const std::string& path, const std::stop_token& stop = {});
/// The same of a file that is open already.
Result<AprFile> open_apr_file(const std::shared_ptr<Hdf5Reader>& reader);

/// One channel and time point of an opened file.
struct AprGroup {
  /// The file and the group in it, for errors.
  std::string where;
  Hdf5Object group;
  AprHeader header;
};

/// Opens the group `name` of `file`, then reads and checks its header. Errors: the group cannot be
/// opened, its sizes are missing or impossible, its fields are coded in an unknown way.
Result<AprGroup> open_apr_group(const AprFile& file, const std::string& name);

/// Compression of the fields in `group` (a time group or its tree); `fallback` is asked where it
/// says nothing.
Result<FieldCoding> read_field_coding(const Hdf5Object& group, const Hdf5Object& fallback,
                                      const AprParameters& parameters);

/// Names of the particle fields among the `children` of a group, in the order that the group
/// states, the others by name; what is no field goes to `ignored`.
std::vector<std::string> field_names(const Hdf5Object& group,
                                     const std::vector<Hdf5Child>& children,
                                     std::vector<std::string>& ignored);

/// The name of the field that is shown first, see Apr::main_field(); "" when there is none.
std::string main_field_name(const std::vector<std::string>& fields);

}  // namespace aprscope
