#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/topology/all_strata.hpp"
#include "gpu/topology/strata_counting.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kPixels = "pixels on the GPU";
// Slabs that are large enough for the device and small enough to overlap with their transfer.
constexpr std::uint64_t kSlabBytes = std::uint64_t{48} << 20U;
// Every 1009th value is sampled to find the most frequent values.
constexpr std::size_t kPixelStep = 1009;

// Words of memory before and behind a slab; the kernel reads one of them.
constexpr std::uint64_t kMargin = 4;

// An image in the form in which the device counts it.
struct Source {
  Size3 size;
  int bytes = 1;  // of a value
  // Slices of whole words in memory; null: `write` below provides rows one by one.
  const std::byte* slices = nullptr;
  std::function<void(std::int64_t z, std::int64_t x, void* row)> write;
  StrataRule rule;
  StrataWindow window;
  // The place of value v. If the value occurs, this is the place of a level.
  std::function<std::int64_t(std::uint32_t v)> place;

  [[nodiscard]] std::uint32_t mask() const { return bytes == 1 ? 0xFFU : 0xFFFFU; }
  [[nodiscard]] std::int64_t row_words() const { return (size.y * bytes + 3) / 4; }
  [[nodiscard]] std::uint64_t slice_bytes() const {
    return static_cast<std::uint64_t>(size.x * row_words()) * sizeof(std::uint32_t);
  }
};

// `reverse`: values enter from the largest to the smallest.
StrataRule rule_of(Construction construction, bool reverse) {
  const bool closed = construction == Construction::closed_voxels;
  const std::uint32_t flip = reverse == closed ? ~0U : 0U;
  // After the flip, the pad is the largest value for closed voxels, else the smallest.
  return {flip, closed ? ~flip : flip};
}

template <class Place>
void place_window(const std::vector<Place>& sample, std::size_t levels, Source& source) {
  std::vector<std::uint16_t> values(sample.begin(), sample.end());
  for (auto& v : values) v = static_cast<std::uint16_t>((v ^ source.rule.flip) & source.mask());
  source.window.count = std::min(kStrataWindow, static_cast<std::uint32_t>(levels + 63) / 64 * 64);
  source.window.first = densest_bins(values, source.window.count).first;
}

template <class T>
std::vector<T> sample_of(const std::vector<T>& values) {
  std::vector<T> sample;
  for (std::size_t i = 0; i < values.size(); i += kPixelStep) sample.push_back(values[i]);
  return sample;
}

// For images of integers that all are levels: counts the values themselves.
template <class T>
Source values_of(const Pixels<T>& pixels, const LevelPlaces& places, Construction construction) {
  Source source;
  source.size = pixels.size;
  source.bytes = sizeof(T);
  const auto first = static_cast<std::int64_t>(places.levels().front());
  const bool falling = places.levels().front() > places.levels().back();
  source.rule = rule_of(construction, falling);
  source.place = [=](std::uint32_t v) { return falling ? first - v : v - first; };
  if (pixels.size.y * source.bytes % 4 == 0) {
    source.slices = reinterpret_cast<const std::byte*>(pixels.values.data());
  } else {
    source.write = [&pixels](std::int64_t z, std::int64_t x, void* row) {
      std::memcpy(row, &pixels.at(z, x, 0), static_cast<std::size_t>(pixels.size.y) * sizeof(T));
    };
  }
  place_window(sample_of(pixels.values), places.levels().size(), source);
  return source;
}

// For other images: counts the places of values, which are looked up here.
template <class Place, class T>
Source places_of(const Pixels<T>& pixels, const LevelPlaces& places, Construction construction) {
  Source source;
  source.size = pixels.size;
  source.bytes = sizeof(Place);
  source.rule = rule_of(construction, false);
  source.place = [](std::uint32_t v) { return std::int64_t{v}; };
  source.write = [&](std::int64_t z, std::int64_t x, void* row) {
    const auto count = static_cast<std::size_t>(pixels.size.y);
    places.find(std::span<const T>(&pixels.at(z, x, 0), count),
                std::span(static_cast<Place*>(row), count));
  };
  const std::vector<T> sample = sample_of(pixels.values);
  std::vector<Place> found(sample.size());
  places.find(std::span<const T>(sample), std::span(found));
  place_window(found, places.levels().size(), source);
  return source;
}

Source source_of(const Volume& volume, const LevelPlaces& places, Construction construction) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        if constexpr (std::is_integral_v<T>) {
          if (places.are_distances()) return values_of(pixels, places, construction);
        }
        return places.fits_byte() ? places_of<std::uint8_t>(pixels, places, construction)
                                  : places_of<std::uint16_t>(pixels, places, construction);
      },
      volume.pixels);
}

// Sums on the device, and the counts fetched from it so far.
class Sums {
 public:
  Sums(GpuDevice& device, const Source& source, std::size_t levels)
      : device_(device),
        source_(source),
        sums_(std::uint64_t{kStrataSums} * (source.mask() + 1), kPixels, device.main()),
        host_(sums_.count()) {
    counts_.levels.resize(levels);
    sums_.zero();
  }
  [[nodiscard]] unsigned long long* data() const { return sums_.data(); }

  // Waits for the device.
  void fetch() {
    device_.download(sums_.data(), host_.data(), sums_.bytes());
    sums_.zero();
    for (std::uint32_t v = 0; v <= source_.mask(); ++v) {
      const std::int64_t place = source_.place((v ^ source_.rule.flip) & source_.mask());
      if (place < 0 || place >= static_cast<std::int64_t>(counts_.levels.size())) continue;
      auto& level = counts_.levels[static_cast<std::size_t>(place)];
      const auto sum = [&](std::size_t j) { return host_[j * (source_.mask() + 1U) + v]; };
      const auto even = static_cast<std::int64_t>(sum(4));
      for (std::size_t s = 0; s < 8; ++s) {
        level[s] += static_cast<std::int64_t>(sum(s / 2) >> (s % 2 * 32) & 0xFFFFFFFFU) + even;
      }
    }
  }
  StrataCounts take(Construction construction) {
    fetch();
    // A value equal to the pad is not told from the outside: its counts are what all others lack.
    const std::int64_t last = source_.place(source_.rule.pad & source_.mask());
    if (last >= 0 && last < static_cast<std::int64_t>(counts_.levels.size())) {
      auto& level = counts_.levels[static_cast<std::size_t>(last)];
      level = {};
      auto rest = all_strata(source_.size, construction);
      for (const auto& other : counts_.levels) {
        for (std::size_t s = 0; s < 8; ++s) rest[s] -= other[s];
      }
      level = rest;
    }
    return std::move(counts_);
  }

 private:
  GpuDevice& device_;
  const Source& source_;
  DeviceBuffer<unsigned long long> sums_;
  std::vector<unsigned long long> host_;
  StrataCounts counts_;
};

// Counts slabs in two alternating buffers; a slab has one more slice on either side.
class Slabs {
 public:
  Slabs(GpuDevice& device, const Source& source, std::int64_t slices)
      : device_(device), source_(source) {
    const auto words = static_cast<std::uint64_t>(slices + 2) * source.slice_bytes() / 4;
    for (auto& buffer : buffers_) buffer = {words + 2 * kMargin, kPixels, device.main()};
    device_.fork();
    if (source.slices == nullptr) rows_.resize(words);
  }

  // Enqueues counting of the slices [begin, end).
  void count(std::int64_t begin, std::int64_t end, unsigned long long* sums) {
    const std::size_t b = turn_++ % 2;
    const std::int64_t first = std::max<std::int64_t>(begin - 1, 0);
    const std::int64_t last = std::min(end + 1, source_.size.z);
    const std::uint64_t bytes = static_cast<std::uint64_t>(last - first) * source_.slice_bytes();
    const cudaStream_t side = device_.side();
    ensure(cudaStreamWaitEvent(side, counted_[b], 0), "ordering work");
    device_.upload(read(first, last), buffers_[b].data() + kMargin, bytes, side);
    there_[b].record(side);
    ensure(cudaStreamWaitEvent(device_.main(), there_[b], 0), "ordering work");
    StrataSlab slab;
    slab.row_words = static_cast<int>(source_.row_words());
    slab.words = buffers_[b].data() + kMargin +
                 static_cast<std::uint64_t>(begin - first) * source_.slice_bytes() / 4;
    slab.size = {static_cast<int>(end - begin), static_cast<int>(source_.size.x),
                 static_cast<int>(source_.size.y)};
    slab.before = first < begin;
    slab.after = last > end;
    if (source_.bytes == 1) {
      count_strata_8(slab, source_.rule, sums, device_.multiprocessors(), device_.main());
    } else {
      count_strata_16(slab, source_.rule, source_.window, sums, device_.multiprocessors(),
                      device_.main());
    }
    counted_[b].record(device_.main());
  }

 private:
  // The slices [first, last) in the layout that the device reads.
  const void* read(std::int64_t first, std::int64_t last) {
    if (source_.slices != nullptr) {
      return source_.slices + static_cast<std::uint64_t>(first) * source_.slice_bytes();
    }
    const std::int64_t words = source_.row_words();
    parallel_for((last - first) * source_.size.x, thread_count(), [&](std::int64_t row) {
      std::uint32_t* const to = rows_.data() + row * words;
      to[words - 1] = source_.rule.pad;
      source_.write(first + row / source_.size.x, row % source_.size.x, to);
    });
    return rows_.data();
  }

  GpuDevice& device_;
  const Source& source_;
  std::array<DeviceBuffer<std::uint32_t>, 2> buffers_;
  std::array<Event, 2> there_;
  std::array<Event, 2> counted_;
  std::vector<std::uint32_t> rows_;
  std::size_t turn_ = 0;
};

// The number of slices in a slab. Errors: there is no room for a single slice.
Result<std::int64_t> slices_at_once(const Source& source, int wanted, const GpuDevice& device,
                                    const std::string& name) {
  const DeviceMemory memory = device_memory();
  const std::uint64_t slice = source.slice_bytes();
  const auto room = static_cast<std::int64_t>(memory.free / (2 * slice)) - 2;
  if (room < 1) {
    return Error{"even three slices, twice, need " + format_bytes(6 * slice) +
                     " of GPU memory, but only " + format_bytes(memory.free) + " of " +
                     format_bytes(memory.total) + " are free on " + device.name(),
                 name, "use --device cpu or smaller data"};
  }
  const std::int64_t plenty =
      std::max<std::int64_t>(32, static_cast<std::int64_t>(kSlabBytes / slice) / 32 * 32);
  const auto most = std::max<std::int64_t>(1, kMostStrataVoxels / (source.size.x * source.size.y));
  return std::min({wanted > 0 ? wanted : plenty, room, most, source.size.z});
}

}  // namespace

DenseBins densest_bins(std::span<const std::uint16_t> sample, std::uint32_t bins) {
  std::vector<std::uint32_t> counts(65536);
  for (const std::uint16_t v : sample) ++counts[v];
  std::uint64_t inside = 0;
  std::uint64_t best = 0;
  std::uint32_t first = 0;
  for (std::uint32_t end = 1; end <= counts.size(); ++end) {
    inside += counts[end - 1];
    if (end > bins) inside -= counts[end - 1 - bins];
    if (end >= bins && inside > best) {
      best = inside;
      first = end - bins;
    }
  }
  return {first,
          static_cast<double>(best) / static_cast<double>(std::max<std::size_t>(1, sample.size()))};
}

PixelStrataBytes pixel_strata_bytes(const Volume& volume) {
  constexpr std::uint64_t kSums = kStrataSums * 65536 * sizeof(unsigned long long);
  const Size3 n = volume.size();
  const std::uint64_t slice = static_cast<std::uint64_t>(n.x * (n.y + 2)) * sizeof(std::uint16_t);
  const std::uint64_t least = 6 * slice;
  const std::uint64_t all = 2 * static_cast<std::uint64_t>(n.z + 2) * slice;
  return {kSums + least, kSums + std::min(std::max(least, 2 * kSlabBytes), all)};
}

Result<StrataCounts> count_pixel_strata(GpuDevice& device, const Volume& volume,
                                        const LevelPlaces& places, Construction construction,
                                        int slab_slices, const JobContext& context) {
  const Source source = source_of(volume, places, construction);
  const Size3& n = source.size;
  Sums sums(device, source, places.levels().size());
  const auto slices = slices_at_once(source, slab_slices, device, volume.name);
  if (!slices) return slices.error();
  Slabs slabs(device, source, *slices);
  std::int64_t voxels = 0;
  for (std::int64_t z = 0; z < n.z; z += *slices) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(z) / static_cast<double>(n.z), "strata");
    const std::int64_t end = std::min(n.z, z + *slices);
    const std::int64_t more = (end - z) * n.x * n.y;
    if (voxels + more > kMostStrataVoxels) {
      sums.fetch();
      voxels = 0;
    }
    voxels += more;
    slabs.count(z, end, sums.data());
  }
  StrataCounts counts = sums.take(construction);
  context.report(1.0, "strata");
  return counts;
}

}  // namespace aprscope::gpu
