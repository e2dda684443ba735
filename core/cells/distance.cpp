#include "core/cells/distance.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

// Lines of pixels along one axis of a block of bytes: pixel i of line j is at begin(j) + i · step.
struct Lines {
  std::int64_t length = 1;
  std::int64_t step = 1;
  std::int64_t planes = 1;
  std::int64_t plane_step = 0;
  // Number of lines of a plane, side by side in memory.
  std::int64_t count = 1;
};

// Along x: the lines of a slice; along z: those that cross a row.
Lines lines_of(const Size3& n, Axis axis) {
  if (axis == Axis::x) return {n.x, n.y, n.z, n.x * n.y, n.y};
  return {n.z, n.x * n.y, n.x, n.y, n.y};
}

// A line's envelope, with room for its values.
struct Envelope {
  std::vector<std::int32_t> place;
  std::vector<double> begin;
  std::vector<double> height;
  std::vector<float> values;
  std::vector<std::uint32_t> labels;

  void make(std::int64_t length, std::int64_t lines, bool with_labels) {
    const auto n = static_cast<std::size_t>(length);
    place.resize(n);
    begin.resize(n + 1);
    height.resize(n);
    values.resize(n * static_cast<std::size_t>(lines));
    if (with_labels) labels.resize(n * static_cast<std::size_t>(lines));
  }
};

constexpr std::int64_t kTogether = 16;

// Lowers one line in place: values[i · stride] becomes the least of values[j] + (side · (i − j))².
// Of equally near j the first one gives the label.
void lower_line(float* values, std::uint32_t* labels, std::int64_t n, std::int64_t stride,
                double side, Envelope& e, std::vector<std::uint32_t>& old) {
  const double square = side * side;
  std::int64_t top = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = values[i * stride];
    if (value == kFar) continue;
    // Places are counted in pixels, so heights of parabolas in squares of the side.
    const double at = static_cast<double>(i);
    const double h = static_cast<double>(value) / square + at * at;
    double from = -std::numeric_limits<double>::infinity();
    while (top >= 0) {
      const auto t = static_cast<std::size_t>(top);
      from = (h - e.height[t]) / (2.0 * (at - static_cast<double>(e.place[t])));
      if (from > e.begin[t]) break;
      --top;
      from = -std::numeric_limits<double>::infinity();
    }
    ++top;
    const auto t = static_cast<std::size_t>(top);
    e.place[t] = static_cast<std::int32_t>(i);
    e.begin[t] = from;
    e.height[t] = h;
  }
  if (top < 0) return;
  // Heights again as they were, since the line is overwritten.
  for (std::int64_t t = 0; t <= top; ++t) {
    const auto k = static_cast<std::size_t>(t);
    e.height[k] = static_cast<double>(values[e.place[k] * stride]);
    if (labels != nullptr) old[k] = labels[e.place[k] * stride];
  }
  std::size_t k = 0;
  const auto last = static_cast<std::size_t>(top);
  for (std::int64_t i = 0; i < n; ++i) {
    while (k < last && e.begin[k + 1] < static_cast<double>(i)) ++k;
    const double steps = static_cast<double>(i - e.place[k]);
    values[i * stride] = static_cast<float>(e.height[k] + square * steps * steps);
    if (labels != nullptr) labels[i * stride] = old[k];
  }
}

// All lines along one axis, some side by side at a time.
bool lower_axis(float* values, std::uint32_t* labels, const Size3& n, Axis axis, double side,
                const JobContext& context) {
  const Lines lines = lines_of(n, axis);
  if (lines.length == 1) return true;
  const std::int64_t groups = (lines.count + kTogether - 1) / kTogether;
  const int threads = thread_count();
  std::vector<Envelope> envelopes(static_cast<std::size_t>(threads));
  std::vector<std::vector<std::uint32_t>> olds(static_cast<std::size_t>(threads));
  return parallel_items(
      lines.planes, threads, context, "distances", [&](std::int64_t plane, int thread) {
        Envelope& e = envelopes[static_cast<std::size_t>(thread)];
        auto& old = olds[static_cast<std::size_t>(thread)];
        e.make(lines.length, kTogether, labels != nullptr);
        if (labels != nullptr) old.resize(static_cast<std::size_t>(lines.length));
        for (std::int64_t group = 0; group < groups; ++group) {
          if (group % 64 == 0 && context.stop_requested()) return;
          const std::int64_t first = group * kTogether;
          const std::int64_t many = std::min(kTogether, lines.count - first);
          const std::int64_t base = plane * lines.plane_step + first;
          for (std::int64_t i = 0; i < lines.length; ++i) {
            for (std::int64_t j = 0; j < many; ++j) {
              e.values[static_cast<std::size_t>(j * lines.length + i)] =
                  values[base + i * lines.step + j];
            }
            if (labels == nullptr) continue;
            for (std::int64_t j = 0; j < many; ++j) {
              e.labels[static_cast<std::size_t>(j * lines.length + i)] =
                  labels[base + i * lines.step + j];
            }
          }
          for (std::int64_t j = 0; j < many; ++j) {
            lower_line(e.values.data() + j * lines.length,
                       labels != nullptr ? e.labels.data() + j * lines.length : nullptr,
                       lines.length, 1, side, e, old);
          }
          for (std::int64_t i = 0; i < lines.length; ++i) {
            for (std::int64_t j = 0; j < many; ++j) {
              values[base + i * lines.step + j] =
                  e.values[static_cast<std::size_t>(j * lines.length + i)];
            }
            if (labels == nullptr) continue;
            for (std::int64_t j = 0; j < many; ++j) {
              labels[base + i * lines.step + j] =
                  e.labels[static_cast<std::size_t>(j * lines.length + i)];
            }
          }
        }
      });
}

// Along a row the nearest is the last one met from the left or from the right. is(i): pixel i has
// distance 0; `source` gets its place, or −1.
template <class Is>
void nearest_in_row(std::int64_t n, const Is& is, std::int64_t* source) {
  std::int64_t last = -1;
  for (std::int64_t y = 0; y < n; ++y) {
    if (is(y)) last = y;
    source[y] = last;
  }
  last = -1;
  for (std::int64_t y = n - 1; y >= 0; --y) {
    if (source[y] == y) last = y;
    if (last >= 0 && (source[y] < 0 || last - y < y - source[y])) source[y] = last;
  }
}

float square_of(std::int64_t steps, double side) {
  const double d = static_cast<double>(steps) * side;
  return static_cast<float>(d * d);
}

}  // namespace

Result<SquaredDistances> squared_distances(std::span<const std::uint8_t> mask, const Size3& size,
                                           const VoxelSize& voxel, const JobContext& context) {
  SquaredDistances out(size.count(), Pages::huge);
  const int threads = thread_count();
  std::vector<std::vector<std::int64_t>> sources(static_cast<std::size_t>(threads));
  bool done =
      parallel_rows(size, threads, context.part(0.0, 0.2), "distances",
                    [&](std::int64_t z, std::int64_t x, int thread) {
                      auto& source = sources[static_cast<std::size_t>(thread)];
                      source.resize(static_cast<std::size_t>(size.y));
                      const std::int64_t row = (z * size.x + x) * size.y;
                      const std::uint8_t* in = mask.data() + row;
                      nearest_in_row(
                          size.y, [&](std::int64_t y) { return in[y] != 0; }, source.data());
                      float* const to = out.data() + row;
                      for (std::int64_t y = 0; y < size.y; ++y) {
                        const std::int64_t at = source[static_cast<std::size_t>(y)];
                        to[y] = at < 0 ? kFar : square_of(y - at, voxel.y);
                      }
                    });
  done = done && lower_axis(out.data(), nullptr, size, Axis::x, voxel.x, context.part(0.2, 0.6));
  done = done && lower_axis(out.data(), nullptr, size, Axis::z, voxel.z, context.part(0.6, 1.0));
  if (!done) return cancelled_error();
  return out;
}

Status spread_labels(std::vector<std::uint32_t>& labels, std::span<const std::uint8_t> wanted,
                     const Size3& size, const VoxelSize& voxel, const JobContext& context) {
  SquaredDistances far(size.count(), Pages::huge);
  Scratch<std::uint32_t> nearest(size.count(), Pages::huge);
  const int threads = thread_count();
  std::vector<std::vector<std::int64_t>> sources(static_cast<std::size_t>(threads));
  bool done =
      parallel_rows(size, threads, context.part(0.0, 0.2), "distances",
                    [&](std::int64_t z, std::int64_t x, int thread) {
                      auto& source = sources[static_cast<std::size_t>(thread)];
                      source.resize(static_cast<std::size_t>(size.y));
                      const std::int64_t row = (z * size.x + x) * size.y;
                      const std::uint32_t* in = labels.data() + row;
                      nearest_in_row(
                          size.y, [&](std::int64_t y) { return in[y] != 0; }, source.data());
                      for (std::int64_t y = 0; y < size.y; ++y) {
                        const std::int64_t at = source[static_cast<std::size_t>(y)];
                        far.data()[row + y] = at < 0 ? kFar : square_of(y - at, voxel.y);
                        nearest.data()[row + y] = at < 0 ? 0 : in[at];
                      }
                    });
  done = done &&
         lower_axis(far.data(), nearest.data(), size, Axis::x, voxel.x, context.part(0.2, 0.6));
  done = done &&
         lower_axis(far.data(), nearest.data(), size, Axis::z, voxel.z, context.part(0.6, 1.0));
  if (!done) return cancelled_error();
  parallel_stretches(size.count(), threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (wanted[at] != 0) labels[at] = nearest.data()[i];
    }
  });
  return {};
}

}  // namespace aprscope
