#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/projections/projection_inserter.hpp"
#include "gpu/projections/projection_sums.hpp"

namespace aprscope {
namespace {

using gpu::GpuDevice;

// Input of a benchmark: images of an object with noise, and samples in random directions.
struct Drawn {
  InsertionPlan plan;
  std::vector<float> images;
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
};

InsertionPlan plan_of(std::int64_t side, CtfUse ctf) {
  InsertionPlan plan;
  plan.side = side;
  plan.padded = 2 * side;
  plan.tiles = FrequencyTiles(side, FrequencyTiles::good_side(plan.padded));
  plan.slab = slab_kernel(plan.blob);
  plan.ctf = ctf;
  plan.pixel_size = 1.5;
  plan.image_reach = side;
  return plan;
}

Drawn drawn(std::int64_t side, CtfUse ctf, std::int64_t images, int cosets) {
  Drawn out;
  out.plan = plan_of(side, ctf);
  std::mt19937 random(1);
  const std::int64_t pixels = side * side;
  out.images.resize(static_cast<std::size_t>(images * pixels));
  for (float& v : out.images) {
    v = static_cast<float>(static_cast<double>(random()) * 0x1p-31 - 1.0);
  }
  std::uniform_real_distribution<double> even(-1.0, 1.0);
  for (std::int64_t i = 0; i < images; ++i) {
    ImageTerms terms;
    terms.pixel_size = out.plan.pixel_size;
    terms.shift_x = static_cast<float>(3.0 * even(random));
    terms.shift_y = static_cast<float>(3.0 * even(random));
    if (ctf != CtfUse::none) {
      Projection row;
      row.defocus_u = 15000.0 + 5000.0 * even(random);
      row.defocus_v = row.defocus_u - 500.0;
      OpticsGroup optics;
      optics.voltage_kv = 300.0;
      optics.spherical_aberration_mm = 2.7;
      optics.amplitude_contrast = 0.1;
      terms.ctf = ctf_of(row, optics);
    }
    out.terms.push_back(terms);
    for (int coset = 0; coset < cosets; ++coset) {
      const Rotation r =
          from_euler(180.0 * even(random), std::acos(even(random)) * 180.0 / std::numbers::pi,
                     180.0 * even(random));
      InsertionSample sample;
      for (std::size_t k = 0; k < 9; ++k) {
        sample.rows[k] = static_cast<float>(r.rows[k / 3][k % 3]);
      }
      sample.radius = static_cast<float>(side + 1);
      sample.image = static_cast<std::int32_t>(i);
      out.samples.push_back(sample);
    }
  }
  return out;
}

class ProjectionBench {
 public:
  ProjectionBench(std::shared_ptr<GpuDevice> device, int repeats)
      : device_(std::move(device)), repeats_(repeats) {}

  // Times the insertion kernel alone, with planes that are on the device already.
  void kernel(std::int64_t side, CtfUse ctf, bool exact, std::span<const std::int64_t> batches,
              InsertionKernel which = InsertionKernel::slab) {
    InsertionPlan plan = plan_of(side, ctf);
    plan.kernel = which;
    const std::string name = which == InsertionKernel::blob ? "insert, blob"
                             : exact                        ? "insert, exact"
                                                            : "insert";
    gpu::PlaneStore planes(plan, exact, device_->main());
    gpu::PlaneSums sums(plan, device_->main());
    for (const std::int64_t batch : batches) {
      // A few hundred images, each inserted several times: together more than caches hold.
      const std::int64_t images = std::min<std::int64_t>(batch, side > 200 ? 256 : 1024);
      Drawn in = drawn(side, ctf, images, static_cast<int>(batch / images));
      planes.fill(in.images, in.terms, {});
      const auto staged = sums.stage(in.samples, in.terms, 0);
      add(name, side, ctf, std::to_string(batch),
          gpu::measure(*device_, repeats_, [&] { sums.add(staged, planes); }), batch, 0);
    }
  }

  // Times the steps before insertion, upload and transforms, for the chunks that chain() uses.
  void parts(std::int64_t side, CtfUse ctf) {
    const InsertionPlan plan = plan_of(side, ctf);
    gpu::PlaneStore planes(plan, false, device_->main());
    const Drawn in = drawn(side, ctf, planes.chunk(), 1);
    planes.fill(in.images, in.terms, {});
    const std::int64_t count = planes.chunk();
    const auto bytes = static_cast<std::uint64_t>(count * side * side) * sizeof(float);
    const std::string size = std::to_string(count);
    add("upload", side, ctf, size,
        gpu::measure(*device_, repeats_, [&] { planes.upload_again(0); }), count, bytes);
    add("transform", side, ctf, size,
        gpu::measure(*device_, repeats_, [&] { planes.transform_again(0, count); }), count, bytes);
  }

  // Times the whole chain from images in host memory, as backproject() hands them over.
  void chain(std::int64_t side, CtfUse ctf, std::int64_t images, int cosets, bool pinned) {
    const Drawn in = drawn(side, ctf, images, cosets);
    std::span<const float> values = in.images;
    const gpu::PinnedBuffer memory(pinned ? values.size_bytes() : 1);
    if (pinned) {
      auto* const to = reinterpret_cast<float*>(memory.data());
      std::copy(values.begin(), values.end(), to);
      values = {to, values.size()};
    }
    auto inserter = gpu::make_cuda_inserter(device_, in.plan, false);
    if (!inserter) throw gpu::Failure{inserter.error()};
    const std::vector<std::int32_t> first = {0};
    std::vector<float> tile(static_cast<std::size_t>(in.plan.tiles.stride()));
    const auto bytes = in.images.size() * sizeof(float);
    std::string name = pinned ? "chain, pinned" : "chain";
    if (cosets > 1) name += ", " + std::to_string(cosets) + " samples an image";
    add(name, side, ctf, std::to_string(images),
        gpu::measure_wall(repeats_,
                          [&] {
                            Status done = (*inserter)->insert(values, in.terms, in.samples, {});
                            if (done) done = (*inserter)->sums(0, first, tile);
                            if (!done) throw gpu::Failure{done.error()};
                          }),
        images * cosets, bytes);
  }

  std::vector<GpuTiming> take() { return std::move(timings_); }

 private:
  void add(const std::string& op, std::int64_t side, CtfUse ctf, const std::string& batch,
           GpuTiming timing, std::int64_t items, std::uint64_t moved) {
    timing.op = op + " " + batch;
    timing.stencil = std::to_string(side) + "² in " + std::to_string(2 * side) + "²";
    timing.mode = ctf == CtfUse::none ? "no CTF" : "CTF";
    timing.items = static_cast<std::uint64_t>(items);
    timing.moved = moved;
    timings_.push_back(std::move(timing));
  }

  std::shared_ptr<GpuDevice> device_;
  int repeats_;
  std::vector<GpuTiming> timings_;
};

}  // namespace

Result<std::vector<GpuTiming>> gpu_projection_benchmark(const std::string& id, int repeats) {
  const auto device = gpu::device_of(id);
  if (!device) return device.error();
  return gpu::guarded([&]() -> Result<std::vector<GpuTiming>> {
    (*device)->use();
    ProjectionBench bench(*device, repeats);
    const std::int64_t small[] = {52, 1024, 4096};
    const std::int64_t large[] = {1024, 4096};
    for (const CtfUse ctf : {CtfUse::none, CtfUse::ctf}) {
      {
        // chain() locks the device by itself, so the lock is held for the other parts only.
        const std::lock_guard turn((*device)->turn());
        for (const bool exact : {false, true}) {
          bench.kernel(64, ctf, exact, small);
          bench.kernel(420, ctf, exact, large);
        }
        const std::int64_t once[] = {1024};
        bench.kernel(64, ctf, true, once, InsertionKernel::blob);
        bench.kernel(420, ctf, true, once, InsertionKernel::blob);
        bench.parts(64, ctf);
        bench.parts(420, ctf);
      }
      for (const bool pinned : {false, true}) {
        bench.chain(64, ctf, 32768, 1, pinned);
        bench.chain(420, ctf, 4096, 1, pinned);
        bench.chain(420, ctf, 2048, 5, pinned);
      }
    }
    return bench.take();
  });
}

}  // namespace aprscope
