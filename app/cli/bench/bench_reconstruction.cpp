#include "app/cli/bench/bench_reconstruction.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/image/random.hpp"
#include "core/operations/project/memory_images.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "gpu/engines/projections.hpp"

namespace aprscope::cli {
namespace {

std::string size_of(std::int64_t side) {
  return std::to_string(side) + "² in " + std::to_string(2 * side) + "²";
}

// Images of noise in random directions. Only 512 of them differ and are read again and again, so
// that a set may be larger than memory.
Projections drawn(std::int64_t side, std::int64_t images) {
  constexpr std::int64_t kDifferent = 512;
  const CounterRandom random(1, 0);
  auto pixels = std::make_shared<std::vector<float>>(
      static_cast<std::size_t>(std::min(images, kDifferent) * side * side));
  for (std::size_t i = 0; i < pixels->size(); ++i) {
    (*pixels)[i] = static_cast<float>(random.uniform(i) - 0.5);
  }
  Projections set;
  set.table.side = side;
  set.table.pixel_size = 1.5;
  set.table.optics.emplace_back().pixel_size = 1.5;
  set.table.stacks = {"memory"};
  const CounterRandom directions(2, 0);
  for (std::int64_t i = 0; i < images; ++i) {
    const auto number = [&](std::uint64_t k) {
      return directions.uniform(3 * static_cast<std::uint64_t>(i) + k);
    };
    Projection row;
    row.image = i % kDifferent;
    row.rot = 360.0 * number(0);
    row.tilt = std::acos(2.0 * number(1) - 1.0) * 180.0 / std::numbers::pi;
    row.psi = 360.0 * number(2);
    set.table.rows.push_back(row);
  }
  set.images = std::make_shared<MemoryImages>(std::move(pixels), side);
  return set;
}

struct MapJob {
  std::int64_t side;
  std::int64_t images;
  const char* symmetry;
};

Status bench_job(const MapJob& job, Halves halves, const InserterFactory& factory,
                 BenchTable& table) {
  const Projections set = drawn(job.side, job.images);
  BackprojectSettings settings;
  settings.symmetry = job.symmetry;
  settings.halves = halves;
  const auto times = table.measure([&]() -> Status {
    const auto map = backproject(set, settings, {}, {}, factory);
    return map ? Status() : map.error();
  });
  if (!times) return times.error();
  Row row;
  row.name = "reconstruction";
  row.op = std::to_string(job.images) + " images, " + job.symmetry;
  row.stencil = size_of(job.side);
  row.mode = halves == Halves::none ? "one map" : "with halves";
  row.particles = static_cast<std::uint64_t>(job.images);
  row.bytes = static_cast<std::uint64_t>(job.images * job.side * job.side) * sizeof(float);
  table.add(row, *times);
  return {};
}

// The cost of live pictures: the ratio of median times of the same job with and without them. The
// runs alternate, so that other load on the machine affects both.
Status bench_watched(const MapJob& job, const InserterFactory& factory, BenchTable& table) {
  const Projections set = drawn(job.side, job.images);
  BackprojectSettings settings;
  settings.symmetry = job.symmetry;
  int pictures = 0;
  BackprojectHooks watched;
  watched.live = [&](const LiveMap&) { ++pictures; };
  std::array<std::vector<double>, 2> seconds;
  for (int i = 0; i < table.repeats(); ++i) {
    pictures = 0;
    for (const std::size_t kind : {std::size_t{0}, std::size_t{1}}) {
      const auto begin = std::chrono::steady_clock::now();
      const auto map =
          backproject(set, settings, kind == 0 ? BackprojectHooks() : watched, {}, factory);
      if (!map) return map.error();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      seconds[kind].push_back(took.count());
    }
  }
  std::array<double, 2> medians{};
  for (const std::size_t kind : {std::size_t{0}, std::size_t{1}}) {
    std::sort(seconds[kind].begin(), seconds[kind].end());
    medians[kind] = seconds[kind][seconds[kind].size() / 2];
  }
  Row row;
  row.name = "reconstruction";
  row.op = std::to_string(job.images) + " images, " + job.symmetry;
  row.stencil = size_of(job.side);
  row.particles = static_cast<std::uint64_t>(job.images);
  row.mode = "with halves, in turn";
  table.add(row, {medians[0], seconds[0].front()});
  std::ostringstream words;
  words.precision(3);
  words << "watched, " << pictures << " pictures, × " << std::fixed << medians[1] / medians[0];
  row.mode = words.str();
  table.add(row, {medians[1], seconds[1].front()});
  return {};
}

// From sums, wherever they are, to a map in host memory.
Status bench_solve(std::int64_t side, Solve how, const InserterFactory& factory,
                   BenchTable& table) {
  InsertionPlan plan;
  plan.side = side;
  plan.padded = 2 * side;
  plan.tiles = FrequencyTiles(side, FrequencyTiles::good_side(plan.padded));
  plan.slab = slab_kernel(plan.blob);
  plan.image_reach = side;
  auto inserter = factory(plan, {});
  if (!inserter) return inserter.error();
  const auto solver = (*inserter)->solver();
  inserter->reset();
  if (Status fits = solver->fits(plan, how); !fits) return fits;
  const CounterRandom random(3, 0);
  std::vector<float> sums(static_cast<std::size_t>(plan.tiles.floats()));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<float>(random.uniform(i));
  const std::vector<double> means(static_cast<std::size_t>(plan.tiles.reach() + 1), 0.5);
  const std::vector<double> tau(means.size(), 0.1);
  constexpr int kIterations = 5;
  const bool division = how == Solve::division;
  const auto held = solver->hold(plan, std::move(sums));
  if (!held) return held.error();
  const auto times = table.measure([&]() -> Status {
    auto map = division ? solver->divided(plan, **held, tau, false, {})
                        : solver->least_squares(plan, **held, means, tau, kIterations, {});
    return map ? Status() : map.error();
  });
  if (!times) return times.error();
  Row row;
  row.name = "reconstruction";
  row.op = division ? "map by division"
                    : "map by least squares, " + std::to_string(kIterations) + " iterations";
  row.stencil = size_of(side);
  row.mode = "from sums";
  row.particles = static_cast<std::uint64_t>(side * side * side);
  row.bytes = static_cast<std::uint64_t>(plan.tiles.floats()) * sizeof(float);
  table.add(row, *times);
  return {};
}

// Inserts images from memory that the devices read directly into the sums of a map: the part of the
// work that several devices share. One batch of images is used again and again.
Status bench_insertion(const MapJob& job, const InserterFactory& factory, BenchTable& table) {
  const Projections set = drawn(job.side, job.images);
  const auto plan =
      plan_reconstruction(set.table, {.symmetry = job.symmetry, .halves = Halves::none});
  if (!plan) return plan.error();
  std::unique_ptr<Inserter> inserter;
  std::shared_ptr<float[]> room;
  std::size_t batch = 0;
  const auto pixels = static_cast<std::size_t>(job.side * job.side);
  std::vector<ImageTerms> terms;
  std::vector<std::vector<InsertionSample>> samples;
  const auto prepare = [&]() -> Status {
    inserter.reset();
    auto made = factory(plan->insertion, {});
    if (!made) return made.error();
    inserter = *std::move(made);
    if (room) return {};
    batch = static_cast<std::size_t>(std::min(inserter->batch(), job.images));
    room = inserter->image_room(batch * pixels);
    const std::size_t different = std::min<std::size_t>(batch, 64);
    Status read = set.images->read(std::span(set.table.rows).first(different),
                                   {room.get(), different * pixels}, {});
    if (!read) return read;
    for (std::size_t i = different; i < batch; ++i) {
      std::copy_n(room.get() + (i - different) * pixels, pixels, room.get() + i * pixels);
    }
    for (std::size_t first = 0; first + batch <= set.table.rows.size(); first += batch) {
      samples.emplace_back();
      for (std::size_t i = 0; i < batch; ++i) {
        const Projection& row = set.table.rows[first + i];
        const ImageTerms one = image_terms(set.table, row, plan->insertion, false);
        if (first == 0) terms.push_back(one);
        add_samples(*plan, row, one, static_cast<std::int32_t>(i), 0, samples.back());
      }
    }
    return {};
  };
  const auto times = table.measure(
      [&]() -> Status {
        for (const auto& some : samples) {
          Status done = inserter->insert({room.get(), batch * pixels}, terms, some, {});
          if (!done) return done;
        }
        const auto held = inserter->hold(0);
        return held ? Status() : held.error();
      },
      prepare);
  if (!times) return times.error();
  Row row;
  row.name = "reconstruction";
  const std::size_t images = samples.size() * batch;
  row.op = "insert " + std::to_string(images) + " images, " + job.symmetry;
  row.stencil = size_of(job.side);
  row.mode = "from memory to sums";
  row.particles = images;
  row.bytes = images * pixels * sizeof(float);
  table.add(row, *times);
  return {};
}

}  // namespace

Status bench_reconstruction(const BenchCase& /*item*/, BenchTable& table, Session& session) {
  const std::string device = session.backend().id();
  const auto factory = inserters_on(device);
  if (!factory) return factory.error();
  const bool gpu = device.rfind("cuda:", 0) == 0;
  std::vector<std::int64_t> sides = {64, 128};
  std::vector<MapJob> jobs = {{64, 1000, "C1"}};
  if (gpu) {
    sides.push_back(420);
    // The second job is as large as that of Střelák et al. 2019 on brome mosaic virus.
    jobs = {{64, 30000, "C1"}, {420, 28881, "I2"}};
  }
  for (const std::int64_t side : sides) {
    for (const Solve how : {Solve::division, Solve::least_squares}) {
      if (Status done = bench_solve(side, how, *factory, table); !done) return done;
    }
  }
  if (gpu) {
    for (const MapJob& job :
         {MapJob{128, 65536, "C1"}, MapJob{420, 16384, "C1"}, MapJob{420, 16384, "I2"}}) {
      if (Status done = bench_insertion(job, *factory, table); !done) return done;
    }
  }
  for (const MapJob& job : jobs) {
    for (const Halves halves : {Halves::none, Halves::automatic}) {
      if (Status done = bench_job(job, halves, *factory, table); !done) return done;
    }
  }
  // A job that takes long enough for several pictures.
  return bench_watched(gpu ? jobs.back() : MapJob{64, 16000, "C1"}, *factory, table);
}

}  // namespace aprscope::cli
