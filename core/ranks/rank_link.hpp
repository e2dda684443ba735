#pragma once

#include <cstddef>
#include <span>

namespace aprscope {

/// The place of this process among those of one run, and how many share its host.
struct RankPlace {
  /// 0 … count − 1.
  int rank = 0;
  int count = 1;
  /// Rank and number of ranks on this host.
  int local_rank = 0;
  int local_count = 1;
  /// Ranks of this host, this one included, that may run on just the same processors.
  int sharing = 1;
};

/// Moves bytes between the ranks of one run. Used by one thread at a time. No function
/// returns an error: if the others cannot be reached no rank can go on, and the link ends the
/// process after one sentence. Implemented by MPI (mpi_module/), and by threads in tests.
class RankLink {
 public:
  virtual ~RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;

  [[nodiscard]] virtual RankPlace place() const = 0;

  /// A message for rank `to`, which receives one of the same length. May wait until it does.
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  /// Waits for it without using a processor.
  virtual void receive(int from, std::span<std::byte> bytes) = 0;
  /// A rank among `from` of which a message has come that is not received yet; −1: none so far.
  /// Does not wait.
  virtual int waiting(std::span<const int> from) = 0;
  /// Sends and receives at once, so that ranks may do it in a ring. `out` or `in` may be empty.
  virtual void exchange(int to, std::span<const std::byte> out, int from,
                        std::span<std::byte> in) = 0;

  /// Tells all other ranks that this one has failed; once. Does not wait for them.
  virtual void raise() = 0;
  /// Whether another rank has raised so far. Does not wait.
  virtual bool raised() = 0;

  /// Ends the joint work of all ranks: waits for all of them, without using a processor. Must be
  /// the last call.
  virtual void close() = 0;
  /// Ends all ranks at once, this one included.
  [[noreturn]] virtual void abort() = 0;

 protected:
  RankLink() = default;
};

/// Name and type of the function by which a module gives its link; null after one sentence on
/// stderr where there is none.
inline constexpr const char* kOpenRankLink = "aprscope_open_rank_link";
using OpenRankLink = RankLink* (*)();

}  // namespace aprscope
