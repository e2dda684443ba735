#include "gpu/convert/image_conversion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/conversion_result.hpp"
#include "core/apr/convert/pulling_scheme.hpp"
#include "core/base/scratch.hpp"
#include "core/base/side_thread.hpp"
#include "core/base/system.hpp"
#include "gpu/convert/image_half_grid.hpp"
#include "gpu/convert/image_smoother.hpp"
#include "gpu/convert/particle_sampling.hpp"
#include "gpu/convert/threshold_samples.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kImage = "image on the GPU";
// Blocks of slices that are worked on at once, where memory allows: enough to fill the device, and
// few enough that their coefficients stay in its cache from one pass to the next.
int slab_blocks_for(const Size3& size) {
  constexpr std::int64_t kBytes = std::int64_t{32} << 20U;
  const std::int64_t slices = kBytes / (size.x * size.y * static_cast<std::int64_t>(sizeof(float)));
  const std::int64_t all = (size.z + SmootherPlan::kSlices) / SmootherPlan::kSlices;
  return static_cast<int>(std::clamp<std::int64_t>(slices / SmootherPlan::kSlices, 1, all));
}

void check_stop(const JobContext& context) {
  if (context.stop_requested()) throw Failure{cancelled_error()};
}

HalfOptions masked_options(const Size3& size, SampleKind kind, const ConversionParameters& p) {
  HalfOptions options = half_options(size, kind, p);
  options.mask = p.intensity_th;
  return options;
}

}  // namespace

// The state of a conversion in progress.
struct ImageConversion::Working {
  const char* host = nullptr;
  // Memory for all slices of the image, or a ring for those being worked on.
  DeviceBuffer<char> memory;
  SliceRing slices;
  // Number of slices uploaded so far.
  std::int64_t brought = 0;
  // When the last two slabs are done: until then the slices that they read must not be overwritten.
  Event done[2];
  int slab = 0;
};

ImageConversion::ImageConversion(GpuDevice& device, const Size3& size, SampleKind kind,
                                 const ConversionParameters& parameters)
    : device_(device),
      size_(size),
      kind_(kind),
      parameters_(parameters),
      plan_(size, static_cast<double>(parameters.lambda)),
      options_(masked_options(size, kind, parameters)) {
  const DeviceMemory memory = device_memory();
  slab_blocks_ = slab_blocks_for(size);
  if (bytes_with(slab_blocks_, true) <= memory.free) return;
  resident_ = false;
  for (; slab_blocks_ >= 1; slab_blocks_ /= 2) {
    if (bytes_with(slab_blocks_, false) <= memory.free) return;
  }
  throw Failure{{"the conversion needs about " + format_bytes(bytes_with(1, false)) +
                     " of GPU memory, but only " + format_bytes(memory.free) + " of " +
                     format_bytes(memory.total) + " are free",
                 device.name(), "use --device cpu, or convert a part of the image"}};
}

// Slices that a slab and the one before it need at once.
int ImageConversion::ring_slots(int slab_blocks) const {
  const auto& blocks = plan_.blocks;
  std::int64_t slots = 2;
  std::int64_t begin_before = 0;
  for (std::size_t b = 0; b < blocks.size(); b += static_cast<std::size_t>(slab_blocks)) {
    const std::size_t end = std::min(blocks.size(), b + static_cast<std::size_t>(slab_blocks));
    std::int64_t begin = blocks[b].raw_begin;
    std::int64_t raw_end = 0;
    for (std::size_t i = b; i < end; ++i) {
      begin = std::min(begin, blocks[i].raw_begin);
      raw_end = std::max(raw_end, blocks[i].raw_end);
    }
    // One slot more: the last slice of an odd number waits for its partner in the next slab.
    slots = std::max(slots, raw_end - std::min(begin, begin_before) + 1);
    begin_before = begin;
  }
  return static_cast<int>(std::min(slots, size_.z));
}

std::uint64_t ImageConversion::bytes_with(int slab_blocks, bool resident) const {
  const int planes = slab_blocks * static_cast<int>(SmootherPlan::kSlices) / 2 + 1;
  const auto slices = static_cast<std::uint64_t>(resident ? size_.z : ring_slots(slab_blocks));
  // The samples that the two thresholds are computed from.
  const auto samples =
      static_cast<std::uint64_t>(std::min(options_.half.count(), kThresholdSamples));
  return slices * plane_bytes() + ImageSmoother::estimate_bytes(plan_, slab_blocks) +
         ImageHalfGrid::estimate_bytes(options_, planes) + ParticleCells::estimate_bytes(size_) +
         ParticleSampling::estimate_bytes(size_) + samples * 2 * sizeof(float);
}

std::uint64_t ImageConversion::estimate_bytes(const Size3& size, SampleKind kind,
                                              const ConversionParameters& parameters) {
  const SmootherPlan plan(size, static_cast<double>(parameters.lambda));
  const HalfOptions options = masked_options(size, kind, parameters);
  const auto samples =
      static_cast<std::uint64_t>(std::min(options.half.count(), kThresholdSamples));
  const int blocks = slab_blocks_for(size);
  const int planes = blocks * static_cast<int>(SmootherPlan::kSlices) / 2 + 1;
  return static_cast<std::uint64_t>(size.count()) * sample_bytes(kind) +
         ImageSmoother::estimate_bytes(plan, blocks) +
         ImageHalfGrid::estimate_bytes(options, planes) + ParticleCells::estimate_bytes(size) +
         ParticleSampling::estimate_bytes(size) + samples * 2 * sizeof(float);
}

void ImageConversion::copy_slices(Working& work, std::int64_t begin, std::int64_t end) {
  const std::uint64_t plane = plane_bytes();
  const auto slots = static_cast<std::int64_t>(work.slices.slots);
  for (std::int64_t z = begin; z < end;) {
    const std::int64_t slot = z % slots;
    const std::int64_t count = std::min(end - z, slots - slot);
    const char* const from = work.host + static_cast<std::uint64_t>(z) * plane;
    char* const to = work.memory.data() + static_cast<std::uint64_t>(slot) * plane;
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) * plane;
    device_.upload(from, to, bytes, device_.side());
    z += count;
  }
}

void ImageConversion::bring(Working& work, std::int64_t end) {
  if (end <= work.brought) return;
  copy_slices(work, work.brought, end);
  work.brought = end;
  device_.join();
}

DeviceConversion ImageConversion::run(const void* image, const JobContext& context) {
  const cudaStream_t stream = device_.main();
  Working work;
  const int slots = resident_ ? static_cast<int>(size_.z) : ring_slots(slab_blocks_);
  work.memory = {static_cast<std::uint64_t>(slots) * plane_bytes(), kImage, stream};
  work.slices = {work.memory.data(), slots};
  work.host = static_cast<const char*>(image);
  // main() allocates the memory, so side() has to wait for it before it uploads.
  device_.fork();

  const int level_max = finest_level(size_);
  const bool truncate = parameters_.rounding == SamplingRounding::truncate_each_level;
  DeviceConversion out;
  out.used = parameters_;
  ParticleSampling sampling(size_, level_max, kind_, truncate, stream);
  std::optional<ParticleCells> cells;
  {
    ImageSmoother smoother(plan_, kind_, slab_blocks_, stream);
    ImageHalfGrid half(options_, smoother, size_, plan_.norm,
                       slab_blocks_ * static_cast<int>(SmootherPlan::kSlices) / 2 + 1, stream);
    const int blocks = static_cast<int>(plan_.blocks.size());
    std::int64_t sampled = 0;
    for (int b = 0; b < blocks; b += slab_blocks_, ++work.slab) {
      check_stop(context);
      const int end = std::min(blocks, b + slab_blocks_);
      std::int64_t raw_end = 0;
      for (int i = b; i < end; ++i) {
        raw_end = std::max(raw_end, plan_.blocks[static_cast<std::size_t>(i)].raw_end);
      }
      context.report(0.6 * b / blocks, "gradient and scale");
      if (!resident_ && work.slab >= 2) {
        ensure(cudaStreamWaitEvent(device_.side(), work.done[work.slab % 2], 0), kImage);
      }
      bring(work, raw_end);
      smoother.run(b, end, work.slices);
      half.run(plan_.blocks[static_cast<std::size_t>(end - 1)].end);
      const std::int64_t whole = raw_end == size_.z ? raw_end : raw_end / 2 * 2;
      sampling.add_slices(sampled, whole, work.slices);
      sampled = std::max(sampled, whole);
      work.done[work.slab % 2].record(stream);
    }
    check_stop(context);
    if (!options_.windows.any()) half.fill_scale(half.mean_less_least());
    float largest = 0.0F;
    ensure(cudaMemcpyAsync(&largest, smoother.largest(), sizeof largest, cudaMemcpyDeviceToHost,
                           stream),
           kImage);
    ensure(cudaStreamSynchronize(stream), kImage);
    const float noise =
        plan_.noise(largest) / std::min({parameters_.dz, parameters_.dx, parameters_.dy});
    if (parameters_.auto_thresholds) {
      context.report(0.6, "thresholds");
      const Thresholds found =
          device_thresholds(half.gradient(), half.scale(), options_.half.count(), noise, device_);
      out.used.sigma_th = found.sigma_th;
      out.used.grad_th = found.grad_th;
    }
    check_stop(context);
    context.report(0.7, "particle cells");
    cells.emplace(size_, level_max, LevelRule(out.used, level_max).row(noise), half.gradient(),
                  half.scale(), parameters_.neighbourhood_optimisation, stream);
  }
  out.particles = particle_access(*cells, size_, stream);
  out.tree = tree_access(*cells, size_, stream);
  cells.reset();
  check_stop(context);
  context.report(0.85, "particle values");
  out.values = {out.particles.y.count() * sample_bytes(kind_), "particles on the GPU", stream};
  sampling.sample_coarse(out.particles, out.values.data());
  if (resident_) {
    sampling.sample_fine(out.particles, 0, size_.z, work.slices, out.values.data());
    return out;
  }
  // Slices come a second time, for the values of the finest particles.
  const std::int64_t step = std::max<std::int64_t>(work.slices.slots / 2, 1);
  work.brought = 0;
  for (std::int64_t z = 0; z < size_.z; z += step) {
    check_stop(context);
    device_.fork();
    const std::int64_t end = std::min(size_.z, z + step);
    bring(work, end);
    sampling.sample_fine(out.particles, z, end, work.slices, out.values.data());
  }
  return out;
}

namespace {

template <class T>
Scratch<T> to_host(GpuDevice& device, const DeviceBuffer<T>& from) {
  Scratch<T> out(static_cast<std::int64_t>(from.count()), Pages::huge);
  make_pages(out.data(), static_cast<std::int64_t>(from.bytes()));
  device.download(from.data(), out.data(), from.bytes());
  return out;
}

LinearAccess to_host(GpuDevice& device, const DeviceAccess& access, const Size3& size, int first,
                     int last) {
  return LinearAccess::of_ordered(size, finest_level(size), first, last, to_host(device, access.y),
                                  to_host(device, access.xz_end));
}

}  // namespace

Result<Apr> convert_on_device(GpuDevice& device, const Volume& volume,
                              const ConversionParameters& parameters, const JobContext& context) {
  const Size3 size = volume.size();
  if (Status fine = check_conversion(size, parameters); !fine) return fine.error();
  // There is nothing to compute in images of at most 2 pixels a dimension.
  if (finest_level(size) < 2) return convert(volume, parameters, context);
  const void* pixels = nullptr;
  std::visit([&](const auto& image) { pixels = image.values.data(); }, volume.pixels);
  const auto kind = static_cast<SampleKind>(volume.pixels.index());
  DeviceConversion made =
      ImageConversion(device, size, kind, parameters).run(pixels, context.part(0.0, 0.8));
  context.report(0.8, "copying from the GPU");
  const int top = finest_level(size);
  const std::uint64_t count = made.particles.y.count();
  FieldValues values;
  with_samples(kind, [&](auto type) {
    values = std::vector<decltype(type)>();
    auto& samples = std::get<std::vector<decltype(type)>>(values);
    samples.reserve(count);
    make_pages(samples.data(), static_cast<std::int64_t>(made.values.bytes()));
  });
  // One thread clears the values, as a vector must, while the others fetch the structure.
  SideThread beside;
  auto cleared = beside.start([&] {
    std::visit([&](auto& samples) { samples.resize(count); }, values);
    return Status();
  });
  auto access = AprAccess::create(to_host(device, made.particles, size, 1, top),
                                  to_host(device, made.tree, size, 0, top - 1));
  if (Status done = cleared.get(); !done) return done.error();
  if (!access) return access.error();
  std::visit(
      [&](auto& samples) {
        device.download(made.values.data(), samples.data(), made.values.bytes());
      },
      values);
  context.report(1.0, "converted");
  return converted_apr(*access, std::move(values), volume, made.used);
}

}  // namespace aprscope::gpu
