#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/projections/orientation.hpp"

namespace aprscope {

/// Properties of microscope and camera that images of one group share. NaN: the file does not say.
struct OpticsGroup {
  /// Name of the group in the file.
  std::string name;
  double voltage_kv = std::numeric_limits<double>::quiet_NaN();
  double spherical_aberration_mm = std::numeric_limits<double>::quiet_NaN();
  /// Share of amplitude contrast, 0 … 1.
  double amplitude_contrast = std::numeric_limits<double>::quiet_NaN();
  /// Å a pixel.
  double pixel_size = std::numeric_limits<double>::quiet_NaN();
  /// Images are multiplied with their CTF already.
  bool premultiplied = false;
  /// Images have their phases flipped already where the CTF is negative.
  bool phase_flipped = false;
  /// Beam tilt in milliradians along the image's axes, see plane_optics_of(). NaN: the file has a
  /// value that is no number.
  double beam_tilt_x = 0.0;
  double beam_tilt_y = 0.0;
  /// Coefficients in radians, for frequencies in 1/Å: see plane_optics_of(). Empty: none.
  std::vector<double> odd_zernike;
  std::vector<double> even_zernike;
  /// The magnification matrix M by rows: see Magnification.
  std::array<double, 4> magnification{1.0, 0.0, 0.0, 1.0};
};

/// One image of a stack and its parameters: the orientation of its molecule, and the optics of the
/// microscope.
struct Projection {
  /// Index in ProjectionTable::stacks, and number of the image in that stack, from 0.
  std::uint32_t stack = 0;
  std::int64_t image = 0;
  /// Euler angles in degrees, see from_euler().
  double rot = 0.0;
  double tilt = 0.0;
  double psi = 0.0;
  /// Pixels by which the image has to be moved so that its centre is the map's.
  double shift_x = 0.0;
  double shift_y = 0.0;
  /// The image has to be mirrored (x → −x about the centre column), and only then moved by the
  /// shift, to be the projection along the angles: Xmipp's flip. The CTF is that of the image as
  /// it lies in the stack.
  bool mirrored = false;
  double weight = 1.0;
  /// Half that the image belongs to, 1 or 2; 0: the file does not say.
  int half = 0;
  /// Index in ProjectionTable::optics.
  std::uint32_t optics = 0;
  /// Defocus in Å along the two axes of astigmatism (positive: underfocus), angle of the first from
  /// x in degrees. NaN: the file does not say.
  double defocus_u = std::numeric_limits<double>::quiet_NaN();
  double defocus_v = std::numeric_limits<double>::quiet_NaN();
  double defocus_angle = 0.0;
  /// Phase shift in degrees.
  double phase_shift = 0.0;
  double ctf_scale = 1.0;
  /// B-factor in Å².
  double ctf_b_factor = 0.0;
  /// Rows that are not enabled are skipped.
  bool enabled = true;
  /// Its line in the file, from 1, for sentences.
  std::int64_t line = 0;
};

/// The rotation A that the image as it lies in the stack is a projection of: A(rot, tilt, psi), of
/// a mirrored one A(rot, tilt + 180°, −psi) = diag(−1, 1, −1) A(rot, tilt, psi). Use it with pixels
/// as they are in the stack, moved by (centring_shift_x(), shift_y).
Rotation orientation_of(const Projection& projection);

/// Pixels along x by which the image as it lies in the stack has to be moved: −shift_x of a
/// mirrored one, whose shift is that of the mirror image.
double centring_shift_x(const Projection& projection);

/// What is wrong with a row: one of its numbers, or its image, which its stack does not have.
enum class RowTrouble { number, image };

/// A row that nothing can be made of as it is: an angle is not a number, its image is not there.
struct UnusableRow {
  /// Index in ProjectionTable::rows.
  std::int64_t row = 0;
  /// "its rlnAngleRot is not a number (line 40)": goes on after "image 12 ".
  std::string why;
  RowTrouble trouble = RowTrouble::number;
};

/// A stack that cannot be read at all; its rows are not in the list of unusable rows.
struct StackProblem {
  /// Index in ProjectionTable::stacks.
  std::uint32_t stack = 0;
  /// The problem in words, such as "is not there".
  std::string why;
};

/// A table of projections, as a STAR or XMD file has it. Images are square and of one side.
struct ProjectionTable {
  std::filesystem::path path;
  /// "RELION 3.1 STAR", "Xmipp XMD".
  std::string format;
  /// Side of the images in pixels; 0: neither the table nor a stack says.
  std::int64_t side = 0;
  /// Pixel size in Å of the first group that has one; NaN: none has.
  double pixel_size = std::numeric_limits<double>::quiet_NaN();
  /// The file has its shifts in Å: with another pixel size they are other numbers of pixels.
  bool shifts_in_angstrom = false;
  /// Whether the file has orientations at all: one of the angles at least.
  bool has_angles = true;
  std::vector<std::filesystem::path> stacks;
  /// Optics groups, at least one.
  std::vector<OpticsGroup> optics;
  std::vector<Projection> rows;
  /// What users must know: columns that change the physics and are not used, images that occur
  /// twice, … Sentences without full stop.
  std::vector<std::string> warnings;
  /// In ascending order of rows and of stacks. Unusable rows stay in the table, enabled, until
  /// leave_out_unusable() is called: images left out silently could spoil a map unnoticed.
  std::vector<UnusableRow> unusable;
  std::vector<StackProblem> stack_problems;

  /// Whether every enabled row that can be used has a defocus, and a group with voltage,
  /// aberration, amplitude contrast and pixel size; and there is one.
  [[nodiscard]] bool has_ctf() const;
  /// Whether every enabled row is of half 1 or 2.
  [[nodiscard]] bool has_halves() const;
};

/// Disables the rows that are unusable and those of stacks with a problem. Returns how many were
/// enabled before.
std::int64_t leave_out_unusable(ProjectionTable& table);

/// Takes another pixel size (Å) for the table's: groups keep their ratio to it, and get it where
/// they have none. Shifts that are lengths in the file stay those.
void set_pixel_size(ProjectionTable& table, double size);

}  // namespace aprscope
