#include "core/io/zarr/zarr_slab.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/io/common/read_limits.hpp"
#include "core/io/common/samples.hpp"

namespace aprscope {
namespace {

// Slices that are read together where chunks are flat, so that threads share work.
constexpr std::int64_t kSlabBytes = std::int64_t{16} << 20;

// The chunks that a slab needs: they are counted, not listed, as there may be more than pixels of
// anything else.
class SlabChunks {
 public:
  SlabChunks(const OpenZarrImage& open, std::int64_t z, std::int64_t depth) : open_(open) {
    const ZarrAxes& axes = open.image.axes;
    const Size3 size = open.size();
    first_z_ = z / open.side(axes.z);
    count_[0] = (z + depth - 1) / open.side(axes.z) - first_z_ + 1;
    count_[1] = (size.x - 1) / open.side(axes.x) + 1;
    count_[2] = (size.y - 1) / open.side(axes.y) + 1;
  }

  [[nodiscard]] std::int64_t count() const { return count_[0] * count_[1] * count_[2]; }

  // Where chunk i of them stands among those of the array.
  [[nodiscard]] std::vector<std::int64_t> place(std::int64_t i) const {
    const ZarrAxes& axes = open_.image.axes;
    std::vector<std::int64_t> at(open_.image.array.shape.size(), 0);
    const auto set = [&](int axis, std::int64_t value) {
      if (axis >= 0) at[static_cast<std::size_t>(axis)] = value;
    };
    set(axes.time, open_.selection.time / open_.side(axes.time));
    set(axes.channel, open_.selection.channel / open_.side(axes.channel));
    set(axes.y, i % count_[2]);
    set(axes.x, i / count_[2] % count_[1]);
    set(axes.z, first_z_ + i / count_[2] / count_[1]);
    return at;
  }

 private:
  const OpenZarrImage& open_;
  std::int64_t first_z_ = 0;
  std::array<std::int64_t, 3> count_{1, 1, 1};
};

// What a chunk and a slab have in common along one dimension, in pixels of the image.
struct ChunkStretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // Of the chunk's first sample, and the step between samples in the chunk.
  std::int64_t first = 0;
  std::int64_t step = 0;
};

ChunkStretch stretch_of(const OpenZarrImage& open, const std::vector<std::int64_t>& place,
                        const ZarrChunk& chunk, int axis, std::int64_t from, std::int64_t to) {
  if (axis < 0) return {from, to, 0, 0};
  const auto d = static_cast<std::size_t>(axis);
  ChunkStretch made;
  made.first = place[d] * open.image.array.chunk[d];
  made.begin = std::max(from, made.first);
  made.end = std::min(to, made.first + chunk.sides[d]);
  made.step = chunk.steps[d];
  return made;
}

// Copies what a chunk has of slices [z, z + depth) to `out`, which begins with slice z.
template <class T>
void place_chunk(const OpenZarrImage& open, const std::vector<std::int64_t>& place,
                 const ZarrChunk& chunk, std::int64_t z, std::int64_t depth, T* out) {
  const ZarrArray& array = open.image.array;
  const ZarrAxes& axes = open.image.axes;
  const Size3 size = open.size();
  const ChunkStretch in_z = stretch_of(open, place, chunk, axes.z, z, z + depth);
  const ChunkStretch in_x = stretch_of(open, place, chunk, axes.x, 0, size.x);
  const ChunkStretch in_y = stretch_of(open, place, chunk, axes.y, 0, size.y);
  const auto sample = static_cast<std::int64_t>(array.sample_bytes());
  std::int64_t base = 0;
  for (const auto& [axis, index] :
       {std::pair{axes.time, std::int64_t{open.selection.time}},
        std::pair{axes.channel, std::int64_t{open.selection.channel}}}) {
    if (axis < 0) continue;
    const auto d = static_cast<std::size_t>(axis);
    const std::int64_t inside = index - place[d] * array.chunk[d];
    // Chunks of N5 at the end may be smaller.
    if (inside >= chunk.sides[d]) return;
    base += inside * chunk.steps[d];
  }
  const std::int64_t columns = in_y.end - in_y.begin;
  if (columns <= 0) return;
  // A missing chunk repeats one sample.
  T fill{};
  if (chunk.missing) convert_row<T>(array.fill.data(), array.type, 0, 1, 1, &fill);
  for (std::int64_t i = in_z.begin; i < in_z.end; ++i) {
    for (std::int64_t j = in_x.begin; j < in_x.end; ++j) {
      T* const row = out + ((i - z) * size.x + j) * size.y + in_y.begin;
      if (chunk.missing) {
        std::fill_n(row, columns, fill);
        continue;
      }
      const std::int64_t at = base + (i - in_z.first) * in_z.step + (j - in_x.first) * in_x.step +
                              (in_y.begin - in_y.first) * in_y.step;
      convert_row<T>(chunk.bytes.data() + at * sample, array.type, 0, in_y.step, columns, row);
    }
  }
}

}  // namespace

std::int64_t OpenZarrImage::slab_depth() const {
  const Size3 s = size();
  const std::int64_t deep = side(image.axes.z);
  const std::int64_t slices = std::max<std::int64_t>(1, kSlabBytes / 4 / (s.x * s.y));
  if (deep >= s.z || slices >= s.z) return s.z;
  return std::min(s.z, (slices + deep - 1) / deep * deep);
}

template <class T>
Status read_zarr_slab(const OpenZarrImage& open, const ZarrChunks& chunks, std::int64_t z,
                      std::int64_t depth, T* out, const JobContext& context) {
  const SlabChunks needed(open, z, depth);
  const std::int64_t count = needed.count();
  const std::size_t noted = open.store.files().count();
  const std::uint64_t chunk_bytes = open.image.array.chunk_bytes();
  // A chunk and what it is unpacked from for each thread.
  int threads = thread_count();
  const auto fits = [&] {
    return check_memory(3 * chunk_bytes * static_cast<std::uint64_t>(threads), open.store.path());
  };
  while (threads > 1 && !fits()) --threads;
  if (Status enough = fits(); !enough) return enough;
  std::mutex mutex;
  std::optional<Error> problem;
  std::int64_t problem_at = count;
  const bool whole = parallel_items(count, threads, JobContext(context.stop_token()), "reading",
                                    [&](std::int64_t i, int) {
                                      {
                                        // Nothing that comes later is told of.
                                        const std::lock_guard lock(mutex);
                                        if (i > problem_at) return;
                                      }
                                      const auto place = needed.place(i);
                                      const auto chunk = chunks.read(place);
                                      if (chunk) {
                                        place_chunk(open, place, *chunk, z, depth, out);
                                        return;
                                      }
                                      const std::lock_guard lock(mutex);
                                      if (i < problem_at) {
                                        problem = chunk.error();
                                        problem_at = i;
                                      }
                                    });
  if (problem) return *problem;
  if (!whole) return cancelled_error();
  // Of one slab, or at the end of all, so that nothing mixes old and new.
  const bool last = z + depth == open.size().z;
  return open.store.files().unchanged(last ? 0 : noted);
}

template Status read_zarr_slab(const OpenZarrImage&, const ZarrChunks&, std::int64_t, std::int64_t,
                               std::uint8_t*, const JobContext&);
template Status read_zarr_slab(const OpenZarrImage&, const ZarrChunks&, std::int64_t, std::int64_t,
                               std::uint16_t*, const JobContext&);
template Status read_zarr_slab(const OpenZarrImage&, const ZarrChunks&, std::int64_t, std::int64_t,
                               float*, const JobContext&);
template Status read_zarr_slab(const OpenZarrImage&, const ZarrChunks&, std::int64_t, std::int64_t,
                               double*, const JobContext&);

}  // namespace aprscope
