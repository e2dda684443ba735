#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {

/// Many items of work for all ranks, whose results the first rank takes: rank r makes the items r,
/// r + count, r + 2 count … and the first one, too, in a thread beside the one that takes.
class Funnel {
 public:
  /// A part of the result of an item: what it is, and its data. As long as the call takes.
  struct Part {
    std::int64_t item = 0;
    std::span<const std::byte> head;
    std::span<const std::byte> body;
  };
  using Send = std::function<Status(std::span<const std::byte> head, std::span<const std::byte>)>;
  /// Makes an item and sends its parts, in order. Errors of `send`: the work of all is lost.
  using Make = std::function<Status(std::int64_t item, const Send& send)>;
  /// Takes a part, on the first rank: one at a time, those of an item in order, items in any.
  using Take = std::function<Status(const Part& part)>;

  explicit Funnel(Ranks& ranks) : ranks_(ranks) {}

  /// Makes and takes all items; `items` is the same on all ranks. Progress of the first rank names
  /// `stage`. Ends with an agreement of all.
  /// Errors: the first one of `make` or `take` on any rank, no memory, cancelled; the same on all
  /// ranks, which have then parted.
  Status run(std::int64_t items, const char* stage, const Make& make, const Take& take,
             const JobContext& context);

  /// Instead of run() on the first rank, where it has failed while others may have begun. Returns
  /// what they agree on.
  Status abandon(const Error& why);
  /// Whether run() or abandon() was called.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  class Collector;
  Status make_own(std::int64_t items, const Make& make, const JobContext& context);

  Ranks& ranks_;
  bool ended_ = false;
};

}  // namespace aprscope
