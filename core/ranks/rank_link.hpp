#pragma once

#include <cstddef>
#include <span>

namespace aprscope {

/// Which of the processes of one run this is, and who else computes on the same host.
struct RankPlace {
  /// 0 … count − 1.
  int rank = 0;
  int count = 1;
  /// The same among the ranks of this host.
  int local_rank = 0;
  int local_count = 1;
  /// Ranks of this host, this one included, that may run on just the same processors.
  int sharing = 1;
};

/// Moves bytes between the ranks of one run. One thread only, the one that opened it. Nothing here
/// returns an error: where the others cannot be reached no rank can go on, and the link itself ends
/// the process, after one sentence. Implemented by MPI (mpi_module/), and by threads in tests.
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
  /// Sends and receives at once, so that ranks may do it in a ring. Either may be empty.
  virtual void exchange(int to, std::span<const std::byte> out, int from,
                        std::span<std::byte> in) = 0;

  /// Tells all other ranks that this one has failed; once. Does not wait for them.
  virtual void raise() = 0;
  /// Whether another rank has raised so far. Does not wait.
  virtual bool raised() = 0;

  /// All ranks have done what they do together: waits for all of them, without using a processor.
  /// The last call.
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
