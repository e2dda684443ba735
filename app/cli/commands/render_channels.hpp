#pragma once

#include "app/cli/commands/render_options.hpp"

namespace aprscope::cli {

/// Renders channels of a file over each other, in their colours, see first_looks(); adds "channels"
/// (number, name, colour, contrast) to the report. Errors: the file has no such channels, they
/// differ in size, those of picture_of() and of writing.
Status render_channels(const RenderOptions& options, Session& session);

}  // namespace aprscope::cli
