#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "core/apr/raycast.hpp"

namespace aprscope {

struct RaycastRequest {
  std::shared_ptr<const MipRaycaster> source;
  RayCamera camera;
  int width = 0;
  int height = 0;
  int level = 0;
  std::uint64_t generation = 0;
  /// Every screen pixel at the finest level.
  bool exact = false;
  /// Given up as soon as something newer is asked for. Pictures for a moving camera are not: else a
  /// steady stream of requests would never show any.
  bool may_stop = false;
};

struct RaycastPicture {
  RaycastRequest request;
  RayImage image;
  double milliseconds = 0.0;
};

/// One thread that casts rays for a view. Of the requests that wait, only the newest is kept.
class RaycastWorker {
 public:
  /// `ready` is called from the worker's thread whenever a picture can be taken.
  explicit RaycastWorker(std::function<void()> ready);
  ~RaycastWorker();
  RaycastWorker(const RaycastWorker&) = delete;
  RaycastWorker& operator=(const RaycastWorker&) = delete;

  void post(RaycastRequest request);
  /// Drops what waits and stops what runs.
  void clear();
  /// The newest finished picture, once.
  std::optional<RaycastPicture> take();

 private:
  void run(const std::stop_token& stop);

  std::function<void()> ready_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<RaycastRequest> waiting_;
  std::optional<RaycastPicture> finished_;
  std::stop_source running_{std::nostopstate};
  bool running_may_stop_ = false;
  std::shared_ptr<const MipRaycaster> running_source_;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace aprscope
