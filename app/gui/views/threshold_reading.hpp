#pragma once

#include <QString>

#include "core/data/measurement.hpp"
#include "core/image/level_set.hpp"

namespace aprscope::gui {

/// The mass of `volume` Å³ of protein in kDa or MDa, such as "≈ 462 kDa of protein", at 0.81 Da/Å³,
/// i.e. 1.35 g/cm³ (Fischer, Polikarpov & Craievich 2004, Protein Sci. 13:2825).
QString protein_mass(double volume);

/// The threshold, and the values there of `curve` (a curve of the measurement) and of all others
/// over the same x values, with names and units; for a volume in Å³ also the mass of as much
/// protein.
QString reading_at(const Measurement& measurement, const Curve& curve, const LevelSet& set);

}  // namespace aprscope::gui
