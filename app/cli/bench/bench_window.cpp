#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/cli/bench/bench.hpp"
#include "core/apr/sample/slice.hpp"
#include "core/image/colormap.hpp"
#include "core/image/histogram.hpp"
#include "core/image/slice_place.hpp"

namespace aprscope::cli {
namespace {

std::int64_t index_of(Axis axis, const Index3& at) {
  return axis == Axis::z ? at.z : axis == Axis::x ? at.x : at.y;
}

}  // namespace

Status bench_window(const BenchCase& item, BenchTable& table, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  const Dataset& data = **apr;
  const AprAccess& access = *data.apr().access;
  const Size3 size = data.size();
  // Not through the middle, which is a seam of a tiled volume, with hardly any particles.
  const Index3 at{size.z * 5 / 8, size.x * 5 / 8, size.y * 5 / 8};
  constexpr std::array kAxes{Axis::z, Axis::x, Axis::y};
  std::vector<SlicePlace> slices;
  std::vector<Region> regions;
  for (const Axis axis : kAxes) {
    slices.push_back({axis, index_of(axis, at)});
    regions.push_back(region_of_slice(size, slices.back()));
  }
  const Contrast contrast = automatic_contrast(histogram(data.values().particles()));
  Row row;
  row.name = item.name;
  row.particles = access.count();
  row.pixels = static_cast<std::uint64_t>(size.count());
  row.bytes = data.apr().bytes();
  row.mode = "same";
  std::vector<float> values;
  double sigma = 1.0;
  // Nothing is as it was in the run before.
  const auto edited = [&](double side) {
    sigma += 1e-3;
    return Operation{
        "gaussian",
        {{"sigma", std::array{sigma, sigma, sigma}}, {"size", std::array{side, side, side}}}};
  };
  const auto colour = [&](const Plane& plane) -> Status {
    if (!apply_colormap(plane.values, contrast, colormap("viridis")).empty()) return {};
    return Error{"no picture was made", "bench", ""};
  };
  const auto paint = [&]() -> Status {
    for (const SlicePlace& slice : slices) {
      Status done = colour(
          slice_particles(access, values, ReconstructionMode::constant, slice.axis, slice.index));
      if (!done) return done;
    }
    return {};
  };
  values = data.values().particles();
  const auto painted = table.measure(paint);
  if (!painted) return painted.error();
  row.op = "paint_slices";
  row.stencil = "-";
  table.add(row, *painted);
  for (const int n : {3, 5, 13}) {
    const double side = n;
    const std::string text = std::to_string(n);
    row.stencil = text + "x" + text + "x" + text;
    if (n == 13) row.stencil += " separable";
    const auto times = table.measure([&]() -> Status {
      // As the window does it.
      const Backend& backend = session.backend();
      const Operation edit = edited(side);
      const auto planes = backend.filtered_slices(edit, data, slices, session.context());
      if (!planes) return planes.error();
      if (*planes) {
        for (const Plane& plane : **planes) {
          if (Status done = colour(plane); !done) return done;
        }
        return {};
      }
      Status done = backend.run_regions(edit, data, regions, values, session.context());
      if (!done) return done;
      return paint();
    });
    if (!times) return times.error();
    row.op = "edit_to_slices";
    table.add(row, *times);
    const auto applied = table.measure([&]() -> Status {
      const auto made = session.backend().run(edited(side), data, session.context());
      return made ? Status() : Status(made.error());
    });
    if (!applied) return applied.error();
    row.op = "apply";
    table.add(row, *applied);
  }
  return {};
}

}  // namespace aprscope::cli
