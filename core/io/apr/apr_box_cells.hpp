#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/apr/structure/crop.hpp"
#include "core/io/apr/apr_cells.hpp"

// Private to core/io: the cells of a box of an .apr file, without the rest of their planes.

namespace aprscope {

/// The cells of one level that lie in a box of cells, and where they lie in the file. Some planes
/// are read at a time, and only cells that the box touches are kept.
class BoxCells {
 public:
  /// `box` in cells of that level; `cells` must outlive this.
  BoxCells(const AprCells& cells, const AprHeader& header, const Region& box, int level);

  /// Reads rows and y. Errors: rows that are out of order, cancelled. Throws std::bad_alloc.
  Status read(const std::string& where, const JobContext& context);

  [[nodiscard]] std::uint64_t count() const { return y_.size(); }
  /// The rows of the box alone.
  [[nodiscard]] CropRows rows() const;

  /// Appends the values of these cells, of a dataset with one for each cell of the file.
  Status append_values(const Hdf5Vector& vector, const FieldCoding& coding, FieldValues& all,
                       const JobContext& context) const;

  /// The cells as whole planes, in which rows outside of the box are empty; with values as f32 if
  /// the cells of the file were opened with a field.
  Result<CellRows> planes(const FieldCoding& coding, const JobContext& context) const;

 private:
  // Cells that follow each other in the file.
  struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t count = 0;
  };
  // Planes read at once, and the stretches of cells in them that the box touches.
  struct Slab {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t first_stretch = 0;
    std::size_t end_stretch = 0;
  };
  Status read_ends(std::int64_t z0, std::int64_t z1, std::vector<std::uint64_t>& ends,
                   const std::string& where, const JobContext& context) const;
  Status read_slab(std::int64_t z0, std::int64_t z1, const std::uint64_t* ends,
                   const JobContext& context);

  const AprCells& cells_;
  int level_;
  Region box_;
  Size3 grid_;
  std::vector<Slab> slabs_;
  std::vector<Stretch> stretches_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint16_t> y_;
};

}  // namespace aprscope
