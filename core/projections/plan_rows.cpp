#include "core/projections/plan_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "core/projections/aberrations.hpp"
#include "core/projections/inserted_row.hpp"

namespace aprscope {

namespace {

bool has_defocus(const Projection& row) {
  return !std::isnan(row.defocus_u) && !std::isnan(row.defocus_v);
}

// Why the optics are implausible for a microscope; empty: they are plausible.
std::string implausible(const OpticsGroup& group) {
  if (std::abs(group.amplitude_contrast) > 1.0) return "an amplitude contrast beyond 1";
  if (group.voltage_kv <= 0.0 || group.voltage_kv > 1e5) return "a voltage not in 0 … 100 000 kV";
  if (group.pixel_size < 1e-3 || group.pixel_size > 1e4) {
    return "a pixel size not in 0.001 … 10 000 Å";
  }
  if (std::abs(group.spherical_aberration_mm) > 1e4) return "an aberration of more than 10 m";
  return {};
}

// Whether a value is finite as the float that inserters use: 1e300 is not.
bool is_finite_float(double value) {
  return std::isfinite(value) && std::isfinite(static_cast<float>(value));
}

// Why a row cannot be used; empty: it can be.
std::string trouble(const Projection& row, CtfUse ctf) {
  constexpr double kMost = 1e9;  // of Å and degrees; nobody's microscope gets near
  for (const double value : {row.rot, row.tilt, row.psi}) {
    if (!std::isfinite(value)) return "an angle is not a number";
  }
  if (!std::isfinite(row.shift_x) || !std::isfinite(row.shift_y)) return "a shift is not a number";
  if (std::abs(row.shift_x) > kMost || std::abs(row.shift_y) > kMost) {
    return "a shift is far too large";
  }
  if (!std::isfinite(row.weight) || row.weight < 0.0) return "the weight is negative or no number";
  if (!is_finite_float(row.weight)) return "the weight is far too large";
  if (ctf == CtfUse::none) return {};
  for (const double value : {row.defocus_u, row.defocus_v, row.defocus_angle, row.phase_shift,
                             row.ctf_scale, row.ctf_b_factor}) {
    if (!std::isfinite(value)) return "its defocus or another number of its CTF is missing";
    if (std::abs(value) > kMost) return "its defocus or another number of its CTF is far too large";
  }
  return {};
}

void note_left_alone(const ProjectionTable& table, const std::vector<bool>& is_used,
                     std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < table.optics.size(); ++i) {
    if (!is_used[i] || !has_aberrations(table.optics[i])) continue;
    notes.emplace_back("no CTF is corrected, and so are no beam tilt and no other aberration");
    return;
  }
}

// An image in both halves makes them agree where they should not.
void warn_of_shared_images(const ProjectionTable& table, ReconstructionPlan& plan) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::int32_t> seen;
  std::int64_t shared = 0;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const Projection& row = table.rows[static_cast<std::size_t>(plan.rows[i])];
    const auto [at, is_new] = seen.try_emplace({row.stack, row.image}, plan.halves[i]);
    if (!is_new && at->second != plan.halves[i]) ++shared;
  }
  if (shared == 0) return;
  plan.notes.push_back(std::to_string(shared) +
                       " images are in both halves: their correlation is too good");
}

// The half of which the smaller share was taken comes next, so that at any time both have theirs.
void take_turns(ReconstructionPlan& plan) {
  std::array<std::vector<std::int64_t>, 2> of;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    of[static_cast<std::size_t>(plan.halves[i])].push_back(plan.rows[i]);
  }
  std::array<std::size_t, 2> taken{0, 0};
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const std::size_t half = taken[1] * of[0].size() < taken[0] * of[1].size() ? 1 : 0;
    plan.rows[i] = of[half][taken[half]++];
    plan.halves[i] = static_cast<std::int32_t>(half);
  }
}

}  // namespace

Status choose_rows(const ProjectionTable& table, ReconstructionPlan& plan) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Projection& row = table.rows[i];
    if (!row.enabled) {
      ++plan.left_out;
      continue;
    }
    if (row.optics >= table.optics.size()) {
      return Error{place_of(table, row) + ": its optics group is not in the table",
                   table.path.string(), "leave the row out or mend the table"};
    }
    plan.rows.push_back(static_cast<std::int64_t>(i));
  }
  if (plan.rows.empty()) {
    return Error{"no image is left", table.path.string(), "leave fewer rows out"};
  }
  return {};
}

Result<CtfUse> ctf_use(const ProjectionTable& table, std::span<const std::int64_t> rows,
                       CtfUse wanted, std::vector<std::string>& notes) {
  bool seen = false;
  std::vector<bool> is_used(table.optics.size(), false);
  for (const std::int64_t i : rows) {
    const Projection& row = table.rows[static_cast<std::size_t>(i)];
    is_used[row.optics] = true;
    seen = seen || has_defocus(row);
  }
  if (wanted == CtfUse::none || (!seen && wanted == CtfUse::automatic)) {
    note_left_alone(table, is_used, notes);
    return CtfUse::none;
  }
  for (std::size_t i = 0; i < table.optics.size(); ++i) {
    const std::string why = is_used[i] ? aberration_trouble(table.optics[i]) : "";
    if (why.empty()) continue;
    return Error{"optics group " + table.optics[i].name + " has " + why, table.path.string(),
                 "mend the table, or use no CTF"};
  }
  bool known = true;
  std::size_t used = 0;
  std::size_t premultiplied = 0;
  std::size_t flipped = 0;
  for (std::size_t i = 0; i < table.optics.size(); ++i) {
    if (!is_used[i]) continue;
    const OpticsGroup& group = table.optics[i];
    known = known && std::isfinite(group.voltage_kv) &&
            std::isfinite(group.spherical_aberration_mm) &&
            std::isfinite(group.amplitude_contrast) && std::isfinite(group.pixel_size);
    if (const std::string why = implausible(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table, or use no CTF"};
    }
    ++used;
    premultiplied += group.premultiplied ? 1U : 0U;
    flipped += group.phase_flipped ? 1U : 0U;
  }
  if (wanted != CtfUse::automatic) {
    if (known && seen) return wanted;
    return Error{
        "a CTF is asked for and the table has no defocus, voltage, "
        "aberration, amplitude "
        "contrast or pixel size",
        table.path.string(), "use a table that has them, or no CTF"};
  }
  if (!known) {
    notes.emplace_back(
        "the table has defocus but not voltage, aberration, "
        "amplitude contrast and pixel size of "
        "every optics group: the CTF is left alone");
    note_left_alone(table, is_used, notes);
    return CtfUse::none;
  }
  // Premultiplied images have the right phases, whether they were flipped before or not.
  if (premultiplied == used) return CtfUse::premultiplied;
  if (premultiplied == 0 && flipped == used) return CtfUse::phase_flipped;
  if (premultiplied == 0 && flipped == 0) return CtfUse::ctf;
  if (premultiplied == 0) {
    return Error{"phases of images of some optics groups are flipped and those of others are not",
                 table.path.string(), "reconstruct them apart"};
  }
  return Error{
      "images of some optics groups are multiplied with their CTF and "
      "others are not",
      table.path.string(), "reconstruct them apart"};
}

void choose_halves(const ProjectionTable& table, Halves wanted, ReconstructionPlan& plan) {
  plan.halves.assign(plan.rows.size(), 0);
  if (wanted == Halves::none || plan.rows.size() < 2) return;
  const auto half_of = [&](std::size_t i) {
    return table.rows[static_cast<std::size_t>(plan.rows[i])].half;
  };
  std::size_t ones = 0;
  std::size_t twos = 0;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    ones += half_of(i) == 1 ? 1U : 0U;
    twos += half_of(i) == 2 ? 1U : 0U;
  }
  const bool all_say = ones + twos == plan.rows.size();
  const bool given = wanted == Halves::automatic && all_say && ones > 0 && twos > 0;
  plan.insertion.halves = 2;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const bool second = given ? half_of(i) == 2 : i % 2 == 1;
    plan.halves[i] = second ? 1 : 0;
  }
  warn_of_shared_images(table, plan);
  if (wanted == Halves::automatic && !given) {
    plan.notes.emplace_back(all_say
                                ? "all rows belong to one half: odd and even rows are the halves"
                                : "the table does not say which half every row belongs to: odd and "
                                  "even "
                                  "rows are the halves");
  }
  take_turns(plan);
}

void keep_first(std::int64_t count, ReconstructionPlan& plan) {
  const auto all = static_cast<std::int64_t>(plan.rows.size());
  if (count <= 0 || count >= all) return;
  plan.left_out += all - count;
  plan.rows.resize(static_cast<std::size_t>(count));
  plan.halves.resize(static_cast<std::size_t>(count));
  if (plan.insertion.halves == 1) return;
  const auto twos = std::count(plan.halves.begin(), plan.halves.end(), 1);
  if (twos > 0 && twos < count) return;
  plan.insertion.halves = 1;
  std::fill(plan.halves.begin(), plan.halves.end(), 0);
  plan.notes.emplace_back(kNoHalves);
}

Status check_rows(const ProjectionTable& table, const ReconstructionPlan& plan) {
  constexpr double kMostRatio = 64.0;
  std::int64_t bad = 0;
  std::string first;
  for (const std::int64_t i : plan.rows) {
    const Projection& row = table.rows[static_cast<std::size_t>(i)];
    const OpticsGroup& group = table.optics[row.optics];
    const double ratio = pixel_size_of(table, group) / plan.insertion.pixel_size;
    if (!(ratio >= 1.0 / kMostRatio && ratio <= kMostRatio)) {
      return Error{"the pixel size of optics group " + group.name +
                       " is more than 64 times larger or smaller than the map's",
                   table.path.string(), "mend the table"};
    }
    if (const std::string why = magnification_trouble(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table"};
    }
    const std::string what = trouble(row, plan.insertion.ctf);
    if (!what.empty() && bad++ == 0) first = place_of(table, row) + ": " + what;
  }
  if (bad == 0) return {};
  const std::string more =
      bad == 1 ? "" : " (and " + std::to_string(bad - 1) + " more rows cannot be used)";
  return Error{first + more, table.path.string(), "leave such rows out or mend the table"};
}

}  // namespace aprscope
