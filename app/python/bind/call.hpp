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

/// Python functions (or None) to call during a computation.
struct Watchers {
  /// progress(fraction, stage): called at most about 50 times a second, and at the end.
  nanobind::object progress = nanobind::none();
  /// on_iteration(figures): if it returns False, the iterations end and their result is kept.
  nanobind::object on_iteration = nanobind::none();
  std::stop_source keep{};
};

/// Waits for a job that was started, without the interpreter's lock (GIL), and calls the watchers.
/// If a signal (Ctrl-C) or a watcher throws, asks the job to stop, and abandons it if it has not
/// ended after 0.3 s.
void wait_for(BesideJob& job, const Watchers& watchers);

/// Runs `work` in another thread and returns its result. It must own all data that it uses, as the
/// caller may be gone when it ends.
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
