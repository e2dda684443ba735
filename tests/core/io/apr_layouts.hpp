#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tests/core/io/apr_maker.hpp"

// The layouts that .apr files come in, written with plain HDF5 calls.

namespace aprscope::test {

inline const std::string kRoot = "ParticleRepr";
inline const std::string kGroup = "ParticleRepr/t";

/// Attributes as the reference writes them; `dirt` goes into the upper halves of its 4-byte
/// numbers.
inline void write_sizes(PlainHdf5& file, const std::string& group, const Size3& size,
                        std::uint64_t particles, std::uint64_t dirt = 0) {
  const auto dirty = [&](std::int64_t n) { return static_cast<std::uint64_t>(n) | dirt << 32U; };
  file.attribute(group, "z_num", dirty(size.z));
  file.attribute(group, "x_num", dirty(size.x));
  file.attribute(group, "y_num", dirty(size.y));
  file.attribute(group, "level_max", dirty(finest_level(size)));
  file.attribute(group, "level_min", dirty(1));
  file.attribute(group, "total_number_particles", particles);
  file.text(group, "name", "a sphere");
  file.attribute(group, "rel_error", 0.25F);
  file.attribute(group, "dz", 2.0F);
  file.attribute(group, "dx", 0.5F);
  file.attribute(group, "dy", 0.25F);
}

inline std::vector<std::uint16_t> values_of(const std::vector<Cell>& cells) {
  std::vector<std::uint16_t> values;
  for (const Cell& c : cells) values.push_back(value_of(c));
  return values;
}

inline void write_linear(PlainHdf5& file, const Size3& size, const std::vector<Cell>& cells) {
  const auto [y, ends] = linear_arrays(size, cells);
  file.dataset(kGroup + "/y_vec", y);
  file.dataset(kGroup + "/xz_end_vec", ends);
}

/// The old layout, built row by row from the list of cells.
struct OldArrays {
  std::vector<std::uint8_t> level;
  std::vector<std::int16_t> x, z, gaps, index, y_begin, y_end;
  std::vector<Cell> order;  // cells in the old order
};

inline OldArrays old_arrays(const Size3& size, std::vector<Cell> cells) {
  const int last = finest_level(size);
  const auto row_of = [&](const Cell& c) {
    const std::int64_t d = c.level == last ? 2 : 1;
    return std::tuple(c.level, c.z / d, c.x / d);
  };
  std::sort(cells.begin(), cells.end(), [&](const Cell& a, const Cell& b) {
    return std::tuple(row_of(a), a.z, a.x, a.y) < std::tuple(row_of(b), b.z, b.x, b.y);
  });
  OldArrays out;
  std::uint16_t before = 0;
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t end = i;
    while (end < cells.size() && row_of(cells[end]) == row_of(cells[i])) ++end;
    const auto [level, z, x] = row_of(cells[i]);
    out.level.push_back(static_cast<std::uint8_t>(level));
    out.z.push_back(static_cast<std::int16_t>(z));
    out.x.push_back(static_cast<std::int16_t>(x));
    // The runs of the first child row stand for all of them.
    std::int16_t gaps = 0;
    for (std::size_t k = i; k < end; ++k) {
      if (cells[k].z != cells[i].z || cells[k].x != cells[i].x) break;
      if (k == i || cells[k].y != cells[k - 1].y + 1) {
        out.y_begin.push_back(static_cast<std::int16_t>(cells[k].y));
        out.y_end.push_back(0);
        ++gaps;
      }
      out.y_end.back() = static_cast<std::int16_t>(cells[k].y);
    }
    out.gaps.push_back(gaps);
    const auto stop = static_cast<std::uint16_t>(end);
    out.index.push_back(static_cast<std::int16_t>(static_cast<std::uint16_t>(stop - before)));
    before = stop;
    i = end;
  }
  out.order = std::move(cells);
  return out;
}

inline void write_old(PlainHdf5& file, const OldArrays& a, const std::string& meta) {
  file.attribute(meta, "total_number_non_empty_rows", std::uint64_t{a.level.size()});
  file.attribute(meta, "total_number_gaps", std::uint64_t{a.y_begin.size()});
  file.dataset(kGroup + "/map_level", a.level);
  file.dataset(kGroup + "/map_x", a.x);
  file.dataset(kGroup + "/map_z", a.z);
  file.dataset(kGroup + "/map_number_gaps", a.gaps);
  file.dataset(kGroup + "/map_global_index", a.index);
  file.dataset(kGroup + "/map_y_begin", a.y_begin);
  file.dataset(kGroup + "/map_y_end", a.y_end);
}

}  // namespace aprscope::test
