#pragma once

#include <memory>

#include "app/gui/document/job_bridge.hpp"
#include "app/gui/document/messages.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::gui {

/// Objects that all parts of a document use and that outlive them.
struct Services {
  Messages messages;
  /// The backend that operations run on; replaced when the user chooses another device.
  std::shared_ptr<const Backend> backend;
  /// Work on whole data (apply, export), and previews.
  JobBridge jobs;
  /// Runs work that must not wait for `jobs`: opening files, conversion estimates, raycasters.
  JobBridge background;
};

}  // namespace aprscope::gui
