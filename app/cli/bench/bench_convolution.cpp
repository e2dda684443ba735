#include "app/cli/bench/bench.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/filter/correlation_plan.hpp"
#include "core/filter/image_fft.hpp"
#include "core/filter/pixel_filter.hpp"

namespace aprscope::cli {
namespace {

struct Filter {
  const char* name;
  Stencil stencil;
};

// A stencil with weights i / Σ: no symmetry or factors that an implementation could exploit.
Stencil ramp(std::int64_t n) {
  Stencil stencil;
  stencil.size = {n, n, n};
  stencil.weights.clear();
  for (std::int64_t i = 1; i <= n * n * n; ++i) stencil.weights.push_back(static_cast<double>(i));
  return stencil.normalized();
}

// The least traffic in bytes: value and y of each particle, its result, the tree, row offsets.
std::uint64_t least_traffic(const AprAccess& access) {
  return access.count() * (4 + 2 + 4) + access.tree().count() * 4 +
         static_cast<std::uint64_t>(access.particles().xz_end().size_bytes());
}

}  // namespace

std::uint64_t products_of(const AprAccess& access, const StencilPyramid& pyramid) {
  std::uint64_t products = 0;
  for (int l = 1; l <= access.level_max(); ++l) {
    const ParticleRange particles = access.particles().level(l);
    products += (particles.end - particles.begin) *
                static_cast<std::uint64_t>(plan_correlation(pyramid.at(l)).products);
  }
  return products;
}

Stencil symmetric_stencil(std::int64_t n) {
  Stencil stencil = gaussian_stencil({1.5, 1.5, 1.5}, {n, n, n});
  const Stencil halo = gaussian_stencil({4, 4, 4}, {n, n, n});
  for (std::size_t i = 0; i < stencil.weights.size(); ++i) stencil.weights[i] += halo.weights[i];
  return stencil.normalized();
}

Status bench_convolution(const BenchCase& item, BenchTable& table, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  const auto image = image_of(item, session);
  if (!image) return image.error();
  const AprAccess& access = *(*apr)->apr().access;
  const std::vector<float>& values = (*apr)->values().particles();
  const Pixels<float>& pixels = (*image)->values().pixels();
  const JobContext& context = session.context();
  const auto count = static_cast<std::uint64_t>(pixels.size.count());
  Row row;
  row.name = item.name;
  row.particles = access.count();
  row.pixels = count;

  // The first convolution on a structure, including everything that is built for it.
  const Stencil first = ramp(3);
  const auto first_pyramid =
      StencilPyramid::create(first, StencilMode::same, false, access.level_max());
  if (!first_pyramid) return first_pyramid.error();
  std::vector<float> out(values.size());
  const Region all = whole(pixels.size);
  const auto first_times = table.measure([&]() -> Status {
    const InteriorMap map(access.tree());
    if (map.bytes() == 0) return {};
    const auto fresh = fill_tree(access, values, Reduction::mean, context);
    if (!fresh) return fresh.error();
    return convolve({&access, values, *fresh}, *first_pyramid, Boundary::reflect, all, out,
                    context);
  });
  if (!first_times) return first_times.error();
  row.op = "first_call";
  row.stencil = "3x3x3";
  row.mode = "same";
  row.moved = least_traffic(access);
  row.products = access.count() * 27;
  row.bytes = (*apr)->apr().bytes();
  table.add(row, *first_times);
  row.products = 0;

  // From here on, memory is allocated already, as for further fields or iterates.
  std::vector<float> tree;
  row.op = "tree_fill";
  row.stencil = row.mode = "-";
  row.moved = access.count() * 4 + access.tree().count() * 4;
  const auto tree_times =
      table.measure([&] { return fill_tree(access, values, Reduction::mean, tree, context); });
  if (!tree_times) return tree_times.error();
  table.add(row, *tree_times);

  Pixels<float> pixel_out(pixels.size);
  std::vector<Filter> filters = {{"3x3x3", ramp(3)},
                                 {"5x5x5", ramp(5)},
                                 {"7x7x7", ramp(7)},
                                 {"13x13x13 separable", gaussian_stencil({2, 2, 2}, {13, 13, 13})}};
  if (table.options().dense) {
    filters.push_back({"5x5x5 symmetric", symmetric_stencil(5)});
    filters.push_back({"7x7x7 symmetric", symmetric_stencil(7)});
    filters.push_back({"13x13x13 symmetric", symmetric_stencil(13)});
    filters.push_back({"13x13x13 dense", ramp(13)});
  }
  for (const Filter& filter : filters) {
    const auto pixel_times = table.measure([&] {
      return convolve_pixels(pixels, filter.stencil, Boundary::reflect, all, pixel_out, context);
    });
    if (!pixel_times) return pixel_times.error();
    Row pixel_row;
    pixel_row.name = item.name;
    pixel_row.op = "pixels";
    pixel_row.stencil = filter.name;
    const bool spectra = detail::fft_pays(pixels.size, filter.stencil, all);
    pixel_row.mode = spectra ? "FFT" : "-";
    pixel_row.pixels = count;
    pixel_row.bytes = count * 4;
    pixel_row.moved = count * 8;
    pixel_row.products =
        spectra ? 0 : count * static_cast<std::uint64_t>(plan_correlation(filter.stencil).products);
    pixel_row.pixel_seconds = pixel_times->median;
    table.add(pixel_row, *pixel_times);
    const std::pair<const char*, StencilMode> modes[] = {{"same", StencilMode::same},
                                                         {"restricted", StencilMode::restricted}};
    for (const auto& [mode_name, stencil_mode] : modes) {
      // Not every compiler can capture a structured binding.
      const StencilMode mode = stencil_mode;
      const auto pyramid = StencilPyramid::create(filter.stencil, mode, false, access.level_max());
      if (!pyramid) return pyramid.error();
      const auto convolution = [&](const Region& region, std::span<const float> means) {
        return convolve({&access, values, means}, *pyramid, Boundary::reflect, region, out,
                        context);
      };
      const auto times = table.measure([&] {
        return convolve_with_tree(access, values, *pyramid, Boundary::reflect, tree, out, context);
      });
      if (!times) return times.error();
      row.op = "particles";
      row.stencil = filter.name;
      row.mode = mode_name;
      row.moved = least_traffic(access);
      row.products = products_of(access, *pyramid);
      row.pixel_seconds = pixel_times->median;
      table.add(row, *times);

      // What a preview does after each edit: filter and show one slice. Not the middle slice, as
      // this is a seam in a tiled volume, with hardly any particles.
      Region middle = all;
      middle.begin.z = all.end.z * 5 / 8;
      middle.end.z = middle.begin.z + 1;
      const auto preview = table.measure([&]() -> Status {
        const auto fresh = StencilPyramid::create(filter.stencil, mode, false, access.level_max());
        if (!fresh) return fresh.error();
        if (Status done = convolution(middle, tree); !done) return done;
        slice_particles(access, out, ReconstructionMode::constant, Axis::z, middle.begin.z);
        return {};
      });
      if (!preview) return preview.error();
      row.op = "preview_slice";
      row.moved = 0;
      row.products = 0;
      row.pixel_seconds = 0.0;
      row.pixels = static_cast<std::uint64_t>(pixels.size.x * pixels.size.y);
      row.particles = 0;
      table.add(row, *preview);
      row.pixels = count;
      row.particles = access.count();
    }
  }
  return bench_window(item, table, session);
}

}  // namespace aprscope::cli
