#pragma once

#include <cstdint>

#include "core/projections/phantom.hpp"

namespace aprscope {

/// Images of 16² of an asymmetric molecule with CTF, shifts and noise: no value of the sums is like
/// another.
inline Projections noisy_set(std::int64_t images = 60) {
  MoleculeSettings molecule;
  molecule.atoms = 30;
  molecule.half_axes = {5, 4, 3};
  ProjectionSetSettings drawn;
  drawn.images = images;
  drawn.side = 16;
  drawn.shift = 1.0;
  drawn.least_defocus = 8000;
  drawn.most_defocus = 16000;
  return phantom_projections(random_molecule(molecule), random_projection_table(drawn), 0.5);
}

}  // namespace aprscope
