#include "tests/support/projection_set.hpp"

#include <cmath>
#include <fstream>
#include <span>

#include "core/projections/phantom.hpp"
#include "tests/support/em_maker.hpp"

namespace aprscope::test {

std::vector<float> write_projection_set(const std::filesystem::path& folder,
                                        const ProjectionSetFiles& settings) {
  const double scale = static_cast<double>(settings.side) / 64.0;
  MoleculeSettings molecule;
  molecule.atoms = 60;
  molecule.half_axes = {20 * scale, 15 * scale, 11 * scale};
  molecule.step = 3.6 * scale;
  molecule.sigma = 1.3;
  const std::vector<Atom> atoms = random_molecule(molecule);
  ProjectionSetSettings drawn;
  drawn.images = settings.images;
  drawn.side = settings.side;
  drawn.pixel_size = settings.pixel_size;
  drawn.shift = 1.0;
  if (settings.defocus) {
    drawn.least_defocus = 9000;
    drawn.most_defocus = 21000;
  }
  const ProjectionTable table = random_projection_table(drawn);
  const Projections set = phantom_projections(atoms, table, settings.noise, 7);
  std::vector<float> pixels(
      static_cast<std::size_t>(settings.images * settings.side * settings.side));
  const Status read = set.images->read(table.rows, pixels, {});
  if (!read) return {};
  const auto n = static_cast<std::int32_t>(settings.side);
  EmMaker::mrc({n, n, static_cast<std::int32_t>(settings.images)}, 2,
               static_cast<float>(settings.pixel_size))
      .integer(23, 0)
      .append(pixels)
      .write(folder / "molecule.mrcs");
  std::ofstream star(folder / "molecule.star");
  star << "data_optics\n\nloop_\n_rlnOpticsGroup #1\n_rlnVoltage #2\n_rlnSphericalAberration #3\n"
          "_rlnAmplitudeContrast #4\n_rlnImagePixelSize #5\n_rlnImageSize #6\n1 300 2.7 0.1 "
       << settings.pixel_size << " " << settings.side
       << "\n\ndata_particles\n\nloop_\n_rlnImageName #1\n_rlnAngleRot #2\n_rlnAngleTilt #3\n"
          "_rlnAnglePsi #4\n_rlnOriginXAngst #5\n_rlnOriginYAngst #6\n_rlnRandomSubset #7\n"
          "_rlnOpticsGroup #8\n";
  if (settings.defocus) star << "_rlnDefocusU #9\n_rlnDefocusV #10\n_rlnDefocusAngle #11\n";
  star.precision(10);
  for (std::size_t at = 0; at < table.rows.size() * static_cast<std::size_t>(settings.times);
       ++at) {
    const std::size_t i = at % table.rows.size();
    const Projection& row = table.rows[i];
    star << i + 1 << "@molecule.mrcs " << row.rot << ' ' << row.tilt << ' ' << row.psi << ' '
         << row.shift_x * settings.pixel_size << ' ' << row.shift_y * settings.pixel_size << ' '
         << row.half << " 1";
    if (settings.defocus) {
      star << ' ' << row.defocus_u << ' ' << row.defocus_v << ' ' << row.defocus_angle;
    }
    star << '\n';
  }
  return phantom_map(atoms, settings.side);
}

}  // namespace aprscope::test
