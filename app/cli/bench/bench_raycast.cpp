#include "app/cli/bench/bench.hpp"
#include "core/apr/raycast/raycast.hpp"
#include "core/image/histogram.hpp"

namespace aprscope::cli {
namespace {

constexpr int kSide = 512;
// Side of the picture while the camera moves: a quarter of the rays in each direction.
constexpr int kMovingSide = 128;

}  // namespace

Status bench_raycast(const BenchCase& item, BenchTable& table, Session& session) {
  const auto apr = apr_of(item, session);
  if (!apr) return apr.error();
  const Dataset& data = **apr;
  const AprAccess& access = *data.apr().access;
  Row row{item.name,
          "mip_build",
          "-",
          "-",
          access.count(),
          static_cast<std::uint64_t>(data.size().count()),
          data.apr().bytes(),
          0,
          0.0};

  std::shared_ptr<const MipRaycaster> raycaster;
  const auto build = table.measure([&]() -> Status {
    auto made = MipRaycaster::build(data.apr().access, data.values().particles(), data.voxel(),
                                    session.context());
    if (!made) return made.error();
    raycaster = *std::move(made);
    return {};
  });
  if (!build) return build.error();
  row.bytes = raycaster->bytes();
  table.add(row, *build);

  // Each run turns the camera on, so that no frame is like the one before.
  double angle = 0.0;
  const auto frames = table.measure([&]() -> Status {
    angle += 17.0;
    const RayCamera camera = orbit_camera(data.size(), data.voxel(), angle, 0.5 * angle, 1.0);
    const auto image =
        raycaster->render(camera, kSide, kSide, raycaster->level_max(), session.context());
    return image ? Status() : image.error();
  });
  if (!frames) return frames.error();
  row.op = "mip_frame_512";
  table.add(row, *frames);

  // The coarser picture that a view of this size shows while it is turned.
  const auto moving = table.measure([&]() -> Status {
    angle += 17.0;
    const RayCamera camera = orbit_camera(data.size(), data.voxel(), angle, 0.5 * angle, 1.0);
    const int level =
        level_of_rays(camera, data.size(), data.voxel(), kMovingSide, raycaster->level_max());
    const auto image =
        raycaster->render(camera, kMovingSide, kMovingSide, level, session.context());
    return image ? Status() : image.error();
  });
  if (!moving) return moving.error();
  row.op = "mip_frame_moving_128";
  table.add(row, *moving);

  const Translucency matter{automatic_contrast(histogram(data.values().particles())),
                            kUsualDepth * mean_side(data.size(), data.voxel())};
  for (const auto& [name, pixels] :
       {std::pair{"translucent_frame_512", kSide}, {"translucent_frame_moving_128", kMovingSide}}) {
    // Not every compiler can capture a structured binding.
    const int side = pixels;
    const auto shone = table.measure([&]() -> Status {
      angle += 17.0;
      const RayCamera camera = orbit_camera(data.size(), data.voxel(), angle, 0.5 * angle, 1.0);
      const auto image = raycaster->translucent(camera, side, side, matter, session.context());
      return image ? Status() : image.error();
    });
    if (!shone) return shone.error();
    row.op = name;
    table.add(row, *shone);
  }

  row.bytes = data.apr().bytes();
  const std::pair<const char*, Axis> axes[] = {
      {"slice_z", Axis::z}, {"slice_x", Axis::x}, {"slice_y", Axis::y}};
  const std::pair<const char*, ReconstructionMode> modes[] = {
      {"constant", ReconstructionMode::constant}, {"smooth", ReconstructionMode::smooth}};
  for (const auto& [name, plane_axis] : axes) {
    for (const auto& [mode_name, slice_mode] : modes) {
      // Not every compiler can capture a structured binding.
      const Axis axis = plane_axis;
      const ReconstructionMode mode = slice_mode;
      const std::int64_t count = plane_count(data.size(), axis);
      std::int64_t index = count / 2;
      std::int64_t pixels = 0;
      const auto times = table.measure([&]() -> Status {
        const Plane plane =
            slice_particles(access, data.values().particles(), mode, axis, index++ % count);
        pixels = plane.rows * plane.cols;
        return {};
      });
      if (!times) return times.error();
      row.op = name;
      row.mode = mode_name;
      row.particles = 0;
      row.pixels = static_cast<std::uint64_t>(pixels);
      table.add(row, *times);
    }
  }
  return {};
}

}  // namespace aprscope::cli
