#pragma once

#include "app/cli/commands/render_options.hpp"
#include "core/pipeline/movie.hpp"

namespace aprscope::cli {

/// Renders a full turn of `side`, whose raycasters, contrast and colours are there, to a folder of
/// pictures or to a video, as the options say. `data`: any of what turns. Errors: those of
/// write_turn(), of clip_of().
Status write_turn_of(const RenderOptions& options, const Dataset& data, MovieSide side,
                     Session& session);

}  // namespace aprscope::cli
