#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/system.hpp"
#include "core/io/hdf5/hdf5_array.hpp"
#include "core/io/hdf5/hdf5_filters.hpp"

namespace aprscope {
namespace {

// Places are asked for in messages to another process: looking up so many chunks that nobody wants
// takes less than another message.
constexpr std::uint64_t kChunksBetween = 8;

// A chunk that runs want, and these runs.
struct Needed {
  std::uint64_t chunk = 0;
  std::size_t first_run = 0;
  std::size_t end_run = 0;
};

std::vector<Needed> chunks_of(std::span<const Hdf5Run> runs, std::uint64_t chunk) {
  std::vector<Needed> out;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (runs[r].count == 0) continue;
    const std::uint64_t last = (runs[r].begin + runs[r].count - 1) / chunk;
    for (std::uint64_t c = runs[r].begin / chunk; c <= last; ++c) {
      if (out.empty() || out.back().chunk != c) out.push_back({c, r, r});
      out.back().end_run = r + 1;
    }
  }
  return out;
}

// Buffers of one thread.
struct RunWorker {
  std::vector<std::uint8_t> stored, decoded;
  ChunkScratch scratch;
};

}  // namespace

Status Hdf5Array::read_runs(std::span<const Hdf5Run> runs, NumberType target, void* out,
                            const JobContext& context) const {
  auto* const to = static_cast<std::uint8_t*>(out);
  if (facts_.storage == Hdf5Storage::chunked && facts_.chunk.size() == 1 &&
      converter(facts_.type, target) != nullptr) {
    return read_runs_of_chunks(runs, target, to, context);
  }
  std::uint64_t all = 0;
  for (const Hdf5Run& run : runs) all += run.count;
  const auto share = [&](std::uint64_t values) {
    return static_cast<double>(values) / static_cast<double>(std::max<std::uint64_t>(1, all));
  };
  std::uint64_t at = 0;
  for (const Hdf5Run& run : runs) {
    Status read_one = read({{run.begin}, {run.count}}, target, to + at * bytes_of(target),
                           context.part(share(at), share(at + run.count)));
    if (!read_one) return read_one;
    at += run.count;
  }
  return {};
}

Status Hdf5Array::read_runs_of_chunks(std::span<const Hdf5Run> runs, NumberType target,
                                      std::uint8_t* out, const JobContext& context) const {
  const std::uint64_t chunk = facts_.chunk[0];
  const std::vector<Needed> needed = chunks_of(runs, chunk);
  if (needed.empty()) return {};
  std::vector<Hdf5Place> places;
  for (std::size_t i = 0; i < needed.size();) {
    std::size_t end = i + 1;
    while (end < needed.size() && needed[end].chunk - needed[end - 1].chunk <= kChunksBetween + 1) {
      ++end;
    }
    if (context.stop_requested()) return cancelled_error();
    const std::uint64_t first = needed[i].chunk;
    const auto found = object_.reader->places(object_.path, {first}, {needed[end - 1].chunk});
    if (!found) return found.error();
    for (; i < end; ++i) places.push_back((*found)[needed[i].chunk - first]);
  }
  // Where the values of a run begin.
  std::vector<std::uint64_t> at(runs.size() + 1, 0);
  for (std::size_t r = 0; r < runs.size(); ++r) at[r + 1] = at[r] + runs[r].count;

  const std::size_t value_bytes = bytes_of(target);
  const std::size_t stored_bytes = facts_.type.size;
  const Converter convert = converter(facts_.type, target);
  const bool direct = same_bytes(facts_.type, target);
  std::vector<std::uint8_t> fill(value_bytes, 0);
  if (!facts_.fill.empty()) convert(facts_.type, facts_.fill.data(), 1, fill.data());
  const auto count = static_cast<std::int64_t>(needed.size());
  const int threads = static_cast<int>(std::min<std::int64_t>(thread_count(), count));
  std::vector<RunWorker> workers(static_cast<std::size_t>(threads));
  const auto take = [&](std::int64_t i, int thread) -> Status {
    RunWorker& worker = workers[static_cast<std::size_t>(thread)];
    const Needed& need = needed[static_cast<std::size_t>(i)];
    const Hdf5Place& place = places[static_cast<std::size_t>(i)];
    const bool there = place.address != kNowhere;
    if (!there && all_values_) return damaged("some of its values were never written");
    const std::uint64_t begin = need.chunk * chunk;
    const Hdf5Run& first = runs[need.first_run];
    // A chunk that is wanted as it is needs no copy.
    if (there && direct && first.begin <= begin && begin + chunk <= first.begin + first.count) {
      std::uint8_t* const to = out + (at[need.first_run] + begin - first.begin) * value_bytes;
      return unpack(place, worker.stored, worker.scratch, {to, chunk * stored_bytes});
    }
    if (there) {
      worker.decoded.resize(chunk * stored_bytes);
      Status unpacked = unpack(place, worker.stored, worker.scratch, worker.decoded);
      if (!unpacked) return unpacked;
    }
    for (std::size_t r = need.first_run; r < need.end_run; ++r) {
      const std::uint64_t from = std::max(begin, runs[r].begin);
      const std::uint64_t to = std::min(begin + chunk, runs[r].begin + runs[r].count);
      if (from >= to) continue;
      std::uint8_t* const values = out + (at[r] + from - runs[r].begin) * value_bytes;
      if (there) {
        convert(facts_.type, worker.decoded.data() + (from - begin) * stored_bytes, to - from,
                values);
        continue;
      }
      for (std::uint64_t v = 0; v < to - from; ++v) {
        std::memcpy(values + v * value_bytes, fill.data(), value_bytes);
      }
    }
    return {};
  };
  return each_chunk(count, threads, take, context);
}

}  // namespace aprscope
