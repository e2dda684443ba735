#include "core/projections/reconstruction_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>

#include "core/image/line_transforms.hpp"
#include "core/projections/aberrations.hpp"
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

double pixel_size_of(const ProjectionTable& table, const OpticsGroup& group) {
  return std::isfinite(group.pixel_size) && group.pixel_size > 0.0   ? group.pixel_size
         : std::isfinite(table.pixel_size) && table.pixel_size > 0.0 ? table.pixel_size
                                                                     : 1.0;
}

std::string place_of(const ProjectionTable& table, const Projection& row) {
  return table.path.filename().string() + ", line " + std::to_string(row.line);
}

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

std::vector<GroupOptics> group_optics(const ProjectionTable& table, CtfUse ctf) {
  std::vector<GroupOptics> all;
  bool any = false;
  for (const OpticsGroup& group : table.optics) {
    GroupOptics& optics = all.emplace_back();
    // Groups that no row belongs to may lack values.
    if (!magnification_trouble(group).empty()) continue;
    optics.magnification = magnification_of(group);
    any = any || optics.magnification.any;
    if (ctf == CtfUse::none || !aberration_trouble(group).empty()) continue;
    optics.aberrated = has_aberrations(group) || optics.magnification.any;
    if (optics.aberrated) optics.plane = plane_optics_of(group);
    any = any || optics.aberrated;
  }
  if (!any) all.clear();
  return all;
}

ImageTerms image_terms(const ProjectionTable& table, const Projection& row,
                       const InsertionPlan& plan, bool invert) {
  const OpticsGroup& group = table.optics[row.optics];
  ImageTerms terms;
  terms.sign = invert ? -1.0F : 1.0F;
  terms.shift_x = static_cast<float>(centring_shift_x(row));
  terms.shift_y = static_cast<float>(row.shift_y);
  terms.weight = static_cast<float>(row.weight);
  terms.pixel_size = pixel_size_of(table, group);
  terms.scale = static_cast<float>(terms.pixel_size / plan.pixel_size);
  if (plan.ctf != CtfUse::none) terms.ctf = ctf_of(row, group);
  if (!plan.optics.empty()) terms.optics = static_cast<std::int32_t>(row.optics);
  return terms;
}

Rotation magnified(Rotation rotation, const Magnification& magnification) {
  if (!magnification.any) return rotation;
  const auto& m = magnification.to_image;
  for (std::size_t j = 0; j < 3; ++j) {
    const double x = rotation.rows[0][j];
    const double y = rotation.rows[1][j];
    rotation.rows[0][j] = m[0] * x + m[1] * y;
    rotation.rows[1][j] = m[2] * x + m[3] * y;
  }
  return rotation;
}

void add_samples(const ReconstructionPlan& plan, const Projection& row, const ImageTerms& terms,
                 std::int32_t image, std::int32_t half, std::vector<InsertionSample>& samples) {
  const Rotation orientation = orientation_of(row);
  const auto most = static_cast<float>(plan.insertion.image_reach + 1);
  Magnification magnification;
  if (terms.optics >= 0) {
    magnification = plan.insertion.optics[static_cast<std::size_t>(terms.optics)].magnification;
  }
  for (const Rotation& coset : plan.symmetry.cosets) {
    const Rotation rotation = magnified(orientation * coset, magnification);
    InsertionSample sample;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const auto entry = static_cast<float>(rotation.rows[i][j]);
        sample.rows[3 * i + j] = i < 2 ? terms.scale * entry : entry;
      }
    }
    sample.radius = std::min(terms.scale * static_cast<float>(magnification.largest) *
                                 static_cast<float>(plan.insertion.tiles.reach() + 1),
                             most);
    sample.image = image;
    sample.half = half;
    samples.push_back(sample);
  }
}

void count_directions(const SymmetryGroup& symmetry, const Projection& row,
                      DirectionHistogram& histogram) {
  const Rotation orientation = orientation_of(row);
  histogram.counts.resize(static_cast<std::size_t>(histogram.rows * histogram.columns));
  for (const Rotation& copy : symmetry.rotations) {
    const Vector3 v = (orientation * copy).rows[2];
    const double band = 0.5 * (1.0 - v[2]) * histogram.rows;
    const double turn =
        (std::atan2(v[1], v[0]) / (2.0 * std::numbers::pi) + 0.5) * histogram.columns;
    const int i = std::clamp(static_cast<int>(band), 0, histogram.rows - 1);
    const int j = std::clamp(static_cast<int>(turn), 0, histogram.columns - 1);
    histogram.counts[static_cast<std::size_t>(i * histogram.columns + j)] += 1.0;
  }
}

}  // namespace aprscope
