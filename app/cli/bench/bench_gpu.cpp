#include "app/cli/bench/bench.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "gpu/bench/benchmark.hpp"

namespace aprscope::cli {

Status add_gpu_facts(Machine& machine, const Session& session) {
  const auto facts = gpu_facts(session.backend().id());
  if (!facts) return facts.error();
  auto gpu = Json::object();
  gpu["name"] = facts->name;
  gpu["driver_cuda"] = facts->driver;
  gpu["runtime_cuda"] = facts->runtime;
  gpu["multiprocessors"] = facts->multiprocessors;
  gpu["core_clock_mhz"] = facts->core_clock_mhz;
  gpu["memory_clock_mhz"] = facts->memory_clock_mhz;
  gpu["copy_gb_per_second"] = facts->copy_bytes_per_second / 1e9;
  machine.facts["gpu"] = std::move(gpu);
  machine.multiply_adds_per_second = facts->multiply_adds_per_second;
  machine.copy_bytes_per_second = facts->copy_bytes_per_second;
  return {};
}

Status bench_gpu(const BenchCase& item, BenchTable& table, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  const Dataset& data = **apr;
  const auto timings = gpu_benchmark(session.backend().id(), data.apr().access,
                                     data.values().particles(), table.repeats());
  if (!timings) return timings.error();
  Row row{item.name,
          "",
          "-",
          "-",
          data.apr().access->count(),
          static_cast<std::uint64_t>(data.size().count()),
          data.apr().bytes(),
          0,
          0.0};
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.stencil = t.stencil;
    row.mode = t.mode;
    row.moved = t.moved;
    row.products = t.products;
    table.add(row, {t.median, t.minimum});
  }
  return bench_window(item, table, session);
}

Status bench_gpu_conversion(const BenchCase& item, BenchTable& table, Session& session) {
  const auto& volume = std::get<Volume>(item.data);
  const auto operation = complete({"convert", {}});
  if (!operation) return operation.error();
  const auto timings =
      gpu_conversion_benchmark(session.backend().id(), volume,
                               conversion_parameters(*operation, volume.voxel), table.repeats());
  if (!timings) return timings.error();
  Row row{item.name,      "", "-", "-", 0, static_cast<std::uint64_t>(volume.size().count()),
          volume.bytes(), 0,  0.0};
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.moved = t.moved;
    table.add(row, {t.median, t.minimum});
  }
  return {};
}

Status bench_gpu_topology(const BenchCase& item, BenchTable& table, Session& session) {
  const auto data = Dataset::create(item.data);
  const std::string device = session.backend().id();
  const auto count = static_cast<std::uint64_t>(data->size().count());
  const auto timings = data->is_apr()
                           ? gpu_topology_benchmark(device, data->apr().access,
                                                    data->values().particles(), table.repeats())
                           : gpu_pixel_topology_benchmark(device, data->size(), table.repeats());
  if (!timings) return timings.error();
  Row row{data->is_apr() ? item.name : std::to_string(data->size().z) + " slices",
          "",
          "-",
          "-",
          data->is_apr() ? data->apr().access->count() : 0,
          count,
          0,
          0,
          0.0};
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.stencil = t.stencil;
    row.mode = t.mode;
    row.moved = t.moved;
    table.add(row, {t.median, t.minimum});
  }
  return {};
}

Status bench_gpu_cells(const BenchCase& item, BenchTable& table, Session& session) {
  const Size3 size = Dataset::create(item.data)->size();
  const auto timings = gpu_label_benchmark(session.backend().id(), size, table.repeats());
  if (!timings) return timings.error();
  Row row{std::to_string(size.z) + " slices",       "", "-", "-", 0,
          static_cast<std::uint64_t>(size.count()), 0,  0,   0.0};
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.stencil = t.stencil;
    row.moved = t.moved;
    table.add(row, {t.median, t.minimum});
  }
  return {};
}

Status bench_gpu_deconvolution(const BenchCase& item, BenchTable& table, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  const Dataset& data = **apr;
  const auto& access = data.apr().access;
  auto pixels = reconstruct(*access, data.values().particles(), ReconstructionMode::constant,
                            whole(data.size()), session.context());
  if (!pixels) return pixels.error();
  const auto timings =
      gpu_deconvolution_benchmark(session.backend().id(), access, data.values().particles(),
                                  std::move(pixels->values), table.repeats());
  if (!timings) return timings.error();
  Row row{item.name, "", "-", "-", access->count(), static_cast<std::uint64_t>(data.size().count()),
          0,         0,  0.0};
  double pixel_seconds = 0.0;
  for (const GpuTiming& t : *timings) {
    row.op = t.op;
    row.stencil = t.stencil;
    row.mode = t.mode;
    // Times of particles are relative to transforms on pixels with the same PSF, which come before.
    if (t.op == "pixels_fft") pixel_seconds = t.median;
    row.pixel_seconds = pixel_seconds;
    table.add(row, {t.median, t.minimum});
  }
  return {};
}

}  // namespace aprscope::cli
