#include "gpu/projections/projection_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/projections/blob_insertion.hpp"
#include "gpu/projections/projection_kernel.hpp"

namespace aprscope::gpu {
namespace {

// How much longer a frequency of the map can become in the image: the largest singular value of the
// rows that give x and y, which anisotropic magnification stretches unequally.
float stretch_of(const InsertionSample& s) {
  const auto dot = [&](std::size_t i, std::size_t j) {
    return s.rows[i] * s.rows[j] + s.rows[i + 1] * s.rows[j + 1] + s.rows[i + 2] * s.rows[j + 2];
  };
  const float mean = 0.5F * (dot(0, 0) + dot(3, 3));
  return std::sqrt(mean + std::hypot(0.5F * (dot(0, 0) - dot(3, 3)), dot(0, 3)));
}

constexpr const char* kSums = "sums of a reconstruction on the GPU";

int nearest_axis(const InsertionSample& s) {
  const float x = std::abs(s.rows[6]);
  const float y = std::abs(s.rows[7]);
  const float z = std::abs(s.rows[8]);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

InsertBlob insert_blob_of(const Blob& blob) {
  static_assert(BlobTable::kTerms == kBlobTerms);
  const BlobTable table(blob);
  InsertBlob out{table.radius, table.inverse_square, {}};
  std::copy_n(table.c, kBlobTerms, out.c);
  return out;
}

// Few tiles do not fill a device; then each tile has several sums that share the planes. Their
// number depends on all tiles, so that a share of the tiles gets the same sums as all do.
int parts_of(const InsertionPlan& plan) {
  constexpr std::int64_t kThreadsWanted = 360'000;
  const std::int64_t threads = plan.tiles.count() * plan.tiles.side() * plan.tiles.side();
  return static_cast<int>(std::clamp<std::int64_t>((kThreadsWanted + threads - 1) / threads, 1, 4));
}

// Tiles in the order to insert: central ones first, since most planes touch them.
std::vector<InsertTile> sorted_tiles(const FrequencyTiles& tiles, TileRange range) {
  std::vector<InsertTile> list;
  const auto side = static_cast<std::int32_t>(tiles.side());
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const auto& o = tiles.origins()[static_cast<std::size_t>(i)];
    list.push_back({o[0], o[1], o[2], static_cast<std::int32_t>(i - range.begin)});
  }
  // Tiles are grouped by shells as thick as two tiles, where neighbours read the same texels.
  const auto shell = [&](const InsertTile& t) {
    const auto square = [&](std::int32_t v) {
      const double c = v + 0.5 * side;
      return c * c;
    };
    return static_cast<int>(std::sqrt(square(t.x) + square(t.y) + square(t.z)) / (2.0 * side));
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const InsertTile& a, const InsertTile& b) { return shell(a) < shell(b); });
  return list;
}

}  // namespace

PlaneSums::PlaneSums(const InsertionPlan& plan, cudaStream_t stream)
    : plan_(plan),
      range_(plan.summed()),
      stream_(stream),
      parts_(parts_of(plan)),
      blob_(insert_blob_of(plan.blob)) {
  for (int half = 0; half < plan.halves; ++half) {
    sums_[half] = {static_cast<std::uint64_t>(parts_ * plan.sum_floats()), kSums, stream};
    sums_[half].zero();
  }
  const auto tiles = sorted_tiles(plan.tiles, range_);
  tiles_ = {tiles.size(), kSums, stream};
  ensure(
      cudaMemcpyAsync(tiles_.data(), tiles.data(), tiles_.bytes(), cudaMemcpyHostToDevice, stream),
      "copying tiles");
  planes_ = {kMost, kSums, stream};
  normals_ = {kMost, kSums, stream};
  for (Slot& slot : slots_) {
    slot.pinned = std::make_unique<PinnedBuffer>(kMost * (sizeof(InsertPlane) + sizeof(float4)));
  }
  ensure(cudaStreamSynchronize(stream), "copying tiles");
}

std::uint64_t PlaneSums::tile_bytes(const InsertionPlan& plan) {
  return static_cast<std::uint64_t>(plan.halves * parts_of(plan) * plan.tiles.stride()) *
             sizeof(float) +
         sizeof(InsertTile);
}

std::uint64_t PlaneSums::other_bytes() { return kMost * (sizeof(InsertPlane) + sizeof(float4)); }

void PlaneSums::clear() {
  for (int half = 0; half < plan_.halves; ++half) sums_[half].zero();
}

PlaneSums::Batch PlaneSums::stage(std::span<const InsertionSample> samples,
                                  std::span<const ImageTerms> terms, std::int64_t first_image) {
  Batch batch;
  batch.count = static_cast<std::int64_t>(samples.size());
  Slot& slot = slots_[pieces_++ % kSlots];
  ensure(cudaEventSynchronize(slot.copied), "copying orientations");
  auto* const planes = reinterpret_cast<InsertPlane*>(slot.pinned->data());
  auto* const normals = reinterpret_cast<float4*>(planes + kMost);
  // A counting sort by half and axis that keeps the order of equals.
  std::array<std::int32_t, 7> begin{};
  const auto kind = [](const InsertionSample& s) {
    return static_cast<std::size_t>(3 * s.half + nearest_axis(s));
  };
  for (const InsertionSample& s : samples) ++begin[kind(s) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t axis = 0; axis < 4; ++axis) batch.first[half][axis] = begin[3 * half + axis];
  }
  std::array<std::int32_t, 7> next = begin;
  const auto ball = static_cast<float>(plan_.tiles.reach());
  for (const InsertionSample& s : samples) {
    const auto at = static_cast<std::size_t>(next[kind(s)]++);
    InsertPlane plane{};
    std::copy(s.rows.begin(), s.rows.end(), plane.rows);
    plane.layer = s.image - static_cast<std::int32_t>(first_image);
    plane.value_scale = 1.0F;
    plane.weight_scale = terms[static_cast<std::size_t>(s.image)].weight;
    plane.radius_square = s.radius * s.radius;
    planes[at] = plane;
    const float* const n = plane.rows + 6;
    normals[at] = {n[0], n[1], n[2], std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2])};
    batch.limited = batch.limited || s.radius < stretch_of(s) * ball * 1.0001F;
  }
  constexpr std::int64_t kPlaneWords = sizeof(InsertPlane) / sizeof(float4);
  copy_pinned(reinterpret_cast<const float4*>(planes), reinterpret_cast<float4*>(planes_.data()),
              kPlaneWords * batch.count, stream_);
  copy_pinned(normals, normals_.data(), batch.count, stream_);
  slot.copied.record(stream_);
  return batch;
}

void PlaneSums::add(const Batch& batch, const PlaneStore& planes) {
  InsertView view{};
  planes.describe(view);
  view.planes = planes_.data();
  view.normals = normals_.data();
  view.tiles = tiles_.data();
  view.tile_count = static_cast<std::int32_t>(range_.size());
  view.ball = static_cast<std::int32_t>(plan_.tiles.reach());
  const bool blob = plan_.kernel == InsertionKernel::blob;
  // A margin, so that no voxel at a blob's edge is skipped; each is tested exactly later.
  constexpr float kMore = 1e-3F;
  view.radius = blob ? blob_.radius + kMore : plan_.slab.radius;
  view.blob = blob_;
  const bool exact = planes.texels() == Texels::exact || planes.texels() == Texels::exact_ctf;
  const auto terms = exact ? plan_.slab.c : shortened(plan_.slab);
  std::copy(terms.begin(), terms.end(), view.kernel);
  for (int half = 0; half < plan_.halves; ++half) {
    std::copy_n(batch.first[half], 4, view.first);
    view.sums = sums_[half].data();
    // A part with fewer planes costs more for its sums than it saves.
    constexpr std::int32_t kWorth = 16;
    const int parts = std::clamp((view.first[3] - view.first[0]) / kWorth, 1, parts_);
    const auto side = static_cast<int>(plan_.tiles.side());
    if (blob) {
      insert_blob_planes(view, side, planes.texels(), parts, stream_);
    } else {
      insert_planes(view, side, planes.texels(), batch.limited, parts, stream_);
    }
  }
}

void PlaneSums::read(GpuDevice& device, int half, std::span<const std::int32_t> tiles, float* out) {
  const std::int64_t stride = plan_.tiles.stride();
  const std::int64_t some =
      std::clamp<std::int64_t>((std::int64_t{1} << 26) / stride, 1, std::ssize(tiles));
  const DeviceBuffer<std::int32_t> which(tiles.size(), kSums, stream_);
  const DeviceBuffer<float> gathered(static_cast<std::uint64_t>(some * stride), kSums, stream_);
  std::vector<std::int32_t> slots(tiles.begin(), tiles.end());
  for (std::int32_t& slot : slots) slot -= static_cast<std::int32_t>(range_.begin);
  ensure(
      cudaMemcpyAsync(which.data(), slots.data(), which.bytes(), cudaMemcpyHostToDevice, stream_),
      "copying numbers of tiles");
  for (std::int64_t first = 0; first < std::ssize(tiles); first += some) {
    const std::int64_t count = std::min(some, std::ssize(tiles) - first);
    gather_tiles(sums_[half].data(), range_.size(), static_cast<int>(plan_.tiles.side()), parts_,
                 which.data() + first, count, gathered.data(), stream_);
    ensure(cudaStreamSynchronize(stream_), "waiting for the GPU");
    device.download(gathered.data(), out + first * stride,
                    static_cast<std::uint64_t>(count * stride) * sizeof(float));
  }
}

DeviceBuffer<float> PlaneSums::take(int half, cudaStream_t stream) {
  const std::int64_t count = range_.size();
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  const DeviceBuffer<std::int32_t> which(all.size(), kSums, stream_);
  ensure(cudaMemcpyAsync(which.data(), all.data(), which.bytes(), cudaMemcpyHostToDevice, stream_),
         "copying numbers of tiles");
  DeviceBuffer<float> out(static_cast<std::uint64_t>(plan_.sum_floats()), kSums, stream);
  ensure(cudaStreamSynchronize(stream), "waiting for the GPU");
  gather_tiles(sums_[half].data(), count, static_cast<int>(plan_.tiles.side()), parts_,
               which.data(), count, out.data(), stream_);
  ensure(cudaStreamSynchronize(stream_), "waiting for the GPU");
  sums_[half] = {};
  return out;
}

}  // namespace aprscope::gpu
