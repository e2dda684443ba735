#include "render/mip_worker.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "core/apr/raycast/surface_paint.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "core/base/log.hpp"
#include "core/base/system.hpp"
#include "core/image/difference.hpp"

namespace aprscope {
namespace {

// Priority below other threads: the window, and software rendering if used, go first.
constexpr int kBehindOthers = 4;

// Computes second − first for each ray; NaN where one of them has no value.
void subtract(const RayImage& second, RayImage& first) {
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    first.values[i] = second.values[i] - first.values[i];
  }
}

void leave_positive(RayImage& image) {
  for (float& value : image.values) {
    if (!(value > 0.0F)) value = std::numeric_limits<float>::quiet_NaN();
  }
}

// The part with smaller cells as its own rays see it.
RayCamera camera_of_part(const MipRequest& request) {
  return camera_to(*request.detail, request.camera, request.voxel);
}

int level_of_part(const MipRequest& request, const Raycaster& part) {
  const int coarser = request.source->level_max() + request.detail->finer - request.level;
  return part.level_max() - std::max(0, coarser);
}

// Rays through a volume, `number` in the request, whose part with smaller cells is `part`: through
// that where it has all that they meet, else, for projections, the larger one of both maxima.
Result<RayImage> cast_volume(const MipRequest& request, std::size_t number, const Raycaster& volume,
                             const Raycaster* part, const JobContext& context) {
  const bool matter = number < request.matter.size();
  const auto cast = [&](const Raycaster& rays, const RayCamera& camera, int level) {
    return matter ? rays.translucent(camera, request.width, request.height, request.matter[number],
                                     context)
                  : rays.render(camera, request.width, request.height, level, context);
  };
  const bool finer = part != nullptr && (request.covered || !matter);
  if (!finer) return cast(volume, request.camera, request.level);
  auto image = cast(*part, camera_of_part(request), level_of_part(request, *part));
  if (!image || request.covered) return image;
  auto rest = cast(volume, request.camera, request.level);
  if (!rest) return rest;
  for (std::size_t i = 0; i < rest->values.size(); ++i) {
    rest->values[i] = std::fmax(rest->values[i], image->values[i]);
  }
  return rest;
}

// The surface of the source, or of its part; depths are from the eye, which moves with the part.
Result<RayImage> cast_surface(const MipRequest& request, const JobContext& context) {
  if (!request.detail || !request.covered) {
    return request.source->surface(request.camera, request.width, request.height, request.level,
                                   *request.surface, context);
  }
  const Raycaster& part = *request.detail->raycaster;
  return part.surface(camera_of_part(request), request.width, request.height,
                      level_of_part(request, part), *request.surface, context);
}

Result<MipPicture> cast(const MipRequest& request, const JobContext& context) {
  MipPicture out;
  if (request.surface) {
    auto depths = cast_surface(request, context);
    if (!depths) return depths.error();
    auto shaded = shade_surface(*depths, request.camera, request.grain, context);
    if (!shaded) return shaded.error();
    out.image = *std::move(shaded);
    if (!request.paint) return out;
    auto paint =
        surface_paint(*depths, request.camera, request.voxel, *request.paint->values, context);
    if (!paint) return paint.error();
    if (request.paint->positive) leave_positive(*paint);
    out.paint = *std::move(paint);
    return out;
  }
  if (request.labels) {
    auto seen = request.labels->render(request.camera, request.width, request.height, context);
    if (!seen) return seen.error();
    out.image = seen->all.values;
    out.labels = *std::move(seen);
    return out;
  }
  if (request.channels) {
    out.image.width = request.width;
    out.image.height = request.height;
    for (const ChannelVolume& one : *request.channels) {
      const auto part = request.detail ? part_of(*request.detail, one.channel) : nullptr;
      auto layer = cast_volume(request, out.channels.size(), *one.raycaster, part.get(), context);
      if (!layer) return layer.error();
      out.channels.push_back(*std::move(layer));
    }
    return out;
  }
  const Raycaster* const part = request.detail ? request.detail->raycaster.get() : nullptr;
  auto image = cast_volume(request, 0, *request.source, part, context);
  if (!image) return image.error();
  out.image = *std::move(image);
  if (!request.second) return out;
  auto second = cast_volume(request, 1, *request.second, nullptr, context);
  if (!second) return second.error();
  if (!request.difference) {
    out.second = *std::move(second);
    return out;
  }
  subtract(*second, out.image);
  out.range = symmetric_contrast(out.image.values).high;
  return out;
}

}  // namespace

struct MipWorker::Impl {
  std::function<void()> ready;
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<MipRequest> next;
  std::optional<MipPicture> done;
  std::stop_source running;
  bool closing = false;
  std::thread thread;

  void serve() {
    lower_thread_priority(kBehindOthers);
    for (;;) {
      try {
        if (!serve_one()) return;
      } catch (const std::bad_alloc&) {
        log(LogLevel::error, "3-D view: does not fit into memory");
      }
    }
  }

  // Casts the next picture; false when closing. Throws std::bad_alloc.
  bool serve_one() {
    MipRequest request;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return closing || next.has_value(); });
      if (closing) return false;
      request = std::move(*next);
      next.reset();
      running = std::stop_source();
      stop = running.get_token();
    }
    const auto begin = std::chrono::steady_clock::now();
    auto picture = cast(request, JobContext(stop));
    if (!picture) {  // mostly cancelled, for a newer request or because nobody wants one
      if (!picture.error().cancelled()) log(LogLevel::error, picture.error().message());
      return true;
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    picture->request = std::move(request);
    picture->milliseconds = took.count();
    {
      const std::lock_guard lock(mutex);
      done = *std::move(picture);
    }
    ready();
    return true;
  }
};

MipWorker::MipWorker(std::function<void()> ready) : impl_(std::make_unique<Impl>()) {
  impl_->ready = std::move(ready);
  impl_->thread = std::thread([this] { impl_->serve(); });
}

MipWorker::~MipWorker() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
    impl_->running.request_stop();
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

void MipWorker::post(MipRequest request, bool interrupt) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->next = std::move(request);
    if (interrupt) impl_->running.request_stop();
  }
  impl_->wake.notify_all();
}

void MipWorker::cancel() {
  const std::lock_guard lock(impl_->mutex);
  impl_->next.reset();
  impl_->done.reset();
  impl_->running.request_stop();
}

std::optional<MipPicture> MipWorker::take() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->done, std::nullopt);
}

}  // namespace aprscope
