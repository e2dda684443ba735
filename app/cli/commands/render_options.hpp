#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/shared/data_io.hpp"
#include "core/image/colormap.hpp"

namespace aprscope::cli {

/// What "render" was asked for.
struct RenderOptions {
  InputOptions input;
  /// Channels to show over each other, "all" or FIRST-LAST; "": the one of `input`.
  std::string channels;
  std::string output;
  std::string view;
  std::string axis = "z";
  std::int64_t index = -1;
  std::string camera = "0,0,1";
  std::string size;
  std::string clip;
  /// Of translucent matter; none: a share of the data that shows most of it.
  std::optional<double> depth;
  /// The value whose surface is shown.
  std::optional<double> at;
  std::string mode;
  std::string contrast = "auto";
  std::string colors = "grey";
  /// The number of frames of a full turn; 0: a single picture.
  int turn = 0;
  int per_second = 25;
};

}  // namespace aprscope::cli
