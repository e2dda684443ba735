#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/apr/sample/cell_rows.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/apr/structure/part.hpp"
#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// The particles of one channel and time point of an .apr file, read slab by slab, so that they are
/// never whole in memory. One thread at a time.
class AprFileSlabs {
 public:
  /// Opens a file. None if it cannot be read in parts (the older layout, no
  /// field, an image of two pixels): use load_apr() then. Errors: those of
  /// load_apr().
  static Result<std::optional<AprFileSlabs>> open(const SourceInfo& info,
                                                  const SourceSelection& selection,
                                                  const JobContext& context = {});
  AprFileSlabs(AprFileSlabs&&) noexcept;
  AprFileSlabs& operator=(AprFileSlabs&&) noexcept;
  ~AprFileSlabs();

  /// Name, voxel size, parameters, history and so on; no structure and no fields.
  [[nodiscard]] const Apr& facts() const;
  /// Sets a voxel size to use instead of the file's.
  void set_voxel(const VoxelSize& voxel);
  [[nodiscard]] const Size3& size() const;
  [[nodiscard]] int level_max() const;
  [[nodiscard]] std::uint64_t count() const;
  /// The field that is read, see Apr::main_field(); and whether its values are whole numbers.
  [[nodiscard]] const std::string& field() const;
  [[nodiscard]] bool whole_numbers() const;
  /// Number of interior cells in the tree of the file, with the means of the field; 0: no tree.
  [[nodiscard]] std::uint64_t tree_count() const;

  /// Index of the first particle of a level in its plane z, 0 to the number of planes.
  [[nodiscard]] std::uint64_t first_in_plane(int level, std::int64_t z) const;
  /// The same of the interior cells in the tree of the file, levels 0 to level_max − 1.
  [[nodiscard]] std::uint64_t first_of_tree(int level, std::int64_t z) const;

  /// Reads the levels 1 to `coarsest`, which slab() and coarse_cells() then take from memory.
  /// Errors: rows that are out of order, no memory, cancelled.
  Status read_coarse(int coarsest, const JobContext& context);
  /// The cells of levels 1 to `coarsest`, and their values.
  [[nodiscard]] const LinearAccess& coarse_cells() const;
  [[nodiscard]] std::span<const float> coarse_values() const;

  /// From now on slab() and coarse_values() give these values, one a particle, in the place of the
  /// field; they must stay where they are. None: the field's again.
  void use_values(std::span<const float> values);

  /// slab_of() for the level that read_coarse() was given. Errors: also those of load_apr().
  Result<AprPart> slab(std::int64_t begin, std::int64_t end, std::int64_t keep_begin,
                       std::int64_t keep_end, const JobContext& context) const;

  /// The rows of a level in its planes [z0, z1), their ends counted from the first particle of all,
  /// without values if these are not wanted. Errors: rows that are out of order, no memory,
  /// cancelled.
  Result<CellRows> rows(int level, std::int64_t z0, std::int64_t z1, const JobContext& context,
                        bool with_values = true) const;
  /// Values of the field from particle `begin` on. Errors: no memory, cancelled.
  Status read_field(std::uint64_t begin, std::span<float> out, const JobContext& context) const;

  /// An error if the file is another than when it was opened.
  [[nodiscard]] Status unchanged() const;

  /// Private to core/io.
  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  explicit AprFileSlabs(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
