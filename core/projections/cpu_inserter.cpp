#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/projections/blob_insertion.hpp"
#include "core/projections/image_planes.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/insertion_kernels.hpp"

namespace aprscope {

namespace {

TileColumns columns_of(std::int64_t side) {
  TileColumns columns;
  const std::array<std::int64_t, 3> stride{1, side, side * side};
  // For columns along each axis: the two other axes, in order.
  constexpr std::array<std::array<std::size_t, 2>, 3> others{{{1, 2}, {0, 2}, {0, 1}}};
  for (std::int64_t i = 0; i < side * side; ++i) {
    const std::int64_t u = i % side;
    const std::int64_t v = i / side;
    columns.u[i] = static_cast<float>(u);
    columns.v[i] = static_cast<float>(v);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      columns.at[axis][i] =
          static_cast<std::int32_t>(u * stride[others[axis][0]] + v * stride[others[axis][1]]);
    }
  }
  return columns;
}

// Samples of one half, as tiles want them.
struct HalfSamples {
  static constexpr std::size_t kBeyond = 16;  // a whole vector may be read
  std::vector<PlaneSample> samples;
  std::array<std::vector<float>, 4> normals;

  void add(const InsertionSample& from, const float* texels, double radius, std::int64_t side) {
    PlaneSample& sample = samples.emplace_back();
    std::copy(from.rows.begin(), from.rows.end(), sample.rows);
    sample.radius_square = from.radius * from.radius;
    sample.texels = texels;
    double bound = radius + 1e-3;
    for (std::size_t i = 0; i < 3; ++i) {
      normals[i].push_back(from.rows[6 + i]);
      bound += 0.5 * static_cast<double>(side - 1) * std::abs(from.rows[6 + i]);
    }
    normals[3].push_back(static_cast<float>(bound));
  }
  void close() {
    for (std::size_t i = 0; i < 3; ++i) normals[i].resize(samples.size() + kBeyond, 0.0F);
    normals[3].resize(samples.size() + kBeyond, -1.0F);
  }
  [[nodiscard]] SampleNormals view() const {
    return {normals[0].data(), normals[1].data(), normals[2].data(), normals[3].data()};
  }
};

class CpuInserter final : public Inserter {
 public:
  CpuInserter(const InsertionPlan& plan, ImagePlanes planes)
      : plan_(plan),
        planes_(std::move(planes)),
        columns_(columns_of(plan.tiles.side())),
        blob_(plan.blob),
        range_(plan.summed()),
        sums_(static_cast<std::size_t>(plan.halves)) {
    for (auto& sums : sums_) sums.resize(static_cast<std::size_t>(plan.sum_floats()));
  }

  [[nodiscard]] std::int64_t batch() const override {
    return cpu_batch(planes_.plane().floats, plan_.tiles.floats());
  }

  Status insert(std::span<const float> images, std::span<const ImageTerms> terms,
                std::span<const InsertionSample> samples, const JobContext& context) override;
  Status sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) override;
  Result<std::vector<float>> take(int half) override {
    return std::move(sums_[static_cast<std::size_t>(half)]);
  }

 private:
  // Scratch of one thread for its tiles.
  struct TileScratch {
    AlignedVector<float> sums;
    std::vector<std::int32_t> list;
  };

  void prepare(std::span<const float> images, std::span<const ImageTerms> terms,
               const JobContext& context);
  void insert_tile(std::int64_t tile, const HalfSamples& samples, float* total,
                   TileScratch& scratch) const;

  InsertionPlan plan_;
  ImagePlanes planes_;
  TileColumns columns_;
  BlobTable blob_;
  TileRange range_;
  std::vector<std::vector<float>> sums_;
  AlignedVector<float> texels_;
};

void CpuInserter::prepare(std::span<const float> images, std::span<const ImageTerms> terms,
                          const JobContext& context) {
  const auto count = static_cast<std::int64_t>(terms.size());
  const std::int64_t floats = planes_.plane().floats;
  if (texels_.size() < static_cast<std::size_t>(count * floats)) {
    texels_.resize(static_cast<std::size_t>(count * floats));
  }
  for (const ImageTerms& term : terms) planes_.add_window(term);
  const int threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, thread_count()));
  std::vector<ImagePlanes::Scratch> scratch;
  for (int i = 0; i < threads; ++i) scratch.push_back(planes_.scratch());
  parallel_each(count, threads, [&](std::int64_t i, int thread) {
    if (context.stop_requested()) return;
    planes_.prepare(images.data() + i * plan_.side * plan_.side, terms[static_cast<std::size_t>(i)],
                    texels_.data() + i * floats, scratch[static_cast<std::size_t>(thread)]);
  });
}

Status CpuInserter::insert(std::span<const float> images, std::span<const ImageTerms> terms,
                           std::span<const InsertionSample> samples, const JobContext& context) {
  prepare(images, terms, context);
  if (context.stop_requested()) return cancelled_error();
  // Sums of a batch are kept in single precision before they are added: not too many at a time.
  constexpr std::size_t kMost = 4096;
  for (std::size_t begin = 0; begin < samples.size(); begin += kMost) {
    std::vector<HalfSamples> halves(static_cast<std::size_t>(plan_.halves));
    for (std::size_t i = begin; i < std::min(begin + kMost, samples.size()); ++i) {
      halves[static_cast<std::size_t>(samples[i].half)].add(
          samples[i], texels_.data() + samples[i].image * planes_.plane().floats, plan_.blob.radius,
          plan_.tiles.side());
    }
    for (HalfSamples& half : halves) half.close();
    const std::int64_t tiles = range_.size();
    const int threads = thread_count();
    std::vector<TileScratch> scratch(static_cast<std::size_t>(threads));
    for (TileScratch& s : scratch) {
      s.sums.resize(static_cast<std::size_t>(4 * plan_.tiles.voxels()));
      s.list.resize(std::min(kMost, samples.size()) + HalfSamples::kBeyond);
    }
    parallel_each(tiles * plan_.halves, threads, [&](std::int64_t i, int thread) {
      if (context.stop_requested()) return;
      const auto half = static_cast<std::size_t>(i / tiles);
      insert_tile(range_.begin + i % tiles, halves[half],
                  sums_[half].data() + (i % tiles) * plan_.tiles.stride(),
                  scratch[static_cast<std::size_t>(thread)]);
    });
    if (context.stop_requested()) return cancelled_error();
  }
  return {};
}

void CpuInserter::insert_tile(std::int64_t tile, const HalfSamples& samples, float* total,
                              TileScratch& scratch) const {
  const auto& origin = plan_.tiles.origins()[static_cast<std::size_t>(tile)];
  std::array<float, 3> centre{};
  TileTask task;
  for (std::size_t i = 0; i < 3; ++i) {
    task.origin[i] = origin[i];
    centre[i] = static_cast<float>(origin[i]) + 0.5F * static_cast<float>(plan_.tiles.side() - 1);
  }
  task.count =
      insertion_kernels().cull(samples.view(), static_cast<std::int64_t>(samples.samples.size()),
                               centre.data(), scratch.list.data());
  if (task.count == 0) return;
  std::fill(scratch.sums.begin(), scratch.sums.end(), 0.0F);
  task.plane = &planes_.plane();
  task.columns = &columns_;
  task.samples = samples.samples.data();
  task.list = scratch.list.data();
  task.side = static_cast<std::int32_t>(plan_.tiles.side());
  task.radius = plan_.slab.radius;
  task.inverse_square = plan_.slab.inverse_square;
  std::copy(plan_.slab.c.begin(), plan_.slab.c.end(), task.c);
  task.sums = scratch.sums.data();
  if (plan_.kernel == InsertionKernel::slab) {
    insertion_kernels().slab(task);
  } else {
    insert_blobs(task, blob_);
  }
  insertion_kernels().spread_sums(task.sums, plan_.tiles.voxels(), total);
}

Status CpuInserter::sums(int half, std::span<const std::int32_t> tiles, std::span<float> out) {
  const std::int64_t stride = plan_.tiles.stride();
  const float* const from = sums_[static_cast<std::size_t>(half)].data();
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    std::copy_n(from + (tiles[i] - range_.begin) * stride, stride,
                out.data() + static_cast<std::int64_t>(i) * stride);
  }
  return {};
}

}  // namespace

std::int64_t cpu_batch(std::int64_t plane_floats, std::int64_t sums_floats) {
  // Half as many texels as sums, which are passed over once a batch: fewer than that cost passes,
  // more do not stay in the caches (64²: 1.5 times as fast as 512 images).
  constexpr std::int64_t kMost = std::int64_t{1} << 28;  // 1 GiB
  return std::clamp<std::int64_t>(std::min(sums_floats / 2, kMost) / plane_floats, 8, 512);
}

Result<std::unique_ptr<Inserter>> make_cpu_inserter(const InsertionPlan& plan,
                                                    const JobContext& context) {
  if (context.stop_requested()) return cancelled_error();
  try {
    auto planes = ImagePlanes::create(plan);
    if (!planes) return planes.error();
    return std::unique_ptr<Inserter>(std::make_unique<CpuInserter>(plan, std::move(*planes)));
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the sums of a map", "reconstruction",
                 "close other data, limit the resolution or use less padding"};
  }
}

}  // namespace aprscope
