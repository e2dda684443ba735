#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/io/em/mrc_write.hpp"
#include "core/io/projections/projection_file.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace aprscope::fuzz {

inline constexpr std::size_t kMostRows = 64;
inline constexpr std::int64_t kLongestSide = 256;

/// Opens a table of projections, reads its images and writes it as STAR again.
inline void read_table(const std::string& path) {
  const bool is_table = is_projection_table(path);
  const auto opened = open_projections(path);
  if (!opened) return expect_sentence(opened.error());
  (void)is_table;
  ProjectionTable table = opened->table;
  expect(!table.rows.empty() && !table.optics.empty(), "a table has rows and optics");
  for (const Projection& row : table.rows) {
    expect(row.stack < table.stacks.size(), "a row is of a stack of the table");
    expect(row.optics < table.optics.size(), "a row is of a group of the table");
    expect(row.half >= 0 && row.half <= 2, "a row is of a half or of none");
  }
  for (const UnusableRow& bad : table.unusable) {
    expect(bad.row >= 0 && static_cast<std::size_t>(bad.row) < table.rows.size(),
           "an unusable row is one of the table");
  }
  (void)leave_out_unusable(table);
  if (table.side > 0 && table.side <= kLongestSide) {
    const auto pixels = static_cast<std::size_t>(table.side * table.side);
    std::vector<float> image(pixels);
    for (std::size_t i = 0; i < std::min(table.rows.size(), kMostRows); ++i) {
      const Status read =
          opened->images->read(std::span(opened->table.rows).subspan(i, 1), image, {});
      if (!read) expect_sentence(read.error());
      expect(read.ok() || !table.rows[i].enabled, "an image that is usable can be read");
    }
  }
  const std::string again = path + ".star";
  const Status written = write_star(again, table);
  if (!written) return expect_sentence(written.error());
  const auto read = open_projections(again);
  expect(read.ok(), "a table that was written can be read");
}

}  // namespace aprscope::fuzz
