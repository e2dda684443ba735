#include "app/cli/bench/bench_cells.hpp"

#include <utility>
#include <variant>

#include "app/cli/bench/bench_cells_masks.hpp"
#include "app/cli/bench/bench_cells_operations.hpp"
#include "core/base/system.hpp"
#include "core/cells/closing.hpp"
#include "core/cells/connected_components.hpp"
#include "core/cells/distance.hpp"
#include "core/cells/exterior.hpp"
#include "core/cells/leaks.hpp"

namespace aprscope::cli {
namespace {

Row row_of(const NamedMask& of, const char* op, const char* mode, std::uint64_t moved) {
  const auto pixels = static_cast<std::uint64_t>(of.mask.size.count());
  Row row;
  row.name = of.name;
  row.op = op;
  row.stencil = "u8";
  row.mode = mode;
  row.pixels = pixels;
  row.bytes = pixels;
  row.moved = moved * pixels;
  return row;
}

// Times `work`, which returns a Result, as one row; runs it once more, for its peak memory.
template <class Work>
Status add_row(Row row, BenchTable& table, const Work& work) {
  const auto times = table.measure([&]() -> Status {
    const auto made = work();
    return made ? Status() : made.error();
  });
  if (!times) return times.error();
  const PeakMeter memory;
  if (const auto made = work(); !made) return made.error();
  row.peak_bytes = memory.extra();
  table.add(row, *times);
  return {};
}

// A checksum that changes with any label at any place, to compare labels of other programs.
std::string checksum(const Labels& labels) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < labels.values.size(); ++i) sum += (i + 1) * labels.values[i];
  return std::to_string(sum);
}

Status bench_labels(const NamedMask& of, BenchTable& table, Session& session) {
  const std::pair<const char*, Connectivity> all[] = {
      {"6", Connectivity::faces}, {"18", Connectivity::edges}, {"26", Connectivity::corners}};
  for (const auto& [mode, connectivity] : all) {
    Status done = add_row(row_of(of, "label", mode, 5), table, [&, c = connectivity] {
      return connected_components(of.mask, c, session.context());
    });
    if (!done) return done;
    const auto labels = connected_components(of.mask, connectivity, session.context());
    if (!labels) return labels.error();
    session.report()["checksums"][of.name][mode] = checksum(*labels);
  }
  return {};
}

Status bench_filling(const NamedMask& of, BenchTable& table, Session& session) {
  constexpr Connectivity kMembrane = Connectivity::corners;
  const JobContext& context = session.context();
  Status done = add_row(row_of(of, "distance", "-", 5), table, [&] {
    return squared_distances(of.mask.values, of.mask.size, of.voxel, context);
  });
  if (!done) return done;
  done = add_row(row_of(of, "fill", "3-D", 2), table,
                 [&] { return fill_from_outside(of.mask, kMembrane, context); });
  if (!done) return done;
  done = add_row(row_of(of, "fill", "slices", 2), table,
                 [&] { return fill_slices(of.mask, kMembrane, context); });
  if (!done) return done;
  const double radius = 3.0 * of.voxel.y;
  done = add_row(row_of(of, "close", "3 px", 2), table,
                 [&] { return close_and_fill(of.mask, of.voxel, radius, kMembrane, context); });
  if (!done) return done;
  const auto parts = fill_from_outside(of.mask, kMembrane, context);
  if (!parts) return parts.error();
  return add_row(row_of(of, "leaks", "-", 1), table,
                 [&] { return find_leaks(*parts, of.voxel, kMembrane, context); });
}

}  // namespace

Status bench_cells(const BenchCase& item, BenchTable& table, Session& session) {
  if (!table.options().inputs.empty()) {
    const auto* image = std::get_if<Volume>(&item.data);
    if (image == nullptr || !is_mask(*image)) return bench_cell_steps(item, table, session);
    const NamedMask given = mask_of(item.name, *image);
    if (Status s = bench_labels(given, table, session); !s) return s;
    return bench_filling(given, table, session);
  }
  const Size3 size = table.options().size;
  for (const int percent : {10, 30, 50, 90}) {
    if (Status s = bench_labels(noise_mask(size, percent), table, session); !s) return s;
  }
  if (Status s = bench_labels(smooth_mask(size), table, session); !s) return s;
  {
    const NamedMask walls = wall_mask(size);
    if (Status s = bench_labels(walls, table, session); !s) return s;
    if (Status s = bench_filling(walls, table, session); !s) return s;
  }
  return bench_cell_steps(item, table, session);
}

}  // namespace aprscope::cli
