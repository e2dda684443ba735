#include "gpu/projections/projection_inserter.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "core/base/system.hpp"
#include "core/projections/dealt_inserter.hpp"
#include "core/projections/split_inserter.hpp"
#include "gpu/projections/projection_planes.hpp"
#include "gpu/projections/projection_solver.hpp"
#include "gpu/projections/projection_sums.hpp"

namespace aprscope::gpu {
namespace {

class CudaInserter final : public Inserter {
 public:
  // The device has to be current for this thread. `fitting`: the requested tiles that fit at a
  // time; empty: all fit.
  CudaInserter(std::shared_ptr<GpuDevice> device, const InsertionPlan& plan, TileRange fitting,
               bool exact)
      : device_(std::move(device)),
        plan_(plan),
        fitting_(fitting),
        sums_(plan, stream_),
        planes_(std::make_unique<PlaneStore>(plan, exact, stream_)),
        layers_(planes_->layers()),
        chunk_(planes_->chunk()) {}
  ~CudaInserter() override {
    try {
      device_->use();
    } catch (const Failure&) {
      return;  // the device is lost, with its buffers
    }
  }

  // The host holds two batches in pinned memory, so they are small enough to be pinned quickly.
  [[nodiscard]] std::int64_t batch() const override {
    constexpr std::int64_t kMostFloats = std::int64_t{3} << 24;
    const std::int64_t most = kMostFloats / (plan_.side * plan_.side);
    return std::min(layers_, std::max(most - most % chunk_, chunk_));
  }
  // Pinned memory: the device reads it directly, so that the host need not copy the
  // images.
  [[nodiscard]] std::shared_ptr<float[]> image_room(std::size_t floats) const override {
    try {
      device_->use();
      auto memory = std::make_shared<PinnedBuffer>(floats * sizeof(float));
      auto* const first = reinterpret_cast<float*>(memory->data());
      return {std::move(memory), first};
    } catch (const Failure&) {
      return Inserter::image_room(floats);  // not pinned: copied when it is read
    }
  }

  [[nodiscard]] TileRange fitting() const override { return fitting_; }

  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override;
  Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) override {
    const std::lock_guard turn(device_->turn());
    return guarded([&]() -> Status {
      device_->use();
      sums_.read(*device_, half, tiles, out.data());
      return {};
    });
  }
  Result<std::vector<float>> take(int half) override {
    try {
      const TileRange tiles = plan_.summed();
      std::vector<std::int32_t> all(static_cast<std::size_t>(tiles.size()));
      std::iota(all.begin(), all.end(), static_cast<std::int32_t>(tiles.begin));
      std::vector<float> out(static_cast<std::size_t>(plan_.sum_floats()));
      const std::lock_guard turn(device_->turn());
      const Status taken = guarded([&]() -> Status {
        device_->use();
        planes_.reset();
        sums_.read(*device_, half, all, out.data());
        sums_.drop(half);
        return {};
      });
      if (!taken) return taken.error();
      return out;
    } catch (const std::bad_alloc&) {
      return no_memory();
    }
  }
  Result<std::unique_ptr<HeldSums>> hold(int half) override {
    const std::lock_guard turn(device_->turn());
    try {
      return guarded([&]() -> Result<std::unique_ptr<HeldSums>> {
        device_->use();
        planes_.reset();
        return std::unique_ptr<HeldSums>(std::make_unique<SumsOnDevice>(
            device_, plan_.tiles, sums_.take(half, device_->main())));
      });
    } catch (const std::bad_alloc&) {
      return no_memory();
    }
  }
  [[nodiscard]] std::unique_ptr<MapSolver> solver() const override {
    return make_cuda_solver(device_);
  }

 private:
  static Error no_memory() {
    return {"not enough memory for the sums of a map", "reconstruction",
            "close other data, limit the resolution or use less padding"};
  }

  std::shared_ptr<GpuDevice> device_;
  Stream stream_;
  InsertionPlan plan_;
  TileRange fitting_;
  PlaneSums sums_;
  // Null after the sums were taken, since its memory was needed.
  std::unique_ptr<PlaneStore> planes_;
  std::int64_t layers_, chunk_;
};

Status CudaInserter::insert(std::span<const float> images, std::span<const ImageTerms> terms,
                            std::span<const InsertionSample> samples, const JobContext& context) {
  const std::lock_guard turn(device_->turn());
  return guarded([&]() -> Status {
    device_->use();
    if (planes_ == nullptr) {
      return Error{"its sums were taken already", "reconstruction", "make another inserter"};
    }
    const auto count = static_cast<std::int64_t>(terms.size());
    const std::int64_t pixels = plan_.side * plan_.side;
    // Images are uploaded while others are inserted: just enough at a time to be worth a launch.
    constexpr std::int64_t kSamples = 2048;
    const std::int64_t each =
        std::max<std::int64_t>(std::ssize(samples) / std::max(count, std::int64_t{1}), 1);
    const std::int64_t chunks = std::max<std::int64_t>(kSamples / each / planes_->chunk(), 1);
    const std::int64_t together = std::min(chunks * planes_->chunk(), planes_->layers());
    auto next = samples.begin();
    for (std::int64_t first = 0; first < count; first += together) {
      const std::int64_t some = std::min(together, count - first);
      const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
      if (!planes_->fill(images.subspan(size(first * pixels), size(some * pixels)),
                         terms.subspan(size(first), size(some)), context)) {
        return cancelled_error();
      }
      const auto end = std::find_if(
          next, samples.end(), [&](const InsertionSample& s) { return s.image >= first + some; });
      while (next != end) {
        if (context.stop_requested()) return cancelled_error();
        const auto last = next + std::min(PlaneSums::kMost, std::int64_t{end - next});
        sums_.add(sums_.stage({next, last}, terms, first), *planes_);
        next = last;
      }
    }
    planes_->release(images);
    return {};
  });
}

// The tiles that fit beside the planes, in passes of similar size; if all fit, those of the plan.
// Half of the memory is enough for planes.
Result<TileRange> fitting_tiles(const GpuDevice& device, const InsertionPlan& plan, bool exact) {
  constexpr std::uint64_t kMostPasses = 64;
  const TileRange asked = plan.summed();
  const std::uint64_t free = device_memory().free;
  const std::uint64_t planes = std::min(PlaneStore::bytes(plan, exact), free / 2);
  const std::uint64_t taken = planes + PlaneSums::other_bytes();
  const std::uint64_t each = PlaneSums::tile_bytes(plan);
  const std::uint64_t fits = free > taken ? (free - taken) / each : 0;
  const auto wanted = static_cast<std::uint64_t>(asked.size());
  if (fits >= wanted) return asked;
  if (fits * kMostPasses < wanted) {
    return Error{device.name() + " has " + format_bytes(free) + " free of the " +
                     format_bytes(planes + wanted * each) + " that the sums of a map take there",
                 "reconstruction", "close other data, limit the resolution or use --device cpu"};
  }
  const std::uint64_t passes = (wanted + fits - 1) / fits;
  return TileRange{asked.begin,
                   asked.begin + static_cast<std::int64_t>((wanted + passes - 1) / passes)};
}

}  // namespace

Result<std::unique_ptr<Inserter>> make_cuda_inserter(std::shared_ptr<GpuDevice> device,
                                                     const InsertionPlan& plan, bool exact) {
  if (static_cast<float>(plan.largest_scale) > kMostScale) {
    return Error{"an image's pixels are more than 1.5 times those of the map", "reconstruction",
                 "use --device cpu"};
  }
  const std::lock_guard turn(device->turn());
  return guarded([&]() -> Result<std::unique_ptr<Inserter>> {
    device->use();
    const auto tiles = fitting_tiles(*device, plan, exact);
    if (!tiles) return tiles.error();
    InsertionPlan some = plan;
    some.share = *tiles;
    const bool all = tiles->size() == plan.summed().size();
    return std::unique_ptr<Inserter>(
        std::make_unique<CudaInserter>(std::move(device), some, all ? TileRange{} : *tiles, exact));
  });
}

Result<std::unique_ptr<Inserter>> make_cuda_inserter(
    const std::vector<std::shared_ptr<GpuDevice>>& devices, const InsertionPlan& plan, bool exact,
    const JobContext& context) {
  if (devices.size() == 1) return make_cuda_inserter(devices.front(), plan, exact);
  std::vector<InserterFactory> places;
  for (const auto& device : devices) {
    places.emplace_back([device, exact](const InsertionPlan& part, const JobContext&) {
      return make_cuda_inserter(device, part, exact);
    });
  }
  auto dealt = make_dealt_inserter(plan, places, context);
  if (!dealt || *dealt != nullptr) return dealt;
  return make_split_inserter(plan, places, context);
}

}  // namespace aprscope::gpu
