#include "core/io/projections/projection_columns.hpp"

namespace aprscope {

Result<ProjectionRows> read_xmipp(const StarFile& file, const JobContext& context) {
  ProjectionRows out;
  ProjectionTable& result = out.table;
  result.format = "Xmipp XMD";
  const auto chosen = table_of_images(file, "image", "noname", result);
  if (!chosen) return chosen.error();
  const StarTable& table = **chosen;
  warn_of_unused(file, table, result);
  const auto image = find_column(table, {"image"});
  const auto rot = find_column(table, {"angleRot"});
  const auto tilt = find_column(table, {"angleTilt"});
  const auto psi = find_column(table, {"anglePsi"});
  const auto x = find_column(table, {"shiftX"});
  const auto y = find_column(table, {"shiftY"});
  const auto flip = find_column(table, {"flip"});
  const auto weight = find_column(table, {"weight"});
  const auto enabled = find_column(table, {"enabled"});
  const auto half = find_column(table, {"subset"});
  const auto defocus_u = find_column(table, {"ctfDefocusU", "CTF_Defocus_U"});
  const auto defocus_v = find_column(table, {"ctfDefocusV", "CTF_Defocus_V"});
  const auto defocus_angle = find_column(table, {"ctfDefocusAngle", "CTF_Defocus_angle"});
  const auto phase = find_column(table, {"ctfPhaseShift"});
  const auto voltage = find_column(table, {"ctfVoltage"});
  const auto aberration = find_column(table, {"ctfSphericalAberration"});
  const auto contrast = find_column(table, {"ctfQ0"});
  const auto pixel = find_column(table, {"samplingRate", "ctfSamplingRate"});
  result.has_angles = rot.there() || tilt.there() || psi.there();
  for (const StarColumn* column : {&rot, &tilt, &psi, &x, &y}) {
    warn_of_missing(*column, "it is taken as 0", result);
  }
  warn_of_missing(defocus_u, "the CTF is not known", result);

  StackNames names(result);
  OpticsOfRows own_optics(result);
  const Status read =
      read_rows(file, table, result, context, [&](StarRowReader& in, Projection& row) {
        names.put(in.text(image), in, row);
        row.rot = in.number(rot, 0.0);
        row.tilt = in.number(tilt, 0.0);
        row.psi = in.number(psi, 0.0);
        row.shift_x = in.number(x, 0.0);
        row.shift_y = in.number(y, 0.0);
        row.mirrored = in.number(flip, 0.0) != 0.0;
        row.weight = in.number(weight, 1.0);
        if (row.weight < 0.0) in.complain("its weight is negative");
        row.enabled = in.number(enabled, 1.0) > 0.0;
        row.half = half_of(in, half);
        row.defocus_u = in.number(defocus_u, kUnknown);
        row.defocus_v = defocus_v.there() ? in.number(defocus_v, kUnknown) : row.defocus_u;
        row.defocus_angle = in.number(defocus_angle, 0.0);
        row.phase_shift = in.number(phase, 0.0);
        double size = in.number(pixel, kUnknown);
        if (!(size > 0.0)) size = kUnknown;
        row.optics = own_optics.group(in.number(voltage, kUnknown), in.number(aberration, kUnknown),
                                      in.number(contrast, kUnknown), size);
      });
  if (!read) return read.error();
  return out;
}

}  // namespace aprscope
