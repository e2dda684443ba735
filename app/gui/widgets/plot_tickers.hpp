#pragma once

#include <QSharedPointer>
#include <QString>

class QCPAxisTicker;

namespace aprscope::gui {

/// Powers of ten on a logarithmic axis; where hardly one is in sight, multiples of them that have
/// room.
QSharedPointer<QCPAxisTicker> decades_ticker();

/// Decades of 1 + |y|, with its sign: where values on both sides of 0 share an axis.
double both_sides(double y);
/// ±10ᵏ and 0 on such an axis.
QSharedPointer<QCPAxisTicker> two_sided_ticker();

/// A frequency, and below it the length that it is one over, in this unit.
QSharedPointer<QCPAxisTicker> reciprocals_ticker(const QString& unit);

}  // namespace aprscope::gui
