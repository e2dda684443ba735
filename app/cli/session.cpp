#include "app/cli/session.hpp"

#include <cstdio>
#include <iostream>
#include <utility>

#include <unistd.h>

#include "app/cli/text_report.hpp"
#include "core/base/printable.hpp"
#include "core/base/system.hpp"
#include "core/pipeline/parameter_json.hpp"

namespace aprscope::cli {

Session::Session(const GlobalOptions& options, std::shared_ptr<const Backend> backend,
                 std::stop_token stop)
    : options_(options), backend_(std::move(backend)) {
  JobContext::Sink sink;
  if (!options_.quiet && ::isatty(STDERR_FILENO) != 0) {
    sink = [this](double fraction, std::string_view stage) { show_progress(fraction, stage); };
  }
  context_ = JobContext(std::move(stop), std::move(sink));
}

Session::~Session() { clear_progress(); }

void Session::add_seconds(const char* stage, double seconds) {
  const double before = seconds_.value(stage, 0.0);
  seconds_[stage] = before + seconds;
}

void Session::show_progress(double fraction, std::string_view stage) {
  const std::lock_guard lock(progress_mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  // Stages may be names of files.
  const std::string shown = printable_line(stage);
  std::string line = std::to_string(static_cast<int>(fraction * 100.0)) + " % " +
                     std::string(utf8_prefix(shown, 60));
  const std::size_t width = line.size();
  if (width < progress_width_) line.append(progress_width_ - width, ' ');
  progress_width_ = width;
  std::fprintf(stderr, "\r%s", line.c_str());
  std::fflush(stderr);
}

void Session::clear_progress() {
  const std::lock_guard lock(progress_mutex_);
  if (progress_width_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(progress_width_), "");
  std::fflush(stderr);
  progress_width_ = 0;
}

bool Session::finish() {
  clear_progress();
  report_["device"] = backend_->id();
  report_["threads"] = thread_count();
  report_["seconds"] = seconds_;
  report_["peak_rss_bytes"] = peak_resident_bytes();
  if (options_.json) {
    std::cout << printable_json(dump(report_, 2)) << '\n';
  } else if (!options_.quiet) {
    std::cout << text_report(report_);
  }
  std::cout.flush();
  return static_cast<bool>(std::cout);
}

}  // namespace aprscope::cli
