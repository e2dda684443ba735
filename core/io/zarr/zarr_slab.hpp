#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/io/common/source_info.hpp"
#include "core/io/zarr/zarr_chunks.hpp"
#include "core/io/zarr/zarr_image.hpp"

// Private to core/io: slices of an image in a Zarr or N5 array, whole chunks at a time.

namespace aprscope {

/// A store and the image in it that was chosen.
struct OpenZarrImage {
  ZarrStore store;
  ZarrImage image;
  SourceSelection selection;

  [[nodiscard]] Size3 size() const { return image.size(); }
  /// The side of chunks along a dimension of the array; 1 where the array has none such.
  [[nodiscard]] std::int64_t side(int place) const {
    return place < 0 ? 1 : image.array.chunk[static_cast<std::size_t>(place)];
  }
  /// Slices that are read together: whole chunks.
  [[nodiscard]] std::int64_t slab_depth() const;
};

/// Reads slices [z, z + depth) to `out`, in the order z, x, y. Where a smaller block of N5 has
/// nothing, `out` keeps what it holds, which should be 0. `chunks` are those of the image's array.
/// T is the type that stored_as() names, or f64. Errors: the first chunk that cannot be read, no
/// memory, a file that changes meanwhile, cancelled.
template <class T>
Status read_zarr_slab(const OpenZarrImage& open, const ZarrChunks& chunks, std::int64_t z,
                      std::int64_t depth, T* out, const JobContext& context);

}  // namespace aprscope
