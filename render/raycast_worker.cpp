#include "render/raycast_worker.hpp"

#include <chrono>
#include <utility>

#include "core/base/log.hpp"

namespace aprscope {

RaycastWorker::RaycastWorker(std::function<void()> ready)
    : ready_(std::move(ready)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

RaycastWorker::~RaycastWorker() {
  clear();
  thread_.request_stop();
}

void RaycastWorker::post(RaycastRequest request) {
  const std::lock_guard lock(mutex_);
  if (running_may_stop_ || running_source_ != request.source) running_.request_stop();
  waiting_ = std::move(request);
  wake_.notify_one();
}

void RaycastWorker::clear() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  finished_.reset();
  running_.request_stop();
}

std::optional<RaycastPicture> RaycastWorker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(finished_, std::nullopt);
}

void RaycastWorker::run(const std::stop_token& stop) {
  while (true) {
    RaycastRequest request;
    std::stop_token cancelled;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
      request = std::move(*waiting_);
      waiting_.reset();
      running_ = std::stop_source();
      running_may_stop_ = request.may_stop;
      running_source_ = request.source;
      cancelled = running_.get_token();
    }
    const auto begin = std::chrono::steady_clock::now();
    Result<RayImage> image = request.source->render(request.camera, request.width, request.height,
                                                    request.level, JobContext(cancelled));
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - begin;
    {
      const std::lock_guard lock(mutex_);
      running_source_.reset();
      if (cancelled.stop_requested()) continue;
      if (!image) {
        if (!image.error().cancelled()) log(LogLevel::error, image.error().message());
        continue;
      }
      finished_ = RaycastPicture{std::move(request), std::move(*image), took.count()};
    }
    ready_();
  }
}

}  // namespace aprscope
