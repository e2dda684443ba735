#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/io/hdf5/hdf5_array.hpp"
#include "core/io/hdf5/hdf5_filters.hpp"

namespace aprscope {
namespace {

// Buffers of one thread.
struct Worker {
  std::vector<std::uint8_t> stored, decoded;
  ChunkScratch scratch;
};

// The part of a chunk that a box wants.
struct Piece {
  std::vector<std::uint64_t> in_chunk, in_box, count;
};

Piece piece_of(const Hdf5Box& box, const std::vector<std::uint64_t>& chunk,
               const std::vector<std::uint64_t>& position) {
  Piece piece;
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    const std::uint64_t begin = position[d] * chunk[d];
    const std::uint64_t from = std::max(begin, box.start[d]);
    const std::uint64_t to = std::min(begin + chunk[d], box.start[d] + box.count[d]);
    piece.in_chunk.push_back(from - begin);
    piece.in_box.push_back(from - box.start[d]);
    piece.count.push_back(to - from);
  }
  return piece;
}

// Calls row(offset in the chunk, offset in the box, elements) for the rows of a piece.
template <class Row>
void for_rows(const Piece& piece, const std::vector<std::uint64_t>& chunk,
              const std::vector<std::uint64_t>& box, const Row& row) {
  const std::size_t rank = chunk.size();
  std::vector<std::uint64_t> at(rank, 0);
  while (true) {
    std::uint64_t from = 0, to = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      from = from * chunk[d] + piece.in_chunk[d] + at[d];
      to = to * box[d] + piece.in_box[d] + at[d];
    }
    row(from, to, piece.count[rank - 1]);
    std::size_t d = rank - 1;
    while (d-- > 0) {
      if (++at[d] < piece.count[d]) break;
      at[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

// True when a whole chunk is a run of the box.
bool is_run(const Piece& piece, const std::vector<std::uint64_t>& chunk,
            const std::vector<std::uint64_t>& box) {
  if (piece.count != chunk) return false;
  // After the first dimension longer than 1, the chunk must be as wide as the box in all others.
  std::size_t d = 0;
  while (d < chunk.size() && chunk[d] == 1) ++d;
  for (++d; d < chunk.size(); ++d) {
    if (chunk[d] != box[d]) return false;
  }
  return true;
}

}  // namespace

Status Hdf5Array::read_chunks(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                              const JobContext& context) const {
  const std::vector<std::uint64_t>& chunk = facts_.chunk;
  const std::size_t rank = chunk.size();
  std::vector<std::uint64_t> first(rank), last(rank);
  std::uint64_t chunk_values = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    first[d] = box.start[d] / chunk[d];
    last[d] = (box.start[d] + box.count[d] - 1) / chunk[d];
    chunk_values *= chunk[d];
  }
  const auto places = object_.reader->places(object_.path, first, last);
  if (!places) return places.error();

  const std::size_t chunk_bytes = chunk_values * facts_.type.size;
  const std::size_t value_bytes = bytes_of(target);
  const Converter convert = converter(facts_.type, target);
  const bool direct = same_bytes(facts_.type, target);
  std::vector<std::uint8_t> fill(value_bytes, 0);
  if (!facts_.fill.empty()) convert(facts_.type, facts_.fill.data(), 1, fill.data());
  // The position of a chunk in the grid of chunks.
  const auto position_of = [&](std::size_t index) {
    std::vector<std::uint64_t> position(rank);
    for (std::size_t d = rank; d-- > 0;) {
      const std::uint64_t wide = last[d] - first[d] + 1;
      position[d] = first[d] + index % wide;
      index /= wide;
    }
    return position;
  };
  const auto take = [&](std::size_t index, Worker& worker) -> Status {
    const Hdf5Place& place = (*places)[index];
    const Piece piece = piece_of(box, chunk, position_of(index));
    if (place.address == kNowhere) {
      if (all_values_) return damaged("some of its values were never written");
      for_rows(piece, chunk, box.count, [&](std::uint64_t, std::uint64_t to, std::uint64_t n) {
        for (std::uint64_t i = to; i < to + n; ++i) {
          std::memcpy(out + i * value_bytes, fill.data(), value_bytes);
        }
      });
      return {};
    }
    worker.stored.resize(place.bytes);
    const auto got =
        object_.reader->file().read_at(place.address, worker.stored.data(), place.bytes);
    if (!got) return got.error();
    if (*got != place.bytes) return damaged("the file ends before its values do");
    // A chunk that is wanted as it is needs no copy.
    const bool whole = direct && is_run(piece, chunk, box.count);
    std::span<std::uint8_t> decoded;
    std::size_t begin = 0;
    if (whole) {
      std::uint64_t at = 0;
      for (std::size_t d = 0; d < rank; ++d) at = at * box.count[d] + piece.in_box[d];
      decoded = {out + at * value_bytes, chunk_bytes};
    } else {
      std::uint64_t from = 0, last_value = 0;
      for (std::size_t d = 0; d < rank; ++d) {
        from = from * chunk[d] + piece.in_chunk[d];
        last_value = last_value * chunk[d] + piece.in_chunk[d] + piece.count[d] - 1;
      }
      begin = from * facts_.type.size;
      worker.decoded.resize((last_value + 1 - from) * facts_.type.size);
      decoded = worker.decoded;
    }
    const std::string wrong = decode_chunk(facts_.filters, place.skipped, worker.stored,
                                           chunk_bytes, begin, decoded, worker.scratch);
    if (!wrong.empty()) {
      return damaged("its chunk at byte " + std::to_string(place.address) +
                     " cannot be unpacked (" + wrong + ")");
    }
    if (whole) return {};
    for_rows(piece, chunk, box.count, [&](std::uint64_t from, std::uint64_t to, std::uint64_t n) {
      convert(facts_.type, decoded.data() + (from * facts_.type.size - begin), n,
              out + to * value_bytes);
    });
    return {};
  };

  const auto count = static_cast<std::int64_t>(places->size());
  const int threads = static_cast<int>(std::min<std::int64_t>(thread_count(), count));
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  // Keep the error of the first chunk in order, so that it does not depend on threads.
  std::mutex failing;
  std::atomic<std::int64_t> failed{count};
  Status failure;
  std::int64_t read = 0;
  parallel_each(count, threads, [&](std::int64_t i, int thread) {
    if (i > failed || context.stop_requested()) return;
    Status taken = take(static_cast<std::size_t>(i), workers[static_cast<std::size_t>(thread)]);
    const std::scoped_lock lock(failing);
    // Reported under the lock, so that progress never goes back.
    context.report(static_cast<double>(++read) / static_cast<double>(count), "reading");
    if (taken || i > failed) return;
    failed = i;
    failure = std::move(taken);
  });
  return context.stop_requested() ? cancelled_error() : failure;
}

Status Hdf5Array::read_stored(
    std::uint64_t first, std::uint64_t end,
    const std::function<Status(std::uint64_t chunk, std::uint32_t skipped,
                               std::span<const std::uint8_t> bytes)>& take,
    const JobContext& context) const {
  // Places are asked for in a message to another process.
  constexpr std::uint64_t kAtOnce = 4096;
  std::vector<std::uint8_t> stored;
  for (std::uint64_t at = first; at < end; at += kAtOnce) {
    const auto places =
        object_.reader->places(object_.path, {at}, {std::min(at + kAtOnce, end) - 1});
    if (!places) return places.error();
    for (std::size_t i = 0; i < places->size(); ++i) {
      if (context.stop_requested()) return cancelled_error();
      const Hdf5Place& place = (*places)[i];
      if (place.address == kNowhere) return damaged("some of its values were never written");
      stored.resize(place.bytes);
      const auto got = object_.reader->file().read_at(place.address, stored.data(), place.bytes);
      if (!got) return got.error();
      if (*got != place.bytes) return damaged("the file ends before its values do");
      if (Status taken = take(at + i, place.skipped, stored); !taken) return taken;
    }
  }
  return {};
}

}  // namespace aprscope
