#include "core/ranks/funnel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace aprscope {
namespace {

// Heads and bodies travel in pieces, so that whoever has no memory for them can let them pass.
constexpr std::size_t kPiece = std::size_t{1} << 18;

// What is let pass goes here: it must not need memory.
std::span<std::byte> passing() {
  static std::array<std::byte, kPiece> bytes;
  return bytes;
}

enum : std::uint64_t { kPart, kItemDone, kEnd };
// Kind, item, lengths of head and body.
using Notice = std::array<std::uint64_t, 4>;

void send_in_pieces(RankLink& link, std::span<const std::byte> bytes) {
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kPiece))) {
    link.send(0, bytes.first(std::min(bytes.size(), kPiece)));
  }
}

void send_notice(RankLink& link, const Notice& notice) {
  link.send(0, std::as_bytes(std::span(notice)));
}

Error no_memory() {
  return {"there is too little memory for the results of several processes", "",
          "allow less memory for each, or start fewer processes"};
}

// What a task returns; exceptions are too little memory.
template <class Task>
Status guarded(const Task& task) {
  try {
    return task();
  } catch (...) {
    return no_memory();
  }
}

}  // namespace

// The first rank's side: receives from all others while a thread makes its own items.
class Funnel::Collector {
 public:
  Collector(Ranks& ranks, std::int64_t items, const char* stage, const Take& take,
            const JobContext& context)
      : ranks_(ranks),
        link_(*ranks.link_),
        items_(items),
        stage_(stage),
        take_(take),
        context_(context) {
    for (int rank = 1; rank < ranks.place().count; ++rank) open_.push_back(rank);
  }

  Status run(const Make& make) {
    {
      std::jthread own;
      try {
        own = std::jthread([&]() noexcept { fail(guarded([&] { return make_own(make); })); });
      } catch (const std::exception&) {
        fail(no_memory());
      }
      receive();
    }
    return outcome();
  }

  // Lets all that comes pass.
  void discard(const Error& why) {
    fail(why);
    receive();
  }

 private:
  Status make_own(const Make& make) {
    for (std::int64_t i = 0; i < items_ && !failed_; i += ranks_.place().count) {
      if (context_.stop_requested()) return cancelled_error();
      const Send send = [&](std::span<const std::byte> head, std::span<const std::byte> body) {
        return take(i, head, body);
      };
      if (Status made = make(i, send); !made) return made;
      count_item();
    }
    return {};
  }

  // Receives until all others have ended. Without using a processor where nothing comes.
  void receive() {
    constexpr std::chrono::microseconds kFirst{20};
    constexpr std::chrono::microseconds kLongest{1000};
    std::chrono::microseconds pause = kFirst;
    bool warned = false;
    while (!open_.empty()) {
      if (failed_ && !std::exchange(warned, true)) ranks_.warn();
      // Its error is told in the agreement at the end.
      if (!failed_ && ranks_.another_failed()) fail(cancelled_error());
      const int from = link_.waiting(open_);
      if (from >= 0) {
        pause = kFirst;
        receive_from(from);
        continue;
      }
      if (context_.stop_requested()) fail(cancelled_error());
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kLongest);
    }
  }

  void receive_from(int from) {
    Notice notice{};
    link_.receive(from, std::as_writable_bytes(std::span(notice)));
    if (notice[0] == kEnd) {
      std::erase(open_, from);
    } else if (notice[0] == kItemDone) {
      count_item();
    } else {
      ranks_.moved_ += notice[2] + notice[3];
      fail(guarded([&] {
        const bool head = receive_bytes(from, notice[2], head_);
        const bool body = receive_bytes(from, notice[3], body_);
        if (!head || !body) return failed_ ? Status() : Status(no_memory());
        return take(static_cast<std::int64_t>(notice[1]), head_, body_);
      }));
    }
  }

  // False where the bytes were let pass: after a failure, or without memory for them.
  bool receive_bytes(int from, std::uint64_t count, std::vector<std::byte>& to) {
    bool keeps = !failed_;
    try {
      if (keeps) to.resize(count);
    } catch (const std::exception&) {
      keeps = false;
    }
    for (std::uint64_t at = 0; at < count; at += kPiece) {
      const std::size_t length = std::min<std::uint64_t>(kPiece, count - at);
      link_.receive(from, keeps ? std::span(to).subspan(at, length) : passing().first(length));
    }
    return keeps;
  }

  Status take(std::int64_t item, std::span<const std::byte> head, std::span<const std::byte> body) {
    if (failed_) return cancelled_error();
    const std::lock_guard lock(taking_);
    return take_({item, head, body});
  }

  void count_item() {
    const std::lock_guard lock(taking_);
    context_.report(static_cast<double>(++done_) / static_cast<double>(items_), stage_);
  }

  // Remembers the first error; that of who was stopped by it says nothing.
  void fail(const Status& status) noexcept {
    if (status) return;
    failed_ = true;
    try {
      const std::lock_guard lock(mutex_);
      if (status_ || (status_.error().cancelled() && !status.error().cancelled())) status_ = status;
    } catch (const std::exception&) {
      lost_ = true;
    }
  }

  Status outcome() {
    const std::lock_guard lock(mutex_);
    return status_ && lost_ ? Status(no_memory()) : status_;
  }

  Ranks& ranks_;
  RankLink& link_;
  std::int64_t items_;
  const char* stage_;
  const Take& take_;
  const JobContext& context_;
  std::vector<int> open_;
  std::vector<std::byte> head_, body_;
  std::int64_t done_ = 0;
  std::mutex taking_;
  std::mutex mutex_;
  Status status_;
  std::atomic<bool> failed_{false};
  // There was no memory to remember an error.
  std::atomic<bool> lost_{false};
};

// The side of all others.
Status Funnel::make_own(std::int64_t items, const Make& make, const JobContext& context) {
  RankLink& link = *ranks_.link_;
  Status status;
  for (std::int64_t i = ranks_.place().rank; i < items && status && !ranks_.another_failed();
       i += ranks_.place().count) {
    const auto item = static_cast<std::uint64_t>(i);
    const Send send = [&](std::span<const std::byte> head, std::span<const std::byte> body) {
      send_notice(link, {kPart, item, head.size(), body.size()});
      send_in_pieces(link, head);
      send_in_pieces(link, body);
      ranks_.moved_ += head.size() + body.size();
      return ranks_.another_failed() ? Status(cancelled_error()) : Status();
    };
    status = context.stop_requested() ? Status(cancelled_error())
                                      : guarded([&] { return make(i, send); });
    if (status) send_notice(link, {kItemDone, item, 0, 0});
  }
  if (!status) ranks_.warn();
  send_notice(link, {kEnd, 0, 0, 0});
  return status;
}

Status Funnel::run(std::int64_t items, const char* stage, const Make& make, const Take& take,
                   const JobContext& context) {
  ended_ = true;
  if (!ranks_.is_first()) return ranks_.agree(make_own(items, make, context));
  return ranks_.agree(Collector(ranks_, items, stage, take, context).run(make));
}

Status Funnel::abandon(const Error& why) {
  ended_ = true;
  const Take none = [](const Part&) { return Status(); };
  const JobContext unwatched;
  Collector(ranks_, 0, "", none, unwatched).discard(why);
  return ranks_.agree(why);
}

}  // namespace aprscope
