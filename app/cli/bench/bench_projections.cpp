#include "app/cli/bench/bench_projections.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "core/projections/inserted_row.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/live_map.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "core/projections/reprojection.hpp"
#include "gpu/bench/benchmark.hpp"

namespace aprscope::cli {
namespace {

// Inserts planes of random directions into the sums of a map of `side`³, padded twice, on the CPU.
Status bench_cpu(std::int64_t side, CtfUse ctf, InsertionKernel kernel, std::int64_t images,
                 BenchTable& table) {
  InsertionPlan plan;
  plan.side = side;
  plan.padded = 2 * side;
  plan.tiles = FrequencyTiles(side, FrequencyTiles::good_side(plan.padded));
  plan.kernel = kernel;
  plan.slab = slab_kernel(plan.blob);
  plan.ctf = ctf;
  plan.image_reach = side;
  auto inserter = make_cpu_inserter(plan, {});
  if (!inserter) return inserter.error();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> even(-1.0, 1.0);
  std::vector<float> values(static_cast<std::size_t>(images * side * side));
  for (float& v : values) v = static_cast<float>(even(random));
  std::vector<ImageTerms> terms(static_cast<std::size_t>(images));
  std::vector<InsertionSample> samples;
  for (std::int64_t i = 0; i < images; ++i) {
    if (ctf != CtfUse::none) {
      Projection row;
      row.defocus_u = 15000.0 + 5000.0 * even(random);
      row.defocus_v = row.defocus_u - 500.0;
      OpticsGroup optics;
      optics.voltage_kv = 300.0;
      optics.spherical_aberration_mm = 2.7;
      optics.amplitude_contrast = 0.1;
      terms[static_cast<std::size_t>(i)].ctf = ctf_of(row, optics);
    }
    const Rotation r =
        from_euler(180.0 * even(random), std::acos(even(random)) * 180.0 / std::numbers::pi,
                   180.0 * even(random));
    InsertionSample sample;
    for (std::size_t k = 0; k < 9; ++k) sample.rows[k] = static_cast<float>(r.rows[k / 3][k % 3]);
    sample.radius = static_cast<float>(side + 1);
    sample.image = static_cast<std::int32_t>(i);
    samples.push_back(sample);
  }
  const auto times = table.measure([&] { return (*inserter)->insert(values, terms, samples, {}); });
  if (!times) return times.error();
  Row row;
  row.name = "projections";
  row.op = (kernel == InsertionKernel::blob ? "chain, blob " : "chain ") + std::to_string(images);
  row.stencil = std::to_string(side) + "² in " + std::to_string(2 * side) + "²";
  row.mode = ctf == CtfUse::none ? "no CTF" : "CTF";
  row.particles = static_cast<std::uint64_t>(images);
  row.bytes = values.size() * sizeof(float);
  table.add(row, *times);
  return {};
}

// The time for a snapshot and a reprojection: a picture of a growing map of `side`³ with both of
// its half maps, and the predicted images.
Status bench_pictures(std::int64_t side, BenchTable& table) {
  constexpr std::int64_t kImages = 16;
  const ProjectionTable rows = random_projection_table({.images = kImages, .side = side});
  const Projections set = phantom_projections(random_molecule({.atoms = 20}), rows, 1.0);
  const BackprojectSettings settings;
  const auto plan = plan_reconstruction(rows, settings);
  if (!plan) return plan.error();
  auto inserter = make_cpu_inserter(plan->insertion, {});
  if (!inserter) return inserter.error();
  std::vector<float> images(static_cast<std::size_t>(kImages * side * side));
  if (Status ok = set.images->read(rows.rows, images, {}); !ok) return ok;
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    terms.push_back(image_terms(rows, rows.rows[i], plan->insertion, false));
    add_samples(*plan, rows.rows[i], terms.back(), static_cast<std::int32_t>(i), plan->halves[i],
                samples);
  }
  if (Status ok = (*inserter)->insert(images, terms, samples, {}); !ok) return ok;
  const auto add = [&](const char* op, const auto& run) -> Status {
    const auto times = table.measure(run);
    if (!times) return times.error();
    Row row;
    row.name = "projections";
    row.op = op;
    row.stencil = std::to_string(side) + "² in " + std::to_string(2 * side) + "²";
    row.mode = "no CTF";
    row.particles = 1;
    table.add(row, *times);
    return {};
  };
  const auto solver = (*inserter)->solver();
  // A picture takes equally long for any images, so the same sums serve for both symmetries.
  for (const char* symmetry : {"C1", "I2"}) {
    BackprojectSettings own = settings;
    own.symmetry = symmetry;
    const auto grouped = plan_reconstruction(rows, own);
    if (!grouped) return grouped.error();
    const std::string op = std::string("live picture, 2 halves, ") + symmetry;
    Status live = add(op.c_str(), [&]() -> Status {
      const auto made = live_map(*grouped, own, **inserter, *solver, {});
      return made ? Status() : Status(made.error());
    });
    if (!live) return live;
  }
  const std::vector<float> map(static_cast<std::size_t>(side * side * side), 1.0F);
  return add("reprojection", [&]() -> Status {
    const auto made = reproject(map, side, set, 3);
    return made ? Status() : Status(made.error());
  });
}

}  // namespace

Status bench_projections(const BenchCase& /*item*/, BenchTable& table, Session& /*session*/) {
  for (const CtfUse ctf : {CtfUse::none, CtfUse::ctf}) {
    for (const InsertionKernel kernel : {InsertionKernel::slab, InsertionKernel::blob}) {
      if (Status s = bench_cpu(64, ctf, kernel, 1000, table); !s) return s;
      if (Status s = bench_cpu(210, ctf, kernel, 64, table); !s) return s;
    }
  }
  for (const std::int64_t side : {64, 128}) {
    if (Status s = bench_pictures(side, table); !s) return s;
  }
  return {};
}

Status bench_gpu_projections(const BenchCase& /*item*/, BenchTable& table, Session& session) {
  const auto timings = gpu_projection_benchmark(session.backend().id(), table.repeats());
  if (!timings) return timings.error();
  Row row;
  row.name = "projections";
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.stencil = t.stencil;
    row.mode = t.mode;
    row.moved = t.moved;
    row.particles = t.items;
    table.add(row, {t.median, t.minimum});
  }
  return {};
}

}  // namespace aprscope::cli
