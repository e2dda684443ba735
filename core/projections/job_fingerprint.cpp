#include "core/projections/job_fingerprint.hpp"

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/fingerprint.hpp"

namespace aprscope {
namespace {

// Fields are named all at once: a new one does not compile before somebody thought of it here.

void add_settings(const BackprojectSettings& settings, Fingerprint& out) {
  const auto& [symmetry, kernel, radius, alpha, order, padding, ctf, noise, noise_images, solve,
               iterations, tau, max_resolution, halves, mask_diameter, images, invert,
               skip_unsound] = settings;
  out.add(std::string_view(symmetry));
  out.add_all(kernel, radius, alpha, order, padding, ctf, noise, noise_images, solve, iterations,
              tau, max_resolution, halves, mask_diameter, images, invert, skip_unsound);
}

// The name is left out: it appears in sentences only.
void add_group(const OpticsGroup& group, Fingerprint& out) {
  [[maybe_unused]] const auto& [name, voltage_kv, spherical_aberration_mm, amplitude_contrast,
                                pixel_size, premultiplied, phase_flipped, beam_tilt_x, beam_tilt_y,
                                odd_zernike, even_zernike, magnification] = group;
  out.add_all(voltage_kv, spherical_aberration_mm, amplitude_contrast, pixel_size, premultiplied,
              phase_flipped, beam_tilt_x, beam_tilt_y, odd_zernike.size(), even_zernike.size());
  for (const double value : odd_zernike) out.add(value);
  for (const double value : even_zernike) out.add(value);
  for (const double value : magnification) out.add(value);
}

// The line in the file is left out: it appears in sentences only.
void add_row(const Projection& row, Fingerprint& out) {
  [[maybe_unused]] const auto& [stack, image, rot, tilt, psi, shift_x, shift_y, mirrored, weight,
                                half, optics, defocus_u, defocus_v, defocus_angle, phase_shift,
                                ctf_scale, ctf_b_factor, enabled, line] = row;
  out.add_all(stack, image, rot, tilt, psi, shift_x, shift_y, mirrored, weight, half, optics,
              defocus_u, defocus_v, defocus_angle, phase_shift, ctf_scale, ctf_b_factor);
}

std::string seen_from(const ProjectionTable& table, const std::filesystem::path& stack) {
  const auto way = stack.lexically_relative(table.path.parent_path());
  // The relative path is empty if one of both paths is absolute and the other is not.
  return (way.empty() ? stack.filename() : way).generic_string();
}

}  // namespace

std::uint64_t job_fingerprint(const ProjectionTable& table, const BackprojectSettings& settings,
                              const ReconstructionPlan& plan) {
  Fingerprint out;
  add_settings(settings, out);
  out.add_all(table.side, table.pixel_size, table.optics.size(), table.stacks.size(),
              plan.rows.size(), plan.insertion.halves, plan.insertion.ctf,
              plan.insertion.pixel_size, plan.left_out);
  for (const OpticsGroup& group : table.optics) add_group(group, out);
  for (const auto& stack : table.stacks) out.add(std::string_view(seen_from(table, stack)));
  for (const std::int64_t row : plan.rows) add_row(table.rows[static_cast<std::size_t>(row)], out);
  for (const std::int32_t half : plan.halves) out.add(half);
  return out.value();
}

}  // namespace aprscope
