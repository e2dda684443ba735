#include "gpu/device/pinned_pieces.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "core/base/parallel.hpp"

namespace aprscope::gpu {
namespace {

// The driver takes about 10 µs a piece, one at a time, which is half of what the bus takes for
// this.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;

constexpr const char* kTo = "copying to the GPU";
constexpr const char* kFrom = "copying from the GPU";

// Where a piece lies in the whole.
struct Stretch {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
};

// Hands out the pieces of a transfer to whoever asks, in order.
class Queue {
 public:
  explicit Queue(std::uint64_t bytes) : bytes_(bytes) {}
  std::optional<Stretch> next() {
    const std::uint64_t at = next_.fetch_add(kPiece);
    if (at >= bytes_) return std::nullopt;
    return Stretch{at, std::min(kPiece, bytes_ - at)};
  }

 private:
  std::uint64_t bytes_;
  std::atomic<std::uint64_t> next_ = 0;
};

}  // namespace

PinnedPieces::PinnedPieces(int device) : device_(device) {
  // Of one block, since each call takes long.
  void* memory = nullptr;
  ensure(cudaMallocHost(&memory, kThreads * 2 * kPiece), "reserving memory for transfers");
  auto* next = static_cast<std::byte*>(memory);
  for (auto& pair : pieces_) {
    for (Piece& piece : pair) {
      piece.memory = next;
      next += kPiece;
    }
  }
}

// Calls carry(queue, pieces of the thread) for each thread.
template <class Carry>
void PinnedPieces::share(std::uint64_t bytes, const Carry& carry) {
  if (bytes == 0) return;
  const std::uint64_t pieces = (bytes + kPiece - 1) / kPiece;
  const int threads = static_cast<int>(std::min<std::uint64_t>(
      pieces, static_cast<std::uint64_t>(std::min(thread_count(), kThreads))));
  Queue queue(bytes);
  parallel_each(threads, threads, [&](std::int64_t i, int) {
    ensure(cudaSetDevice(device_), "choosing the GPU");
    carry(queue, pieces_[i]);
  });
}

void PinnedPieces::upload(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream) {
  share(bytes, [&](Queue& queue, Piece(&pieces)[2]) {
    for (int turn = 0;; turn ^= 1) {
      const auto part = queue.next();
      if (!part) return;
      Piece& piece = pieces[turn];
      ensure(cudaEventSynchronize(piece.done), kTo);
      std::memcpy(piece.memory, static_cast<const std::byte*>(from) + part->at, part->bytes);
      ensure(cudaMemcpyAsync(static_cast<std::byte*>(to) + part->at, piece.memory, part->bytes,
                             cudaMemcpyHostToDevice, stream),
             kTo);
      piece.done.record(stream);
    }
  });
}

void PinnedPieces::download(const void* from, void* to, std::uint64_t bytes, cudaStream_t stream) {
  share(bytes, [&](Queue& queue, Piece(&pieces)[2]) {
    const auto take = [&](const Piece& piece, const Stretch& part) {
      ensure(cudaEventSynchronize(piece.done), kFrom);
      std::memcpy(static_cast<std::byte*>(to) + part.at, piece.memory, part.bytes);
    };
    std::optional<Stretch> before;
    for (int turn = 0;; turn ^= 1) {
      const auto part = queue.next();
      if (part) {
        Piece& piece = pieces[turn];
        // An upload on another stream may still read it.
        ensure(cudaEventSynchronize(piece.done), kFrom);
        ensure(cudaMemcpyAsync(piece.memory, static_cast<const std::byte*>(from) + part->at,
                               part->bytes, cudaMemcpyDeviceToHost, stream),
               kFrom);
        piece.done.record(stream);
      }
      if (before) take(pieces[turn ^ 1], *before);
      if (!part) return;
      before = part;
    }
  });
}

}  // namespace aprscope::gpu
