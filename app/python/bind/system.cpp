// The threads and devices to compute with.
#include "core/base/system.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "app/python/bind/bind.hpp"
#include "app/python/bind/call.hpp"
#include "app/python/bind/devices.hpp"
#include "gpu/engines/devices.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace aprscope::python {
namespace {

void set_threads(int threads) {
  if (threads < 0) {
    throw ErrorThrown({std::to_string(threads) + " is no number of threads", "set_threads",
                       "give 1 or more, or 0 for all cores"});
  }
  if (is_forked() && threads != 1) {
    throw ErrorThrown({"a process that was forked computes in one thread", "set_threads",
                       "start processes by multiprocessing.get_context(\"spawn\")"});
  }
  set_thread_count(threads);
}

nb::list devices() {
  nb::list all;
  all.append("cpu");
  for (const GpuDevice& gpu : gpu_inventory().devices) {
    all.append(python_text("cuda:" + std::to_string(gpu.index)));
  }
  return all;
}

}  // namespace

Result<std::shared_ptr<const Backend>> backend_named(const std::string& device) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Backend>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  auto made = select_backend(device);
  if (made) known.emplace(device, *made);
  return made;
}

void bind_system(nb::module_& module) {
  module.def("threads", [] { return thread_count(); });
  module.def("set_threads", set_threads, "threads"_a);
  module.def("devices", devices);
  module.def(
      "wait_for_jobs",
      [](double seconds) {
        const nb::gil_scoped_release others_run;
        wait_for_jobs(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000.0)));
      },
      "seconds"_a);
}

}  // namespace aprscope::python
