#include "app/cli/commands/render_turn.hpp"

#include <algorithm>

#include "app/cli/commands/render_picture.hpp"
#include "app/cli/shared/options.hpp"

namespace aprscope::cli {

Status write_turn_of(const RenderOptions& options, const Dataset& data, MovieSide side,
                     Session& session) {
  const auto only = clip_of(options, data);
  if (!only) return only.error();
  side.only = *only;
  side.depth = depth_of(options, data, session);
  if (options.at) side.surface = static_cast<float>(*options.at);
  const auto view = numbers_from("--camera", options.camera, 3);
  MovieOptions movie;
  movie.frames = options.turn;
  movie.per_second = options.per_second;
  movie.azimuth = view[0];
  movie.elevation = view[1];
  movie.zoom = view[2];
  if (const auto wanted = wanted_size(options); wanted.first > 0) {
    movie.pixels = std::max(wanted.first, wanted.second);
  }
  session.report()["frames"] = options.turn;
  session.report()["output"] = options.output;
  return session.timed(
      "render", [&] { return write_turn({side}, movie, options.output, session.context()); });
}

}  // namespace aprscope::cli
