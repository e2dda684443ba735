#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace aprscope::test {

/// Ranks that are threads of this process: messages lie in queues until they are received, which
/// they must be with the length that they were sent with.
class ThreadRanks {
 public:
  /// Calls work(ranks) in `count` threads at once and waits for all.
  static void run(int count, const std::function<void(Ranks&)>& work) {
    const auto post = std::make_shared<Post>();
    post->count = count;
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < count; ++rank) {
      threads.emplace_back([&work, &post, rank, count] {
        Ranks ranks(std::make_unique<Link>(post, rank, count));
        work(ranks);
      });
    }
  }

 private:
  struct Post {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> letters;
    std::vector<int> raised;
    int count = 0;
    int closed = 0;
  };

  class Link final : public RankLink {
    // Ends the tests where two threads use a link at once.
    class Use {
     public:
      explicit Use(std::atomic<bool>& busy) : busy_(busy) {
        if (busy_.exchange(true)) std::abort();
      }
      ~Use() { busy_ = false; }
      Use(const Use&) = delete;
      Use& operator=(const Use&) = delete;

     private:
      std::atomic<bool>& busy_;
    };

   public:
    Link(std::shared_ptr<Post> post, int rank, int count)
        : post_(std::move(post)), place_{rank, count, rank, count, count} {}
    [[nodiscard]] RankPlace place() const override { return place_; }
    void send(int to, std::span<const std::byte> bytes) override {
      const Use use(busy_);
      if (bytes.empty()) return;
      const std::lock_guard lock(post_->mutex);
      post_->letters[{place_.rank, to}].emplace_back(bytes.begin(), bytes.end());
      post_->changed.notify_all();
    }
    void receive(int from, std::span<std::byte> bytes) override {
      const Use use(busy_);
      if (bytes.empty()) return;
      std::unique_lock lock(post_->mutex);
      auto& queue = post_->letters[{from, place_.rank}];
      post_->changed.wait(lock, [&] { return !queue.empty(); });
      if (queue.front().size() != bytes.size()) std::abort();
      std::copy(queue.front().begin(), queue.front().end(), bytes.begin());
      queue.pop_front();
    }
    int waiting(std::span<const int> from) override {
      const Use use(busy_);
      const std::lock_guard lock(post_->mutex);
      for (const int rank : from) {
        const auto found = post_->letters.find({rank, place_.rank});
        if (found != post_->letters.end() && !found->second.empty()) return rank;
      }
      return -1;
    }
    void exchange(int to, std::span<const std::byte> out, int from,
                  std::span<std::byte> in) override {
      send(to, out);
      receive(from, in);
    }
    void raise() override {
      const Use use(busy_);
      const std::lock_guard lock(post_->mutex);
      post_->raised.push_back(place_.rank);
    }
    bool raised() override {
      const Use use(busy_);
      const std::lock_guard lock(post_->mutex);
      return std::any_of(post_->raised.begin(), post_->raised.end(),
                         [&](int rank) { return rank != place_.rank; });
    }
    void close() override {
      std::unique_lock lock(post_->mutex);
      ++post_->closed;
      post_->changed.notify_all();
      post_->changed.wait(lock, [&] { return post_->closed == post_->count; });
      // Nothing is left that somebody sent to this one.
      for (const auto& [way, queue] : post_->letters) {
        if (way.second == place_.rank && !queue.empty()) std::abort();
      }
    }
    [[noreturn]] void abort() override { std::abort(); }

   private:
    std::shared_ptr<Post> post_;
    RankPlace place_;
    std::atomic<bool> busy_{false};
  };
};

}  // namespace aprscope::test
