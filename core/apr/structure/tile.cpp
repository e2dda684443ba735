#include "core/apr/structure/tile.hpp"

#include <bit>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace aprscope {
namespace {

// How often each dimension is repeated.
struct Repeats {
  std::int64_t z = 1;
  std::int64_t x = 1;
  std::int64_t y = 1;
};

bool power_of_two(std::int64_t n) {
  return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n));
}

// Visits the source row of each repeated row (level → z → x), once for each repetition along y.
template <class Row>
void for_each_row(const LinearAccess& cells, const Repeats& repeats, const Row& visit) {
  for (int l = 1; l <= cells.level_max(); ++l) {
    const Size3& grid = cells.grid(l);
    if (cells.level(l).empty()) continue;
    for (std::int64_t tz = 0; tz < repeats.z; ++tz) {
      for (std::int64_t z = 0; z < grid.z; ++z) {
        for (std::int64_t tx = 0; tx < repeats.x; ++tx) {
          for (std::int64_t x = 0; x < grid.x; ++x) visit(l, cells.row(l, z, x));
        }
      }
    }
  }
}

FieldValues repeat_values(const FieldValues& values, const LinearAccess& cells,
                          const Repeats& repeats) {
  return std::visit(
      [&](const auto& in) -> FieldValues {
        std::decay_t<decltype(in)> out;
        out.reserve(in.size() * static_cast<std::size_t>(repeats.z * repeats.x * repeats.y));
        for_each_row(cells, repeats, [&](int, ParticleRange row) {
          const auto begin = in.begin() + static_cast<std::ptrdiff_t>(row.begin);
          const auto end = in.begin() + static_cast<std::ptrdiff_t>(row.end);
          for (std::int64_t t = 0; t < repeats.y; ++t) out.insert(out.end(), begin, end);
        });
        return out;
      },
      values);
}

Result<LinearAccess> repeat_cells(const LinearAccess& cells, const Repeats& repeats, int shift) {
  const Size3 size{cells.size().z * repeats.z, cells.size().x * repeats.x,
                   cells.size().y * repeats.y};
  const int level_max = cells.level_max() + shift;
  std::vector<std::uint16_t> ys;
  ys.reserve(cells.count() * static_cast<std::size_t>(repeats.z * repeats.x * repeats.y));
  std::vector<std::uint64_t> xz_end;
  xz_end.reserve(row_entries(size, level_max, 1, level_max));
  xz_end.push_back(0);
  // Levels without particles have as many (empty) rows as their grid says.
  const auto skip_to = [&](int level) {
    const std::uint64_t before = row_entries(size, level_max, 1, level - 1);
    if (xz_end.size() < before) xz_end.resize(before, xz_end.back());
  };
  int current = 0;
  for_each_row(cells, repeats, [&](int l, ParticleRange row) {
    if (l != current) {
      skip_to(l + shift);
      current = l;
    }
    for (std::int64_t t = 0; t < repeats.y; ++t) {
      const std::int64_t offset = t * cells.grid(l).y;
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        ys.push_back(static_cast<std::uint16_t>(cells.y()[i] + offset));
      }
    }
    xz_end.push_back(ys.size());
  });
  skip_to(level_max + 1);
  return LinearAccess::create(size, level_max, 1, level_max, std::move(ys), std::move(xz_end));
}

}  // namespace

Result<Apr> tile(const Apr& apr, int times) {
  const auto refuse = [](std::string what, std::string advice) {
    return Error{std::move(what), "tiling an APR", std::move(advice)};
  };
  const LinearAccess& cells = apr.access->particles();
  const Size3& size = cells.size();
  if (!power_of_two(times)) {
    return refuse("the number of repetitions is " + std::to_string(times), "use a power of two");
  }
  if (!power_of_two(size.z) || !power_of_two(size.x) || !power_of_two(size.y)) {
    return refuse("the sizes are not powers of two", "crop the image before converting it");
  }
  const std::int64_t s = std::int64_t{1} << (cells.level_max() - apr.access->level_min_used());
  for (const std::int64_t n : {size.z, size.x, size.y}) {
    if (n > 1 && n < s) {
      return refuse("its coarsest cells are larger than the image",
                    "use an image of more equal sizes");
    }
    if (n * times > 65536) return refuse("a repeated size is above 65536", "repeat less often");
  }
  const Repeats repeats{size.z > 1 ? times : 1, size.x > 1 ? times : 1, size.y > 1 ? times : 1};
  const bool point = repeats.z == 1 && repeats.x == 1 && repeats.y == 1;
  const int shift = point ? 0 : std::countr_zero(static_cast<unsigned>(times));
  try {
    auto repeated = repeat_cells(cells, repeats, shift);
    if (!repeated) return repeated.error();
    auto access = AprAccess::create(std::move(*repeated));
    if (!access) return access.error();
    Apr out = apr;
    out.access = *access;
    // The tree of the whole has cells above those of one copy; there are no values for them.
    out.tree_fields.clear();
    for (auto& field : out.fields) {
      field = std::make_shared<const Field>(
          Field{field->name, repeat_values(field->values, cells, repeats)});
    }
    out.history.push_back("tile " + std::to_string(times));
    return out;
  } catch (const std::bad_alloc&) {
    return refuse("not enough memory for the repeated APR", "repeat less often");
  }
}

}  // namespace aprscope
