#pragma once

#include <memory>

#include "app/gui/document/job_bridge.hpp"
#include "app/gui/document/messages.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// What all parts of a document work with; it outlives them.
struct Services {
  Messages messages;
  /// Where operations run; another one where another device is chosen.
  std::shared_ptr<const Backend> backend;
  /// Work on whole data (apply, export), and previews.
  JobBridge jobs;
  /// What need not wait for that: opening files, conversion estimates, MIP renderers.
  JobBridge background;
};

}  // namespace aprscope::gui
