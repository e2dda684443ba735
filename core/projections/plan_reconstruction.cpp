#include "core/projections/plan_reconstruction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "core/image/line_transforms.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/plan_rows.hpp"

namespace aprscope {

namespace {

std::string text_of(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

Error bad_setting(std::string what, std::string advice) {
  return Error{std::move(what), "reconstruction", std::move(advice)};
}

Status check(const ProjectionTable& table, const BackprojectSettings& settings) {
  if (table.side < 2 || table.optics.empty()) {
    return Error{"the table has no images of a known side", table.path.string(),
                 "open a table whose stacks are there"};
  }
  if (table.side < 8) {
    return Error{"images of " + std::to_string(table.side) + " pixels are too small",
                 table.path.string(), "use images of 8 pixels or more"};
  }
  if (!(settings.radius >= 0.5 && settings.radius <= 4.0)) {
    return bad_setting("the kernel's radius is not in 0.5 … 4", "1.5 is the usual one");
  }
  if (!(settings.alpha >= 0.0 && settings.alpha <= 50.0)) {
    return bad_setting("the kernel's alpha is not in 0 … 50", "10 is the usual one");
  }
  if (settings.order < 0 || settings.order > kMostBlobOrder) {
    return bad_setting("the kernel's order is not in 0 … " + std::to_string(kMostBlobOrder),
                       "0 is the usual one");
  }
  if (!(settings.padding >= 1.0 && settings.padding <= 4.0)) {
    return bad_setting("the padding is not in 1 … 4", "2 is the usual one");
  }
  if (settings.solve == Solve::least_squares && settings.padding < 2.0) {
    return bad_setting("least squares need a padding of 2", "set it, or solve by division");
  }
  if (settings.iterations < 1 || settings.iterations > 1000) {
    return bad_setting("the iterations are not in 1 … 1000", "5 are the usual number");
  }
  if (!(settings.tau >= 0.0 && settings.tau <= kMostTau)) {
    return bad_setting("tau is not in 0 … " + text_of(kMostTau), "0.001 is the usual one");
  }
  if (!(settings.max_resolution >= 0.0) || !(settings.mask_diameter >= 0.0)) {
    return bad_setting("a length is negative or not a number", "0 stands for none");
  }
  if (settings.noise_images < 0) {
    return bad_setting("the images that noise is measured in are fewer than none",
                       "0 stands for all");
  }
  if (settings.images < 0) return bad_setting("the images are fewer than none", "0 stands for all");
  return {};
}

// The map is divided by the kernel's window, whose lobes are 0 in places.
Status check_window(const BackprojectSettings& settings, const InsertionPlan& plan) {
  constexpr double kLeast = 1e-3;
  constexpr int kSteps = 64;
  const std::int64_t half = plan.side / 2;
  const double corner = std::sqrt(3.0) * static_cast<double>(half);
  for (int i = 1; i <= kSteps; ++i) {
    const double u = corner * i / kSteps / static_cast<double>(plan.padded);
    if (plan.blob.window(u) > kLeast) continue;
    return bad_setting("a kernel of radius " + text_of(settings.radius) + " and alpha " +
                           text_of(settings.alpha) + " loses the map's corners",
                       "use a smaller radius, a larger alpha or more padding");
  }
  return {};
}

}  // namespace

Result<ReconstructionPlan> plan_reconstruction(const ProjectionTable& table,
                                               const BackprojectSettings& settings) {
  if (Status ok = check(table, settings); !ok) return ok.error();
  ReconstructionPlan plan;
  auto group = symmetry_group(settings.symmetry);
  if (!group) return group.error();
  plan.symmetry = std::move(*group);
  InsertionPlan& insertion = plan.insertion;
  if (Status ok = choose_rows(table, plan); !ok) return ok.error();
  auto ctf = ctf_use(table, plan.rows, settings.ctf, plan.notes);
  if (!ctf) return ctf.error();
  insertion.ctf = *ctf;
  if (settings.noise != NoiseUse::white && (*ctf == CtfUse::none || *ctf == CtfUse::xmipp)) {
    return Error{"weights that follow the noise go with a CTF, and " +
                     std::string(*ctf == CtfUse::none ? "none is corrected" : "Xmipp's have none"),
                 table.path.string(), "take the noise as white, or another use of the CTF"};
  }
  choose_halves(table, settings.halves, plan);
  keep_first(settings.images, plan);

  insertion.side = table.side;
  insertion.padded = LineTransforms::good_length(
      static_cast<std::int64_t>(std::ceil(settings.padding * static_cast<double>(table.side))));
  insertion.pixel_size = table.pixel_size;
  if (!std::isfinite(table.pixel_size) || table.pixel_size <= 0.0) {
    insertion.pixel_size = 1.0;
    plan.notes.emplace_back("the table has no pixel size: 1 Å is assumed");
  }
  if (Status ok = check_rows(table, plan); !ok) return ok.error();
  const double rho = settings.max_resolution > 0.0
                         ? std::min(insertion.pixel_size / settings.max_resolution, 0.5)
                         : 0.5;
  // One more frequency: cropping the map mixes each frequency with its neighbours.
  const std::int64_t reach =
      1 + static_cast<std::int64_t>(std::ceil(rho * static_cast<double>(insertion.padded) - 1e-9));
  if (reach < 3) {
    return bad_setting("a resolution of " + std::to_string(settings.max_resolution) +
                           " Å leaves nothing of the images",
                       "ask for a finer one");
  }
  insertion.optics = group_optics(table, insertion.ctf);
  double scale = 0.0;
  for (const std::int64_t i : plan.rows) {
    const Projection& row = table.rows[static_cast<std::size_t>(i)];
    const double stretched =
        insertion.optics.empty() ? 1.0 : insertion.optics[row.optics].magnification.largest;
    scale = std::max(
        scale, stretched * pixel_size_of(table, table.optics[row.optics]) / insertion.pixel_size);
  }
  insertion.largest_scale = scale;
  insertion.image_reach = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::ceil(static_cast<double>(reach) * scale - 1e-6)), 2,
      insertion.padded / 2 + 1);
  insertion.tiles = FrequencyTiles(reach, FrequencyTiles::good_side(insertion.padded));
  insertion.kernel = settings.kernel;
  insertion.blob = {settings.radius, settings.alpha, settings.order};
  insertion.slab = slab_kernel(insertion.blob);
  if (Status ok = check_window(settings, insertion); !ok) return ok.error();
  return plan;
}

}  // namespace aprscope
