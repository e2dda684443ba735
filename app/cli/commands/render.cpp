#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "app/cli/commands/render_channels.hpp"
#include "app/cli/commands/render_picture.hpp"
#include "app/cli/commands/render_turn.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/series.hpp"
#include "core/image/histogram.hpp"
#include "core/io/colours/colour_table_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/schema/region_text.hpp"

namespace aprscope::cli {
namespace {

bool names_colours(const std::string& text) {
  const auto& names = colormap_names();
  return std::find(names.begin(), names.end(), text) != names.end();
}

std::string names_of_colours() {
  std::string out;
  for (const std::string& name : colormap_names()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// The name of colours that are named, or read from a file.
Result<std::string> chosen_colours(const std::string& text) {
  if (names_colours(text)) return text;
  const auto table = read_colour_table(text);
  if (!table) return table.error();
  return add_colormap(text, *table);
}

// Renders a full turn of the projection to a folder of pictures or to a video.
Status turn(const RenderOptions& options, const Dataset& data, Session& session) {
  const auto raycaster = session.timed("build", [&] { return data.raycaster(session.context()); });
  if (!raycaster) return raycaster.error();
  MovieSide side{*raycaster, data.size(), data.voxel(), {}, options.colors, ""};
  if (!options.at) {
    side.contrast = contrast_of(options, data);
    session.report()["contrast"] = {{"low", side.contrast.low}, {"high", side.contrast.high}};
  }
  return write_turn_of(options, data, std::move(side), session);
}

Status render(const RenderOptions& given, Session& session) {
  const auto colours = chosen_colours(given.colors);
  if (!colours) return colours.error();
  RenderOptions options = given;
  options.colors = *colours;
  if (options.turn > 0) {
    if (Status ok = check_movie(options.output); !ok) return ok;
  }
  if (options.turn == 0 || is_movie_file(options.output)) {
    if (Status ok = check_output(options.output, {options.input.path}, session); !ok) return ok;
  }
  if (!options.channels.empty()) return render_channels(options, session);
  auto data = load_input(options.input, session);
  if (!data) return data.error();
  const auto dataset = Dataset::create(*std::move(data));
  if (Status ok = check_shown(options, *dataset); !ok) return ok;
  describe_data(dataset->data(), session.report());
  if (options.turn > 0) return turn(options, *dataset, session);
  const auto picture = picture_of(options, *dataset, std::nullopt, session);
  if (!picture) return picture.error();
  const Contrast contrast = picture->contrast ? *picture->contrast
                            : options.contrast == "auto"
                                ? automatic_contrast(histogram(picture->values))
                                : contrast_of(options, *dataset);
  session.report()["contrast"] = {{"low", contrast.low}, {"high", contrast.high}};
  session.report()["image_size"] = {{"width", picture->width}, {"height", picture->height}};
  session.report()["output"] = options.output;
  if (session.context().stop_requested()) return cancelled_error();
  return session.timed("write", [&] {
    return write_png(
        apply_colormap(picture->values, contrast, colormap(options.colors), {0, 0, 0, 255}),
        picture->width, picture->height, options.output);
  });
}

// What goes with several channels, and with a surface.
void check_combined(const RenderOptions& options, const CLI::App& command) {
  if (!options.channels.empty()) {
    if (command.get_option("--channel")->count() > 0) {
      wrong_usage("--channel", "leave it out beside --channels");
    }
    if (command.get_option("--colormap")->count() > 0) {
      wrong_usage("--colormap", "leave it out beside --channels, which have colours of their own");
    }
    if (options.mode == "level") {
      wrong_usage("--mode", "levels are shown one channel at a time: use --channel");
    }
    if (options.view == "surface") {
      wrong_usage("--channels", "a surface is that of one channel: use --channel");
    }
  }
  const bool surface = options.view == "surface";
  if (surface && !options.at) wrong_usage("--at", "say what value the surface lies at");
  if (!surface && options.at) wrong_usage("--at", "goes with --view surface");
  if (surface && options.contrast != "auto") {
    wrong_usage("--contrast", "a surface is as bright as the light on it: leave it out");
  }
}

}  // namespace

void add_render(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("render", "Make a PNG of a slice or of a 3-D view");
  auto options = std::make_shared<RenderOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  add_output(*command, options->output,
             "The PNG to write; with --turn a folder for PNGs, or .mp4 or .webm (needs ffmpeg)");
  command
      ->add_option("--turn", options->turn,
                   "Number of pictures of a full turn of the mip, of matter or of a surface, at "
                   "least 2")
      ->check(CLI::Range(2, 9999))
      ->type_name("N");
  command->add_option("--fps", options->per_second, "Pictures a second of a movie (default 25)")
      ->check(CLI::Range(1, 240))
      ->type_name("N");
  command
      ->add_option("--view", options->view,
                   "slice; mip: maximum intensity projection; translucent: matter that shines and "
                   "covers what lies behind it; or surface: of what is at least as bright as --at")
      ->required()
      ->check(CLI::IsMember({"slice", "mip", "translucent", "surface"}));
  command->add_option("--at", options->at, "The value that a surface lies at")->type_name("VALUE");
  command
      ->add_option("--channels", options->channels,
                   "Show all channels, or a range of them, over each other, in the colours and the "
                   "contrast that the file says, else in different ones")
      ->check(check_range)
      ->type_name("all|FIRST-LAST");
  command
      ->add_option("--depth", options->depth,
                   "How deep one looks into the brightest translucent matter, in the unit of the "
                   "voxel size (default: a 200th of the side of the data)")
      ->type_name("LENGTH");
  command->add_option("--axis", options->axis, "Slice perpendicular to z, x or y (default z)")
      ->check(CLI::IsMember({"z", "x", "y"}));
  command->add_option("--index", options->index, "Slice number from 0 (default: the middle)")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  command
      ->add_option("--camera", options->camera,
                   "Degrees of azimuth and elevation, and zoom, in 3-D (default 0,0,1)")
      ->type_name("AZ,EL,ZOOM");
  command
      ->add_option("--size", options->size,
                   "Size of the PNG (default: of the slice; 512,512 in 3-D)")
      ->type_name("W,H");
  command
      ->add_option("--clip", options->clip,
                   "The box of pixels that is shown in 3-D, from the first to before the second of "
                   "each pair (default: all)")
      ->type_name("Z0:Z1,X0:X1,Y0:Y1");
  command
      ->add_option("--mode", options->mode,
                   "How an APR is shown in a slice: constant (default), smooth or level; pixel "
                   "for pixel images")
      ->check(CLI::IsMember({"constant", "smooth", "level", "pixel"}));
  command
      ->add_option("--contrast", options->contrast,
                   "Grey values shown darkest and brightest (default: from the picture)")
      ->type_name("LO,HI");
  command
      ->add_option("--colormap", options->colors,
                   "Colours: " + names_of_colours() +
                       "; or a file with a look-up table, as .lut files of ImageJ (default grey)")
      ->type_name("NAME|FILE");
  command->callback([options, command, &chosen] {
    check_combined(*options, *command);
    if (std::error_code no;
        !names_colours(options->colors) && !std::filesystem::exists(options->colors, no)) {
      wrong_usage("--colormap", "\"" + options->colors + "\" is neither one of " +
                                    names_of_colours() + " nor a file");
    }
    const bool flat = options->view == "slice";
    if (options->depth && options->view != "translucent") {
      wrong_usage("--depth", "only matter has a depth: use --view translucent");
    }
    if (options->depth && !(*options->depth > 0.0 && std::isfinite(*options->depth))) {
      wrong_usage("--depth", "must be a length above 0");
    }
    if (options->turn > 0) {
      if (flat) wrong_usage("--turn", "slices do not turn: use a view in 3-D");
    } else {
      output_kind(options->output, {OutputKind::png});
    }
    wanted_size(*options);
    if (!options->clip.empty()) {
      if (flat) wrong_usage("--clip", "slices are not clipped: use a view in 3-D");
      if (const auto box = region_from_text(options->clip); !box) {
        wrong_usage("--clip", box.error().what);
      }
    }
    const auto view = numbers_from("--camera", options->camera, 3);
    if (!(view[2] >= 1e-6 && view[2] <= 1e6)) {
      wrong_usage("--camera", "the zoom must be from 1e-6 to 1e6");
    }
    if (options->contrast != "auto") {
      const auto limits = numbers_from("--contrast", options->contrast, 2);
      if (!(limits[0] < limits[1]))
        wrong_usage("--contrast", "the first value must be the smaller");
    }
    if (!flat && (options->mode == "smooth" || options->mode == "level")) {
      wrong_usage("--mode", "3-D exists in mode constant (or pixel) only");
    }
    chosen.run = [options](Session& session) { return render(*options, session); };
  });
}

}  // namespace aprscope::cli
