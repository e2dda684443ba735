#include "app/cli/bench_projections.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "core/projections/inserter.hpp"
#include "gpu/benchmark.hpp"

namespace aprscope::cli {
namespace {

// Planes of random directions into the sums of a map of `side`³, padded twice, on the processor.
Status bench_cpu(std::int64_t side, CtfUse ctf, std::int64_t images, BenchTable& table) {
  InsertionPlan plan;
  plan.side = side;
  plan.padded = 2 * side;
  plan.tiles = FrequencyTiles(side, FrequencyTiles::good_side(plan.padded));
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
  row.op = "chain " + std::to_string(images);
  row.stencil = std::to_string(side) + "² in " + std::to_string(2 * side) + "²";
  row.mode = ctf == CtfUse::none ? "no CTF" : "CTF";
  row.particles = static_cast<std::uint64_t>(images);
  row.bytes = values.size() * sizeof(float);
  table.add(row, *times);
  return {};
}

}  // namespace

Status bench_projections(const BenchCase& /*item*/, BenchTable& table, Session& /*session*/) {
  for (const CtfUse ctf : {CtfUse::none, CtfUse::ctf}) {
    if (Status s = bench_cpu(64, ctf, 1000, table); !s) return s;
    if (Status s = bench_cpu(210, ctf, 64, table); !s) return s;
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
