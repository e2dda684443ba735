#include "gpu/device/cuda_check.hpp"
#include "gpu/projections/blob_columns.cuh"
#include "gpu/projections/projection_columns.cuh"

namespace aprscope::gpu {
namespace {

using insertion::BlobColumns;
using insertion::Shared;
using insertion::SlabColumns;
using insertion::Tile;

template <int T, class Columns>
void launch_columns(const InsertView& view, int parts, cudaStream_t stream) {
  constexpr int kBlocks = T == 8 ? 16 : 4;
  const auto kernel = insertion::insert<T, Columns, kBlocks>;
  constexpr int kBytes = sizeof(Shared<T>);
  ensure(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
         "inserting planes");
  kernel<<<dim3(static_cast<unsigned>(view.tile_count), static_cast<unsigned>(parts)),
           Tile<T>::kThreads, kBytes, stream>>>(view);
  ensure_launched("inserting planes");
}

template <int T, Texels kTexels, bool kLimited>
void launch(const InsertView& view, int parts, cudaStream_t stream) {
  // How many voxels of a column are read at once. Where the texture unit interpolates, that covers
  // most columns completely.
  constexpr int kFlight = kTexels == Texels::exact_ctf ? 1 : kTexels == Texels::exact ? 2 : 4;
  launch_columns<T, SlabColumns<T, kTexels, kLimited, kFlight>>(view, parts, stream);
}

template <int T, bool kLimited>
void launch(const InsertView& view, Texels texels, int parts, cudaStream_t stream) {
  switch (texels) {
    case Texels::filtered:
      return launch<T, Texels::filtered, kLimited>(view, parts, stream);
    case Texels::filtered_ctf:
      return launch<T, Texels::filtered_ctf, kLimited>(view, parts, stream);
    case Texels::exact:
      return launch<T, Texels::exact, kLimited>(view, parts, stream);
    case Texels::exact_ctf:
      return launch<T, Texels::exact_ctf, kLimited>(view, parts, stream);
  }
}

template <int T>
__global__ void __launch_bounds__(T* T) gather(const float* sums, std::int64_t part_floats,
                                               int parts, const std::int32_t* tiles, float* out) {
  using Of = Tile<T>;
  const int t = static_cast<int>(threadIdx.x);
  const int from = Of::slot(t % T, t / T);
  const std::int64_t tile = tiles[blockIdx.x];
  for (int i = 0; i < 3 * T; ++i) {
    float sum = 0.0F;
    for (int part = 0; part < parts; ++part) {
      sum += sums[part * part_floats + (tile * 3 * T + i) * Of::kThreads + from];
    }
    out[(std::int64_t{blockIdx.x} * 3 * T + i) * Of::kThreads + t] = sum;
  }
}

__global__ void __launch_bounds__(256)
    copy_words(const float4* from, float4* to, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * 256 + threadIdx.x;
  if (i < count) to[i] = from[i];
}

}  // namespace

void insert_planes(const InsertView& view, int side, Texels texels, bool limited, int parts,
                   cudaStream_t stream) {
  if (view.first[3] == view.first[0]) return;
  if (side == 8) {
    limited ? launch<8, true>(view, texels, parts, stream)
            : launch<8, false>(view, texels, parts, stream);
  } else {
    limited ? launch<16, true>(view, texels, parts, stream)
            : launch<16, false>(view, texels, parts, stream);
  }
}

void insert_blob_planes(const InsertView& view, int side, Texels texels, int parts,
                        cudaStream_t stream) {
  if (view.first[3] == view.first[0]) return;
  const bool weighted = texels == Texels::exact_ctf;
  if (side == 8) {
    weighted ? launch_columns<8, BlobColumns<8, true>>(view, parts, stream)
             : launch_columns<8, BlobColumns<8, false>>(view, parts, stream);
  } else {
    weighted ? launch_columns<16, BlobColumns<16, true>>(view, parts, stream)
             : launch_columns<16, BlobColumns<16, false>>(view, parts, stream);
  }
}

void copy_pinned(const float4* from, float4* to, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  copy_words<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(from, to, count);
  ensure_launched("copying orientations");
}

void gather_tiles(const float* sums, std::int64_t tile_count, int side, int parts,
                  const std::int32_t* tiles, std::int64_t count, float* out, cudaStream_t stream) {
  const std::int64_t part = tile_count * 3 * side * side * side;
  const auto blocks = static_cast<unsigned>(count);
  if (side == 8) {
    gather<8><<<blocks, 64, 0, stream>>>(sums, part, parts, tiles, out);
  } else {
    gather<16><<<blocks, 256, 0, stream>>>(sums, part, parts, tiles, out);
  }
  ensure_launched("gathering sums");
}

}  // namespace aprscope::gpu
