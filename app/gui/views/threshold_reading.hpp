#pragma once

#include <QString>

#include "core/data/measurement.hpp"
#include "core/image/level_set.hpp"

namespace aprscope::gui {

/// What a measurement says of a threshold: that, and what `curve` (one of its own) and the others
/// over the same values are there, with names and units.
QString reading_at(const Measurement& measurement, const Curve& curve, const LevelSet& set);

}  // namespace aprscope::gui
