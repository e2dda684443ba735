#include "app/python/bind/call.hpp"

#include <cmath>

namespace nb = nanobind;

namespace aprscope::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::chrono::milliseconds kPatience{300};

nb::dict figures_of(const IterationReport& report) {
  nb::dict figures;
  figures["iteration"] = report.iteration;
  figures["of"] = report.of;
  figures["searching"] = report.searching;
  figures["seconds"] = report.seconds;
  for (const auto* list : {&report.figures, &report.against_truth}) {
    for (const NamedFigure& each : *list) figures[python_text(each.id)] = each.value;
  }
  return figures;
}

void tell(const JobNews& news, const Watchers& watchers) {
  if (news.progressed && !watchers.progress.is_none()) {
    watchers.progress(news.fraction, python_text(news.stage));
  }
  if (watchers.on_iteration.is_none()) return;
  for (const IterationReport& report : news.iterations) {
    const nb::object said = watchers.on_iteration(figures_of(report));
    if (said.ptr() == Py_False) std::stop_source(watchers.keep).request_stop();
  }
}

}  // namespace

void wait_for(BesideJob& job, const Watchers& watchers) {
  const auto wait = [&](std::chrono::milliseconds time) {
    const nb::gil_scoped_release others_run;
    return job.wait(time);
  };
  try {
    while (!wait(kBetweenLooks)) {
      // Checks for signals: Ctrl-C becomes a KeyboardInterrupt.
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      tell(job.news(), watchers);
    }
  } catch (...) {
    job.ask_to_stop();
    wait(kPatience);
    throw;
  }
  job.rethrow();
  JobNews last = job.news();
  last.progressed = true;
  last.fraction = 1.0;
  if (last.stage.empty()) last.stage = "done";
  tell(last, watchers);
  for (const std::string& move : job.moves()) {
    if (PyErr_WarnEx(PyExc_UserWarning, move.c_str(), 2) != 0) throw nb::python_error();
  }
}

}  // namespace aprscope::python
