#include "app/cli/bench/bench_cells.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/closing.hpp"
#include "core/cells/connected_components.hpp"
#include "core/cells/distance.hpp"
#include "core/cells/exterior.hpp"
#include "core/cells/leaks.hpp"

namespace aprscope::cli {
namespace {

using Mask = Pixels<std::uint8_t>;

// A mask with a name, for the rows of all families.
struct NamedMask {
  std::string name;
  Mask mask;
  VoxelSize voxel;
};

Mask noise(const Size3& size, double share) {
  Mask mask(size);
  std::mt19937_64 random(1);
  const auto limit = static_cast<std::uint64_t>(share * 65536.0);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < mask.values.size(); ++i, bits >>= 16U) {
    if (i % 4 == 0) bits = random();
    mask.values[i] = (bits & 0xFFFFU) < limit ? 1 : 0;
  }
  return mask;
}

// Where a sum of waves is above its middle: blobs and tunnels some tens of pixels wide.
Mask smooth(const Size3& size) {
  Mask mask(size);
  parallel_for(size.z, thread_count(), [&](std::int64_t at) {
    const auto z = static_cast<double>(at);
    for (std::int64_t x = 0; x < size.x; ++x) {
      const double a = 0.11 * z + 0.07 * static_cast<double>(x);
      const double b = std::sin(0.13 * static_cast<double>(x) - 0.05 * z);
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto c = static_cast<double>(y);
        mask.at(at, x, y) =
            std::sin(a + 0.03 * c) + b * std::cos(0.09 * c) + std::cos(0.15 * c - a) > 0.0 ? 1 : 0;
      }
    }
  });
  return mask;
}

// Walls of three pixels round boxes of 40.
Mask walls(const Size3& size) {
  Mask mask(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        mask.at(z, x, y) = z % 43 < 3 || x % 43 < 3 || y % 43 < 3 ? 1 : 0;
      }
    }
  }
  return mask;
}

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

// Times `work`, which gives a Result, as one row.
template <class Work>
Status add_row(const Row& row, BenchTable& table, const Work& work) {
  const auto times = table.measure([&]() -> Status {
    const auto made = work();
    return made ? Status() : made.error();
  });
  if (!times) return times.error();
  table.add(row, *times);
  return {};
}

// Changes with any label and any place of one: for comparing with the labels of other programs.
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

Result<NamedMask> mask_of_case(const BenchCase& item, Session& session) {
  const auto image = image_of(item, session);
  if (!image) return image.error();
  const Volume& volume = (*image)->volume();
  NamedMask out{item.name, Mask(volume.size()), volume.voxel};
  std::visit(
      [&](const auto& pixels) {
        std::transform(pixels.values.begin(), pixels.values.end(), out.mask.values.begin(),
                       [](auto v) { return v != 0 ? std::uint8_t{1} : std::uint8_t{0}; });
      },
      volume.pixels);
  return out;
}

}  // namespace

Status bench_cells(const BenchCase& item, BenchTable& table, Session& session) {
  if (!table.options().inputs.empty()) {
    const auto given = mask_of_case(item, session);
    if (!given) return given.error();
    if (Status s = bench_labels(*given, table, session); !s) return s;
    return bench_filling(*given, table, session);
  }
  const Size3 size = table.options().size;
  for (const int percent : {10, 30, 50, 90}) {
    const NamedMask of{"noise " + std::to_string(percent) + " %", noise(size, percent / 100.0), {}};
    if (Status s = bench_labels(of, table, session); !s) return s;
  }
  if (Status s = bench_labels({"smooth", smooth(size), {}}, table, session); !s) return s;
  const NamedMask tissue{"walls", walls(size), {}};
  if (Status s = bench_labels(tissue, table, session); !s) return s;
  return bench_filling(tissue, table, session);
}

}  // namespace aprscope::cli
