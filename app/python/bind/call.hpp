#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <nanobind/nanobind.h>

#include "app/python/bind/errors.hpp"
#include "app/python/bind/workers.hpp"
#include "core/base/memory_error.hpp"

namespace aprscope::python {

/// Who wants to be told while a call computes: None, or functions of Python.
struct Watchers {
  /// progress(fraction, stage), some 50 times a second at most, and at the end.
  nanobind::object progress = nanobind::none();
  /// on_iteration(figures); where it returns False, `keep` is asked to stop.
  nanobind::object on_iteration = nanobind::none();
  std::stop_source keep{};
};

/// Waits for a job that has started, without the lock of the interpreter, and tells the watchers.
/// Where a signal (Ctrl-C) or a watcher throws, the job is asked to stop, and left to itself if it
/// has not ended 0.3 s later.
void wait_for(BesideJob& job, const Watchers& watchers);

/// The result of `work`, which is computed in another thread and must own what it works on: nobody
/// may be there any more when it ends.
template <class T>
T computed(const std::function<Result<T>(const JobContext&, BesideJob&)>& work,
           const Watchers& watchers = {}) {
  auto found = std::make_shared<std::optional<Result<T>>>();
  auto job = std::make_shared<BesideJob>([found, work](const JobContext& context, BesideJob& self) {
    found->emplace(with_memory_errors("aprscope", [&] { return work(context, self); }));
  });
  start_beside(job);
  wait_for(*job, watchers);
  return or_throw(std::move(**found));
}

}  // namespace aprscope::python
