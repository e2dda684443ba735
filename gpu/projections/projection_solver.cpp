#include "gpu/projections/projection_solver.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>
#include <utility>

#include "core/base/scratch.hpp"
#include "core/base/system.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/tile_sums.hpp"
#include "gpu/device/fft_plan.hpp"
#include "gpu/device/peer_access.hpp"
#include "gpu/projections/map_vectors.hpp"
#include "gpu/projections/tile_lines.hpp"
#include "gpu/projections/tile_sums.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kSolvedMap = "a map of projections on the GPU";

std::uint64_t unsigned_of(std::int64_t n) { return static_cast<std::uint64_t>(n); }

std::uint64_t cube_bytes(std::int64_t n) { return unsigned_of(n * n * n) * sizeof(float); }

Size3 box_of(const InsertionPlan& plan) { return {plan.padded, plan.padded, plan.padded}; }

std::uint64_t bytes_of(const InsertionPlan& plan, Solve solve) {
  const std::uint64_t map = cube_bytes(plan.side);
  std::uint64_t work = TileLines::bytes(plan, plan.side);
  if (solve == Solve::least_squares) {
    // Memory for the box of p, its kernels, and five maps besides the first.
    const std::uint64_t box = FftPlan::buffer_count(box_of(plan)) * sizeof(float);
    work = 2 * box + 5 * map +
           std::max(
               {work, TileLines::bytes(plan, plan.padded), FftPlan::estimate_bytes(box_of(plan))});
  }
  // Summing by symmetry needs a second copy of the sums.
  return std::max(map + work, unsigned_of(plan.tiles.floats()) * sizeof(float));
}

// Solves p ⁎ x + T x = b by conjugate gradients, in the same way as least_squares().
class NormalEquations {
 public:
  NormalEquations(const InsertionPlan& plan, GpuDevice& device)
      : device_(device),
        stream_(device.main()),
        side_(static_cast<std::int32_t>(plan.side)),
        padded_(static_cast<std::int32_t>(plan.padded)),
        count_(plan.side * plan.side * plan.side),
        box_(FftPlan::buffer_count(box_of(plan)), kSolvedMap, stream_) {}

  // False: the job was cancelled.
  bool prepare(const InsertionPlan& plan, const TileView& tiles, std::span<const double> means,
               std::span<const double> tau, const JobContext& context) {
    {
      const TileLines lines(plan, plan.padded, true, stream_);
      if (!lines.run(tiles, {true, nullptr}, padded_ + 2, box_.data(), context)) return false;
    }
    fft_ = std::make_unique<FftPlan>(box_of(plan), stream_);
    fft_->forward(box_.data());
    point_ = {box_.count() / 2, kSolvedMap, stream_};
    weights_ = {box_.count() / 2, kSolvedMap, stream_};
    const auto device_means = device_.upload(means, kSolvedMap);
    const auto device_tau = device_.upload(tau, kSolvedMap);
    const double p = padded_;
    make_kernels(tiles, device_means.data(), device_tau.data(), padded_,
                 static_cast<float>(1.0 / (p * p * p)), box_.data(), point_.data(), weights_.data(),
                 stream_);
    return true;
  }

  // The residual is b at first and is overwritten; x starts at 0. False: the job was cancelled.
  bool solve(DeviceBuffer<float>& residual, int iterations, const JobContext& context,
             DeviceBuffer<float>& x) {
    x = map();
    DeviceBuffer<float> direction = map();
    const DeviceBuffer<float> z = map();
    const DeviceBuffer<float> image = map();
    parts_ = {kDotParts + 1, kSolvedMap, stream_};
    x.zero();
    direction.zero();
    double before = 0.0;
    for (int i = 0; i < iterations; ++i) {
      if (context.stop_requested()) return false;
      context.report(static_cast<double>(i) / iterations, "Least squares");
      filter(residual, weights_, z);
      const double now = dot(residual, z);
      if (!(now > 0.0)) break;
      combine(z, before > 0.0 ? now / before : 0.0, direction, direction);
      before = now;
      filter(direction, point_, image);
      const double curvature = dot(direction, image);
      if (!(curvature > 0.0)) break;
      combine(x, now / curvature, direction, x);
      combine(residual, -now / curvature, image, residual);
    }
    return true;
  }

 private:
  using Map = DeviceBuffer<float>;

  [[nodiscard]] Map map() const { return {unsigned_of(count_), kSolvedMap, stream_}; }

  void filter(const Map& in, const Map& kernel, const Map& out) const {
    pad_map(side_, padded_, in.data(), box_.data(), stream_);
    fft_->forward(box_.data());
    multiply_spectrum(padded_, kernel.data(), box_.data(), stream_);
    fft_->inverse(box_.data());
    crop_map(side_, padded_, box_.data(), out.data(), stream_);
  }
  void combine(const Map& a, double factor, const Map& b, const Map& out) const {
    combine_maps(count_, a.data(), static_cast<float>(factor), b.data(), out.data(), stream_);
  }
  [[nodiscard]] double dot(const Map& a, const Map& b) const {
    double* const total = parts_.data() + kDotParts;
    dot_maps(count_, a.data(), b.data(), parts_.data(), total, stream_);
    double sum = 0.0;
    device_.download(total, &sum, sizeof(sum));
    return sum;
  }

  GpuDevice& device_;
  cudaStream_t stream_;
  std::int32_t side_, padded_;
  std::int64_t count_;
  Map box_, point_, weights_;
  DeviceBuffer<double> parts_;
  std::unique_ptr<FftPlan> fft_;
};

class CudaSolver final : public MapSolver {
 public:
  explicit CudaSolver(std::shared_ptr<GpuDevice> device) : device_(std::move(device)) {}

  [[nodiscard]] Status fits(const InsertionPlan& plan, Solve solve) const override {
    if (solve == Solve::weights) {
      return Error{"weights are iterated there", kSolvedMap, "solve by division or least squares"};
    }
    const std::lock_guard turn(device_->turn());
    return guarded([&]() -> Status {
      device_->use();
      return room_for(bytes_of(plan, solve));
    });
  }

  [[nodiscard]] Status holds(const InsertionPlan& plan) const override {
    const std::lock_guard turn(device_->turn());
    return guarded([&]() -> Status {
      device_->use();
      return room_for(unsigned_of(plan.tiles.floats()) * sizeof(float));
    });
  }
  Result<std::unique_ptr<HeldSums>> hold(const InsertionPlan& plan,
                                         std::vector<float>&& sums) override {
    return work([&]() -> Result<std::unique_ptr<HeldSums>> {
      return std::unique_ptr<HeldSums>(std::make_unique<SumsOnDevice>(
          device_, plan.tiles, device_->upload(std::span<const float>(sums), kSolvedMap)));
    });
  }
  Result<std::vector<float>> let_go(std::unique_ptr<HeldSums> sums) override {
    return work([&]() -> Result<std::vector<float>> { return downloaded(tiles_of(*sums).sums()); });
  }
  // Joins sums by copies between devices.
  Result<std::unique_ptr<HeldSums>> joined(const InsertionPlan& plan,
                                           std::vector<std::unique_ptr<HeldSums>>& parts) override {
    return work([&]() -> Result<std::unique_ptr<HeldSums>> {
      DeviceBuffer<float> all(unsigned_of(plan.sum_floats()), kSolvedMap, device_->main());
      std::uint64_t at = 0;
      for (const auto& part : parts) {
        const auto& from = static_cast<const SumsOnDevice&>(*part);
        const DeviceBuffer<float>& some = from.tiles.sums();
        connect_devices(device_->index(), from.device->index());
        ensure(cudaMemcpyPeerAsync(all.data() + at, device_->index(), some.data(),
                                   from.device->index(), some.bytes(), device_->main()),
               "copying sums from GPU to GPU");
        at += some.count();
      }
      ensure(cudaStreamSynchronize(device_->main()), "copying sums from GPU to GPU");
      parts.clear();
      device_->use();  // the last part was on another device
      return std::unique_ptr<HeldSums>(
          std::make_unique<SumsOnDevice>(device_, plan.tiles, std::move(all)));
    });
  }

  Status complete(const InsertionPlan& /*plan*/, HeldSums& sums,
                  std::span<const GridRotation> aligned) override {
    return work([&]() -> Status {
      DeviceTiles& tiles = tiles_of(sums);
      average_pairs(tiles.view(), tiles.sums().data(), device_->main());
      if (aligned.size() <= 1) return {};
      DeviceBuffer<float> out(tiles.sums().count(), kSolvedMap, device_->main());
      symmetrise(tiles.view(), tiles.origins(), tiles.count(), aligned, out.data(),
                 device_->main());
      tiles.sums() = std::move(out);
      return {};
    });
  }
  Status add(HeldSums& to, const HeldSums& more) override {
    return work([&]() -> Status {
      const DeviceBuffer<float>& a = tiles_of(to).sums();
      combine_maps(static_cast<std::int64_t>(a.count()), a.data(), 1.0F,
                   tiles_of(more).sums().data(), a.data(), device_->main());
      return {};
    });
  }
  Result<std::vector<double>> weights(const InsertionPlan& plan, const HeldSums& sums) override {
    return work([&]() -> Result<std::vector<double>> {
      const Shells shells = shells_of(plan, sums, {}, 0.0);
      std::vector<double> means(unsigned_of(plan.tiles.reach() + 1));
      for (std::size_t s = 0; s < means.size(); ++s) {
        means[s] = shells.counts[s] > 0.0 ? shells.sums[s] / shells.counts[s] : 0.0;
      }
      return means;
    });
  }
  Result<double> thin(const InsertionPlan& plan, const HeldSums& sums,
                      std::span<const double> means, double share) override {
    return work([&]() -> Result<double> {
      const Shells shells = shells_of(plan, sums, means, share);
      const double thin = std::accumulate(shells.sums.begin(), shells.sums.end(), 0.0);
      const double all = std::accumulate(shells.counts.begin(), shells.counts.end(), 0.0);
      return all > 0.0 ? thin / all : 0.0;
    });
  }

  Result<std::vector<float>> divided(const InsertionPlan& plan, HeldSums& sums,
                                     std::span<const double> tau, bool /*last*/,
                                     const JobContext& context) override {
    return work([&]() -> Result<std::vector<float>> {
      const auto device_tau = device_->upload(tau, kSolvedMap);
      const DeviceBuffer<float> map(cube(plan), kSolvedMap, device_->main());
      const TileLines lines(plan, plan.side, false, device_->main());
      if (!lines.run(tiles_of(sums).view(), {false, device_tau.data()}, plan.side, map.data(),
                     context)) {
        return cancelled_error();
      }
      return downloaded(map);
    });
  }

  Result<std::vector<float>> least_squares(const InsertionPlan& plan, const HeldSums& sums,
                                           std::span<const double> means,
                                           std::span<const double> tau, int iterations,
                                           const JobContext& context) override {
    return work([&]() -> Result<std::vector<float>> {
      const TileView view = tiles_of(sums).view();
      DeviceBuffer<float> residual(cube(plan), kSolvedMap, device_->main());
      NormalEquations equations(plan, *device_);
      {
        const TileLines lines(plan, plan.side, false, device_->main());
        if (!lines.run(view, {false, nullptr}, plan.side, residual.data(), context)) {
          return cancelled_error();
        }
      }
      std::vector<double> added(tau.begin(), tau.end());
      added.resize(means.size(), 0.0);  // without tau: zeros
      if (!equations.prepare(plan, view, means, added, context)) return cancelled_error();
      DeviceBuffer<float> x;
      if (!equations.solve(residual, iterations, context, x)) return cancelled_error();
      return downloaded(x);
    });
  }

 private:
  [[nodiscard]] Status room_for(std::uint64_t needed) const {
    const std::uint64_t free = device_memory().free;
    if (needed <= free) return {};
    return Error{device_->name() + " has " + format_bytes(free) + " free of the " +
                     format_bytes(needed) + " that this takes",
                 kSolvedMap, "close other data or limit the resolution"};
  }
  // Sums and counts for each padded shell.
  struct Shells {
    std::vector<double> sums, counts;
  };

  static std::uint64_t cube(const InsertionPlan& plan) {
    return unsigned_of(plan.side * plan.side * plan.side);
  }
  static DeviceTiles& tiles_of(HeldSums& sums) { return static_cast<SumsOnDevice&>(sums).tiles; }
  static const DeviceTiles& tiles_of(const HeldSums& sums) {
    return static_cast<const SumsOnDevice&>(sums).tiles;
  }

  [[nodiscard]] std::vector<float> downloaded(const DeviceBuffer<float>& map) const {
    std::vector<float> out;
    make_zeros(out, static_cast<std::int64_t>(map.count()));
    device_->download(map.data(), out.data(), map.bytes());
    return out;
  }

  // Adds up the sums of tiles in the order of tiles, for a reproducible result.
  [[nodiscard]] Shells shells_of(const InsertionPlan& plan, const HeldSums& held,
                                 std::span<const double> means, double share) const {
    const DeviceTiles& tiles = tiles_of(held);
    const std::uint64_t each = unsigned_of(plan.tiles.count()) * kTileShells;
    const DeviceBuffer<double> by_tile(2 * each, kSolvedMap, device_->main());
    const auto device_means = device_->upload(means, kSolvedMap);
    sum_shells(tiles.view(), tiles.origins(), tiles.count(),
               means.empty() ? nullptr : device_means.data(), share, by_tile.data(),
               by_tile.data() + each, device_->main());
    std::vector<double> values(2 * each);
    device_->download(by_tile.data(), values.data(), by_tile.bytes());
    Shells out;
    out.sums.resize(unsigned_of(plan.tiles.reach() + 2 + kTileShells));
    out.counts.resize(out.sums.size());
    std::size_t i = 0;
    for (const auto& origin : plan.tiles.origins()) {
      const auto first = unsigned_of(first_shell(origin.data(), plan.tiles.side()));
      for (std::size_t s = first; s < first + kTileShells; ++s, ++i) {
        if (s >= out.sums.size()) continue;
        out.sums[s] += values[i];
        out.counts[s] += values[each + i];
      }
    }
    return out;
  }

  // Runs one job at a time on the device.
  template <class Work>
  auto work(const Work& run) const -> decltype(run()) {
    const std::lock_guard turn(device_->turn());
    try {
      return guarded([&] {
        device_->use();
        return run();
      });
    } catch (const std::bad_alloc&) {
      return Error{"not enough memory for a map", "reconstruction",
                   "close other data, limit the resolution or use less padding"};
    }
  }

  std::shared_ptr<GpuDevice> device_;
};

}  // namespace

SumsOnDevice::~SumsOnDevice() {
  try {
    device->use();
  } catch (const Failure&) {
    return;  // the device is lost, with its buffers
  }
}

std::unique_ptr<MapSolver> make_cuda_solver(std::shared_ptr<GpuDevice> device) {
  return std::make_unique<CudaSolver>(std::move(device));
}

}  // namespace aprscope::gpu
