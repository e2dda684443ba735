#include "core/pipeline/movie.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "core/apr/raycast/camera_path.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/process.hpp"
#include "core/base/temporary.hpp"
#include "core/image/figure.hpp"
#include "core/io/write.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Their names have four digits.
constexpr std::size_t kMostFrames = 9999;

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

std::string frame_name(int number) {
  char text[32];
  std::snprintf(text, sizeof(text), "frame_%04d.png", number);
  return text;
}

// What a movie shows: so many pictures of `width` × `height`, and the camera of each.
struct Script {
  int frames = 0;
  int width = 0;
  int height = 0;
  std::function<RayCamera(const MovieSide& side, int number)> camera;
};

Result<Picture> frame(const std::vector<MovieSide>& sides, const MovieOptions& options,
                      const Script& script, int number, const JobContext& context) {
  std::vector<FigurePanel> panels;
  FigureOptions figure;
  figure.scale_bar = options.scale_bar;
  for (const MovieSide& side : sides) {
    const RayCamera camera = script.camera(side, number);
    FigurePanel panel;
    const auto render = [&](const MipRaycaster& caster, const Contrast& contrast) -> Result<Plane> {
      auto image = side.surface ? lit_surface(caster, camera, script.width, script.height,
                                              {*side.surface, side.voxel}, context)
                   : side.depth ? caster.translucent(camera, script.width, script.height,
                                                     {contrast, *side.depth}, context)
                                : caster.render(camera, script.width, script.height,
                                                caster.level_max(), context);
      if (!image) return image.error();
      return Plane{image->height, image->width, std::move(image->values)};
    };
    for (const MovieChannel& channel : side.channels) {
      auto plane = render(*channel.raycaster, channel.look.contrast);
      if (!plane) return plane.error();
      panel.layers.push_back({*std::move(plane), channel.look});
    }
    auto plane = side.channels.empty() ? render(*side.raycaster, side.contrast)
                                       : Result<Plane>(panel.layers.front().plane);
    if (!plane) return plane.error();
    panel.plane = *std::move(plane);
    panel.contrast = side.surface ? Contrast{0.0, 1.0, 1.0} : side.contrast;
    panel.colormap = side.colormap;
    panel.title = side.title;
    if (panels.empty()) {
      figure.row_step = figure.col_step = camera.height_world / script.height;
      figure.unit = side.voxel.unit;
      // With perspective there is no one scale.
      if (camera.perspective) figure.scale_bar = false;
    }
    panels.push_back(std::move(panel));
  }
  figure.panel_pixels = std::max(script.width, script.height);
  figure.color_bars = false;
  figure.background = {0, 0, 0, 255};
  figure.ink = {230, 230, 230, 255};
  return make_figure(panels, figure);
}

Status write_frames(const std::vector<MovieSide>& sides, const MovieOptions& options,
                    const Script& script, const fs::path& folder, const JobContext& context) {
  for (int i = 0; i < script.frames; ++i) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(i) / script.frames, "pictures");
    const auto picture = frame(sides, options, script, i, JobContext(context.stop_token()));
    if (!picture) return picture.error();
    Status written =
        write_png(picture->rgba, picture->width, picture->height, folder / frame_name(i + 1));
    if (!written) return written;
  }
  return {};
}

// ffmpeg reads a pattern there.
std::string doubled(const std::string& path) {
  std::string out;
  for (const char c : path) out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

Status encode(const fs::path& frames, const MovieOptions& options, const fs::path& output,
              const JobContext& context) {
  std::vector<std::string> command{"ffmpeg",     "-y",
                                   "-loglevel",  "error",
                                   "-framerate", std::to_string(options.per_second),
                                   "-i",         doubled(frames.string()) + "/frame_%04d.png",
                                   "-pix_fmt",   "yuv420p"};
  // Good quality in files of moderate size, playable everywhere.
  const std::vector<std::string> codec =
      ending_of(output) == ".mp4"
          ? std::vector<std::string>{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart"}
          : std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0"};
  command.insert(command.end(), codec.begin(), codec.end());
  context.report(0.0, "encoding");
  return write_atomically(output, [&](const fs::path& temporary) {
    command.push_back(temporary.string());
    return run_program(command, context);
  });
}

Status write_movie(const std::vector<MovieSide>& sides, const MovieOptions& options,
                   const Script& script, const fs::path& output, const JobContext& context) {
  if (Status ok = check_movie(output); !ok) return ok;
  if (sides.empty() || script.frames < 1 || script.frames > static_cast<int>(kMostFrames) ||
      options.pixels < 16 || options.pixels > 8192) {
    return Error{"a movie has 1 to 9999 pictures of 16 to 8192 pixels", "movie", ""};
  }
  if (is_movie_file(output)) {
    const auto file = resolve_target(output);
    if (!file) return file.error();
    const auto frames = PartsFolder::create(*file);
    if (!frames) return frames.error();
    Status done = write_frames(sides, options, script, frames->path(), context.part(0.0, 0.9));
    if (!done) return done;
    return encode(frames->path(), options, output, context.part(0.9, 1.0));
  }
  std::error_code code;
  fs::create_directory(output, code);
  if (!fs::is_directory(output, code)) {
    return Error{"cannot be made a folder", output.string(), "choose another place"};
  }
  return write_frames(sides, options, script, output, context);
}

}  // namespace

bool is_movie_file(const fs::path& output) {
  const std::string ending = ending_of(output);
  return ending == ".mp4" || ending == ".webm";
}

Status check_movie(const fs::path& output) {
  if (is_movie_file(output)) {
    if (find_program("ffmpeg")) return {};
    return Error{"needs the program ffmpeg, which is not installed", output.string(),
                 "install ffmpeg, or give a folder for single pictures (PNG)"};
  }
  std::error_code code;
  if (output.has_extension() && !fs::is_directory(output, code)) {
    return Error{"is neither a folder nor a .mp4 or .webm", output.string(), "give one of them"};
  }
  return {};
}

Status write_turn(const std::vector<MovieSide>& sides, const MovieOptions& options,
                  const fs::path& output, const JobContext& context) {
  const auto camera = [&options](const MovieSide& side, int number) {
    const double azimuth = options.azimuth + 360.0 * number / options.frames;
    RayCamera out = orbit_camera(side.size, side.voxel, azimuth, options.elevation, options.zoom);
    out.only = side.only;
    return out;
  };
  const Script script{options.frames, options.pixels, options.pixels, camera};
  return write_movie(sides, options, script, output, context);
}

Status write_flight(const MovieSide& side, const std::vector<RayCamera>& stops, int steps,
                    const MovieOptions& options, const fs::path& output,
                    const JobContext& context) {
  // More pictures than a movie has are not worked out.
  const std::size_t ways = stops.size() < 2 ? 1 : stops.size() - 1;
  if (steps < 1 || static_cast<std::size_t>(steps) > kMostFrames / ways) {
    return Error{"a movie has 1 to " + std::to_string(kMostFrames) + " pictures", "movie",
                 "give it less time, or fewer places"};
  }
  const auto cameras = camera_path(stops, steps, side.size, side.voxel);
  const auto camera = [&cameras](const MovieSide&, int number) {
    return cameras[static_cast<std::size_t>(number)];
  };
  // Codecs want even sides.
  const int height = std::max(2, options.pixels * 9 / 16 / 2 * 2);
  const Script script{static_cast<int>(cameras.size()), options.pixels, height, camera};
  return write_movie({side}, options, script, output, context);
}

}  // namespace aprscope
