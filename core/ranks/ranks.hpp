#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/ranks/rank_link.hpp"

namespace aprscope {

/// One run in several processes (ranks) that share its work. All ranks do the same until the work
/// is divided. They meet in agree(), add up their results, and part: rank 0 goes on alone.
///
/// A rank that fails at any place calls agree() with its error instead of what comes next, and all
/// others learn of it in their next agree(). So no rank waits forever, as long as nothing can fail
/// between an agreement and the sums after it.
class Ranks {
 public:
  explicit Ranks(std::unique_ptr<RankLink> link);
  /// Ends all ranks where they have not parted.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] const RankPlace& place() const { return place_; }
  [[nodiscard]] bool is_first() const { return place_.rank == 0; }
  /// Whether the ranks have parted: nothing is done together any more.
  [[nodiscard]] bool parted() const { return parted_; }

  /// Whether another rank has failed: then the work of this one is of no use, and it should call
  /// agree(). Cheap; ask it now and then.
  [[nodiscard]] bool another_failed();

  /// Tells the others at once that this one has failed: they need not go on with work that is lost.
  /// It still has to call agree() with its error.
  void warn();

  /// Waits for all ranks. Errors: the error of the first rank that has one, named by its number (a
  /// rank that was merely cancelled only where no other has failed), the same on all ranks, which
  /// have then parted. After parting: `mine`.
  Status agree(const Status& mine);
  /// agree({}) on data that all ranks must share, by a number made of them. Errors: also that of
  /// the first rank whose number is not that of rank 0, "process 2 " before difference.what.
  Status agree_on(std::uint64_t same, const Error& difference);
  /// agree() with success at the first call; later calls do nothing.
  Status meet();
  /// agree(), then all part. Errors: also cancelled_error() on all ranks but the first, whose work
  /// is done. After parting: `mine`.
  Status part(const Status& mine);
  [[nodiscard]] bool met() const { return met_; }

  /// Bytes that prepare_sums() takes.
  [[nodiscard]] std::uint64_t scratch_bytes() const;
  /// Takes the memory for sums: to be called before an agreement, as the sums cannot fail. Throws
  /// std::bad_alloc.
  void prepare_sums();
  /// Adds up the values of all ranks, each element in the order of ranks, for any number of
  /// elements alike: on rank 0 `values` are the sums, on other ranks they are undefined. All ranks
  /// call it, with the same length.
  void sum_on_first(std::span<float> values);
  void sum_on_first(std::span<double> values);

  /// The least of the numbers of all ranks, on all of them. Between agreements only, like sums.
  std::uint64_t least(std::uint64_t mine);
  /// Sends `out` to one rank while it receives `in` from another, so that all may do it in a ring.
  void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);

  /// Bytes that sums, exchanges and a Funnel have sent and received here, and seconds that the
  /// first two took.
  [[nodiscard]] std::uint64_t moved_bytes() const { return moved_; }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  template <class T>
  void sum(std::span<T> values);
  Status decide(const Status& mine, std::uint64_t same, const Error& difference);
  Status settle(const Status& mine, std::uint64_t same, const Error& difference);

  // Moves messages of its own between two agreements.
  friend class Funnel;

  std::unique_ptr<RankLink> link_;
  RankPlace place_;
  std::vector<std::byte> scratch_;
  bool parted_ = false;
  bool raised_ = false;
  bool met_ = false;
  std::uint64_t moved_ = 0;
  double seconds_ = 0.0;
};

}  // namespace aprscope
