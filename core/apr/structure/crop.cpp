#include "core/apr/structure/crop.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <string>
#include <utility>

#include "core/base/memory_error.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/labels.hpp"

namespace aprscope {
namespace {

constexpr std::array<std::int64_t Size3::*, 3> kDimensions{&Size3::z, &Size3::x, &Size3::y};

std::string text_of(const Size3& size) {
  return std::to_string(size.z) + " × " + std::to_string(size.x) + " × " + std::to_string(size.y);
}

// Cells up to this shift (log2 of the side) begin at a multiple of their side in the box, too.
int kept_shift(const Index3& begin) {
  const auto bits = static_cast<std::uint64_t>(begin.z | begin.x | begin.y);
  return bits == 0 ? 62 : std::countr_zero(bits);
}

// The grid of the box, and which of its cells lie within a cell of the whole.
class Pieces {
 public:
  Pieces(const Region& box, int level_max)
      : box_(box),
        size_(box.size()),
        level_max_(level_max),
        finest_(finest_level(size_)),
        kept_(std::min(kept_shift(box.begin), finest_ - 1)) {
    for (int l = 1; l <= finest_; ++l) {
      grids_.push_back(level_grid(size_, finest_, l));
      first_rows_.push_back(row_entries(size_, finest_, 1, l - 1));
    }
  }

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] int finest() const { return finest_; }
  // Number of entries of `xz_end` of the cropped APR.
  [[nodiscard]] std::uint64_t entries() const { return row_entries(size_, finest_, 1, finest_); }
  [[nodiscard]] int shift_of(int level) const { return level_max_ - level; }
  [[nodiscard]] bool stays(int shift) const { return shift <= kept_; }

  [[nodiscard]] Region touched(int level) const { return touched_cells(box_, level_max_, level); }

  // Index into xz_end of the row (z, x) of the cells with that shift.
  [[nodiscard]] std::uint64_t row(int shift, std::int64_t z, std::int64_t x) const {
    const auto level = static_cast<std::size_t>(finest_ - shift - 1);
    return first_rows_[level] + static_cast<std::uint64_t>(z * grids_[level].x + x);
  }

  // Where a cell that stays whole lies in the new grid.
  [[nodiscard]] Index3 place(int shift, const Index3& cell) const {
    return {cell.z - (box_.begin.z >> shift), cell.x - (box_.begin.x >> shift),
            cell.y - (box_.begin.y >> shift)};
  }

  // Calls visit(shift, place) for the largest cells of the new grid that lie in a cell of the
  // whole.
  template <class Visit>
  void for_each_piece(int shift, const Index3& cell, const Visit& visit) const {
    Region inside;
    for (const auto d : kDimensions) {
      inside.begin.*d = std::max<std::int64_t>(0, (cell.*d << shift) - box_.begin.*d);
      inside.end.*d = std::min(size_.*d, ((cell.*d + 1) << shift) - box_.begin.*d);
    }
    const int largest = std::min(shift, finest_ - 1);
    Region blocks;
    for (const auto d : kDimensions) {
      blocks.begin.*d = inside.begin.*d >> largest;
      blocks.end.*d = ((inside.end.*d - 1) >> largest) + 1;
    }
    visit_blocks(largest, blocks, inside, visit);
  }

 private:
  // The cells of half the side in one, in the image.
  [[nodiscard]] Region halves_of(int shift, const Index3& at) const {
    Region out;
    for (const auto d : kDimensions) {
      out.begin.*d = at.*d << 1;
      out.end.*d = std::min((at.*d + 1) << 1, ((size_.*d - 1) >> (shift - 1)) + 1);
    }
    return out;
  }

  template <class Visit>
  void visit_blocks(int shift, const Region& blocks, const Region& inside,
                    const Visit& visit) const {
    Index3 at;
    for (at.z = blocks.begin.z; at.z < blocks.end.z; ++at.z) {
      for (at.x = blocks.begin.x; at.x < blocks.end.x; ++at.x) {
        for (at.y = blocks.begin.y; at.y < blocks.end.y; ++at.y) {
          bool fits = true;
          bool meets = true;
          for (const auto d : kDimensions) {
            const std::int64_t begin = at.*d << shift;
            const std::int64_t end = std::min(size_.*d, (at.*d + 1) << shift);
            fits = fits && begin >= inside.begin.*d && end <= inside.end.*d;
            meets = meets && end > inside.begin.*d && begin < inside.end.*d;
          }
          if (fits) {
            visit(shift, at);
          } else if (meets) {  // a pixel that meets fits
            visit_blocks(shift - 1, halves_of(shift, at), inside, visit);
          }
        }
      }
    }
  }

  Region box_;
  Size3 size_;
  int level_max_;
  int finest_;
  // Larger ones are cut, or there are none so large.
  int kept_;
  std::vector<Size3> grids_;
  std::vector<std::uint64_t> first_rows_;
};

// The rows of all levels.
std::vector<CropRows> all_rows(const LinearAccess& cells) {
  std::vector<CropRows> out;
  for (int l = cells.level_first(); l <= cells.level_last(); ++l) {
    const auto rows = static_cast<std::size_t>(cells.grid(l).z * cells.grid(l).x);
    const auto ends = cells.xz_end().subspan(cells.first_row(l) - 1, rows + 1);
    out.push_back({l, 0, 0, cells.grid(l).x, ends,
                   cells.y().subspan(ends.front(), ends.back() - ends.front())});
  }
  return out;
}

Status check_room(std::uint64_t bytes) {
  const std::uint64_t left = available_bytes();
  if (left == 0 || bytes <= left) return {};
  return Error{
      "needs " + format_bytes(bytes) + " of memory where " + format_bytes(left) + " are free", "",
      "take a smaller box, or one that begins at multiples of 16 pixels"};
}

Error uncovered() {
  return {"its rows do not cover the box", "particle structure", "the file is damaged"};
}

// Whether the rows are those that the box touches, in order.
bool fits(const CropRows& rows, const Region& touched) {
  const std::int64_t across = rows.x1 - rows.x0;
  if (rows.ends.empty() || across < 1) return false;
  const std::int64_t planes = (static_cast<std::int64_t>(rows.ends.size()) - 1) / across;
  return rows.z0 <= touched.begin.z && rows.z0 + planes >= touched.end.z &&
         rows.x0 <= touched.begin.x && rows.x1 >= touched.end.x &&
         std::is_sorted(rows.ends.begin(), rows.ends.end()) &&
         rows.ends.back() - rows.ends.front() == rows.y.size();
}

// The way through the rows that the box touches, in parallel: stretch(row, offset, ys, first) for
// cells of a row that stay, where `offset` takes their y to the new grid; piece(row, y, cell) for
// each of those that a larger one is cut into. `row` is an index into xz_end.
class Walk {
 public:
  Walk(const Pieces& pieces, std::span<const CropRows> rows) : pieces_(pieces), rows_(rows) {
    std::uint64_t before = 0;
    for (const CropRows& level : rows) {
      before_.push_back(before);
      before += level.y.size();
    }
  }

  [[nodiscard]] bool covers() const {
    return std::all_of(rows_.begin(), rows_.end(), [&](const CropRows& level) {
      return fits(level, pieces_.touched(level.level));
    });
  }

  template <class Stretch, class Piece>
  void for_each(std::size_t level, const JobContext& context, const Stretch& stretch,
                const Piece& piece) const {
    const CropRows& rows = rows_[level];
    const int shift = pieces_.shift_of(rows.level);
    const Region touched = pieces_.touched(rows.level);
    const std::int64_t across = touched.end.x - touched.begin.x;
    const std::int64_t count = (touched.end.z - touched.begin.z) * across;
    parallel_each(
        count, threads_for(static_cast<std::int64_t>(rows.y.size())), [&](std::int64_t i, int) {
          if (context.stop_requested()) return;
          const Index3 at{touched.begin.z + i / across, touched.begin.x + i % across, 0};
          const auto row =
              static_cast<std::size_t>((at.z - rows.z0) * (rows.x1 - rows.x0) + at.x - rows.x0);
          const std::uint64_t start = rows.ends.front();
          const auto all =
              rows.y.subspan(rows.ends[row] - start, rows.ends[row + 1] - rows.ends[row]);
          const auto low = std::lower_bound(all.begin(), all.end(), touched.begin.y);
          const auto high = std::lower_bound(low, all.end(), touched.end.y);
          if (low == high) return;
          const std::uint64_t first = before_[level] + (rows.ends[row] - start) +
                                      static_cast<std::uint64_t>(low - all.begin());
          visit_row(shift, at, {low, high}, first, stretch, piece);
        });
  }

 private:
  template <class Stretch, class Piece>
  void visit_row(int shift, Index3 at, std::span<const std::uint16_t> y, std::uint64_t first,
                 const Stretch& stretch, const Piece& piece) const {
    if (pieces_.stays(shift)) {
      const Index3 place = pieces_.place(shift, {at.z, at.x, 0});
      stretch(pieces_.row(shift, place.z, place.x), place.y, y, first);
      return;
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      at.y = y[i];
      pieces_.for_each_piece(shift, at, [&](int smaller, const Index3& place) {
        piece(pieces_.row(smaller, place.z, place.x), place.y, first + i);
      });
    }
  }

  const Pieces& pieces_;
  std::span<const CropRows> rows_;
  std::vector<std::uint64_t> before_;
};

std::uint64_t add(std::uint64_t& to, std::uint64_t count) {
  return std::atomic_ref<std::uint64_t>(to).fetch_add(count, std::memory_order_relaxed);
}

// Rows of the cropped APR whose cells came from several rows, in any order: sorts them by y.
void sort_rows(const std::vector<std::uint64_t>& xz_end, std::vector<std::uint16_t>& y,
               std::vector<std::uint64_t>& from) {
  const auto rows = static_cast<std::int64_t>(xz_end.size()) - 1;
  parallel_stretches(rows, threads_for(static_cast<std::int64_t>(y.size())),
                     [&](std::int64_t begin, std::int64_t end, int) {
                       std::vector<std::pair<std::uint16_t, std::uint64_t>> row;
                       for (std::int64_t r = begin; r < end; ++r) {
                         const std::uint64_t first = xz_end[static_cast<std::size_t>(r)];
                         const std::uint64_t last = xz_end[static_cast<std::size_t>(r) + 1];
                         if (std::is_sorted(y.begin() + static_cast<std::ptrdiff_t>(first),
                                            y.begin() + static_cast<std::ptrdiff_t>(last))) {
                           continue;
                         }
                         row.clear();
                         for (std::uint64_t i = first; i < last; ++i)
                           row.emplace_back(y[i], from[i]);
                         std::sort(row.begin(), row.end());
                         for (std::uint64_t i = first; i < last; ++i) {
                           y[i] = row[i - first].first;
                           from[i] = row[i - first].second;
                         }
                       }
                     });
}

}  // namespace

Status check_box(const Size3& size, const Region& box) {
  for (const auto d : kDimensions) {
    if (box.begin.*d < 0 || box.end.*d > size.*d || box.begin.*d >= box.end.*d) {
      return Error{"the image of " + text_of(size) + " pixels has no such box", "",
                   "choose one inside"};
    }
  }
  return {};
}

Region touched_cells(const Region& box, int level_max, int level) {
  const int shift = level_max - level;
  Region out;
  for (const auto d : kDimensions) {
    out.begin.*d = box.begin.*d >> shift;
    out.end.*d = ((box.end.*d - 1) >> shift) + 1;
  }
  return out;
}

Result<CroppedCells> crop_cells(const Size3& size, int level_max, const Region& box,
                                std::span<const CropRows> rows, const JobContext& context) {
  if (Status inside = check_box(size, box); !inside) return inside.error();
  const Pieces pieces(box, level_max);
  const Walk walk(pieces, rows);
  if (!walk.covers()) return uncovered();
  if (Status room = check_room(pieces.entries() * 2 * sizeof(std::uint64_t)); !room) {
    return room.error();
  }
  // How many come to each row; then where each goes on.
  std::vector<std::uint64_t> ends(pieces.entries(), 0);
  for (std::size_t l = 0; l < rows.size(); ++l) {
    if (context.stop_requested()) return cancelled_error();
    walk.for_each(
        l, context,
        [&](std::uint64_t row, std::int64_t, std::span<const std::uint16_t> y, std::uint64_t) {
          add(ends[row], y.size());
        },
        [&](std::uint64_t row, std::int64_t, std::uint64_t) { add(ends[row], 1); });
    context.report(0.4 * static_cast<double>(l + 1) / static_cast<double>(rows.size()), "cropping");
  }
  if (context.stop_requested()) return cancelled_error();
  for (std::size_t r = 1; r < ends.size(); ++r) ends[r] += ends[r - 1];
  if (Status room = check_room(ends.back() * 10); !room) return room.error();
  std::vector<std::uint64_t> next(ends.begin(), ends.end() - 1);
  CroppedCells out;
  std::vector<std::uint16_t> ys(ends.back());
  out.from.resize(ends.back());
  for (std::size_t l = 0; l < rows.size(); ++l) {
    if (context.stop_requested()) return cancelled_error();
    walk.for_each(
        l, context,
        [&](std::uint64_t row, std::int64_t begin, std::span<const std::uint16_t> y,
            std::uint64_t first) {
          std::uint64_t at = add(next[row - 1], y.size());
          for (std::size_t i = 0; i < y.size(); ++i, ++at) {
            ys[at] = static_cast<std::uint16_t>(y[i] + begin);
            out.from[at] = first + i;
          }
        },
        [&](std::uint64_t row, std::int64_t y, std::uint64_t cell) {
          const std::uint64_t at = add(next[row - 1], 1);
          ys[at] = static_cast<std::uint16_t>(y);
          out.from[at] = cell;
        });
    context.report(0.4 + 0.4 * static_cast<double>(l + 1) / static_cast<double>(rows.size()),
                   "cropping");
  }
  if (context.stop_requested()) return cancelled_error();
  sort_rows(ends, ys, out.from);
  context.report(0.9, "checking");
  // Cells of a damaged file make no valid structure: create() reports that as an error.
  auto cells = LinearAccess::create(pieces.size(), pieces.finest(), 1, pieces.finest(),
                                    std::move(ys), std::move(ends));
  if (!cells) return cells.error();
  out.cells = *std::move(cells);
  return out;
}

FieldValues values_of(const FieldValues& values, std::span<const std::uint64_t> from) {
  const auto count = static_cast<std::int64_t>(from.size());
  return std::visit(
      [&](const auto& in) -> FieldValues {
        std::decay_t<decltype(in)> out(from.size());
        parallel_for(count, threads_for(count), [&](std::int64_t i) {
          const auto at = static_cast<std::size_t>(i);
          out[at] = in[from[at]];
        });
        return out;
      },
      values);
}

Result<Apr> crop(const Apr& apr, const Region& box, const JobContext& context) {
  return with_memory_errors(apr.name, [&]() -> Result<Apr> {
    const LinearAccess& cells = apr.access->particles();
    auto cut =
        crop_cells(cells.size(), cells.level_max(), box, all_rows(cells), context.part(0.0, 0.7));
    if (!cut) return cut.error();
    auto access = AprAccess::create(std::move(cut->cells));
    if (!access) return access.error();
    Apr out = apr;
    out.access = *access;
    out.tree_fields.clear();
    for (auto& field : out.fields) {
      if (context.stop_requested()) return cancelled_error();
      field =
          std::make_shared<const Field>(Field{field->name, values_of(field->values, cut->from)});
    }
    if (apr.labels) {
      Labels labels;
      labels.values =
          std::get<std::vector<std::uint32_t>>(values_of(apr.labels->values, cut->from));
      labels.largest = *std::max_element(labels.values.begin(), labels.values.end());
      out.labels = std::make_shared<const Labels>(std::move(labels));
    }
    context.report(1.0, "cropping");
    return out;
  });
}

}  // namespace aprscope
