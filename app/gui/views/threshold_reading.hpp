#pragma once

#include <QString>

#include "core/data/measurement.hpp"
#include "core/image/level_set.hpp"

namespace aprscope::gui {

/// "≈ 462 kDa of protein": the mass of `volume` Å³ of it, in kDa or MDa, at .81 Da/Å³, which is
/// 1.35 g/cm³ (Fischer, Polikarpov & Craievich 2004, Protein Sci. 13:2825).
QString protein_mass(double volume);

/// What a measurement says of a threshold: that, and what `curve` (one of its own) and the others
/// over the same values are there, with names and units; of a volume in Å³ also what protein of it
/// weighs.
QString reading_at(const Measurement& measurement, const Curve& curve, const LevelSet& set);

}  // namespace aprscope::gui
