#include "core/io/projections/projection_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "core/base/memory_error.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/common/units.hpp"
#include "core/io/projections/npy_table.hpp"
#include "core/io/projections/projection_columns.hpp"
#include "core/io/projections/projection_images.hpp"
#include "core/io/projections/projection_rows.hpp"
#include "core/io/projections/projection_stacks.hpp"
#include "core/io/projections/star_table.hpp"

namespace aprscope {
namespace {

// Bytes that hold what stands before the labels: comments, the optics of some hundred groups.
constexpr std::size_t kHeadBytes = std::size_t{256} << 10U;

std::string short_number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), shortest_decimal(value));
  return {text.data(), end.ptr};
}

// The side of most images.
std::int64_t usual_side(const ProjectionRows& rows, const std::vector<ProjectionStack>& stacks) {
  std::map<std::int64_t, std::int64_t> images;
  for (const Projection& row : rows.table.rows) {
    if (stacks[row.stack].problem.empty()) ++images[stacks[row.stack].planes.columns];
  }
  std::int64_t side = 0;
  std::int64_t most = 0;
  for (const auto& [columns, count] : images) {
    if (count > most) {
      side = columns;
      most = count;
    }
  }
  // If no stack says the side, take that of the optics groups.
  if (side == 0 && !rows.sides.empty())
    side = *std::max_element(rows.sides.begin(), rows.sides.end());
  return side;
}

void judge_stacks(std::vector<ProjectionStack>& stacks, ProjectionTable& table) {
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    ProjectionStack& stack = stacks[i];
    if (stack.problem.empty() && stack.planes.columns != table.side) {
      stack.problem = "holds images of " + std::to_string(stack.planes.columns) +
                      " pixels, where others have " + std::to_string(table.side);
    }
    if (!stack.problem.empty()) {
      table.stack_problems.push_back({static_cast<std::uint32_t>(i), stack.problem});
    }
    table.stacks[i] = stack.path;
  }
}

void judge_images(const std::vector<ProjectionStack>& stacks, ProjectionTable& table) {
  std::vector<UnusableRow> found;
  std::size_t known = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const bool bad_already =
        known < table.unusable.size() && table.unusable[known].row == static_cast<std::int64_t>(i);
    if (bad_already) {
      found.push_back(std::move(table.unusable[known++]));
      continue;
    }
    const Projection& row = table.rows[i];
    const ProjectionStack& stack = stacks[row.stack];
    if (!stack.problem.empty() || row.image < stack.images) continue;
    if (found.size() >= kMostReasons) {
      found.push_back({static_cast<std::int64_t>(i), kNoReason, RowTrouble::image});
      continue;
    }
    const std::string name = stack.path.filename().string();
    const std::string why = row.image < stack.planes.sections
                                ? name + " is cut off after image " + std::to_string(stack.images)
                                : name + " has " + std::to_string(stack.planes.sections) +
                                      " images and no image " + std::to_string(row.image + 1);
    found.push_back({static_cast<std::int64_t>(i), why + " (line " + std::to_string(row.line) + ")",
                     RowTrouble::image});
  }
  table.unusable = std::move(found);
}

// Groups without a pixel size get that of their stacks, unless it is the 1 that stands for nothing.
void complete_pixel_sizes(const std::vector<ProjectionStack>& stacks, ProjectionTable& table) {
  std::vector<double> of_stack(table.optics.size(), 0.0);
  for (const Projection& row : table.rows) {
    const ProjectionStack& stack = stacks[row.stack];
    double& size = of_stack[row.optics];
    if (size == 0.0 && stack.problem.empty()) size = stack.pixel_size;
  }
  bool taken = false;
  bool missing = false;
  for (std::size_t i = 0; i < table.optics.size(); ++i) {
    double& size = table.optics[i].pixel_size;
    if (!std::isnan(size)) continue;
    if (of_stack[i] > 0.0 && of_stack[i] != 1.0) {
      size = of_stack[i];
      taken = true;
    } else {
      missing = true;
    }
  }
  if (taken)
    table.warnings.emplace_back("the pixel size is that of the stacks: the table has none");
  if (missing)
    table.warnings.emplace_back("there is no pixel size, neither in the table nor in the stacks");
  double least = HUGE_VAL;
  double most = 0.0;
  for (const OpticsGroup& group : table.optics) {
    if (std::isnan(group.pixel_size)) continue;
    if (std::isnan(table.pixel_size)) table.pixel_size = group.pixel_size;
    least = std::min(least, group.pixel_size);
    most = std::max(most, group.pixel_size);
  }
  if (most > least * (1.0 + 1e-5)) {
    table.warnings.push_back("optics groups differ in pixel size, from " + short_number(least) +
                             " to " + short_number(most) + " Å");
  }
}

Status shifts_to_pixels(ProjectionTable& table) {
  for (Projection& row : table.rows) {
    if (row.shift_x == 0.0 && row.shift_y == 0.0) continue;
    const double size = table.optics[row.optics].pixel_size;
    if (std::isnan(size)) {
      return Error{"has origins in Å and no pixel size to make pixels of them", table.path.string(),
                   "add the column rlnImagePixelSize to data_optics"};
    }
    row.shift_x /= size;
    row.shift_y /= size;
  }
  return {};
}

void warn_of_optics(const ProjectionRows& rows, ProjectionTable& table) {
  const bool defocus = std::any_of(table.rows.begin(), table.rows.end(), [](const Projection& row) {
    return !std::isnan(row.defocus_u);
  });
  const auto lacks = [&](double OpticsGroup::*member) {
    return std::any_of(table.optics.begin(), table.optics.end(),
                       [&](const OpticsGroup& group) { return std::isnan(group.*member); });
  };
  if (defocus) {
    std::string missing;
    const auto name = [&](const char* what) {
      missing += (missing.empty() ? "" : ", ") + std::string(what);
    };
    if (lacks(&OpticsGroup::voltage_kv)) name("voltage");
    if (lacks(&OpticsGroup::spherical_aberration_mm)) name("spherical aberration");
    if (lacks(&OpticsGroup::amplitude_contrast)) name("amplitude contrast");
    if (!missing.empty()) {
      table.warnings.push_back("the CTF is not known: images have a defocus and no " + missing);
    }
  }
  for (const std::int64_t side : rows.sides) {
    if (side == 0 || table.side == 0 || side == table.side) continue;
    table.warnings.push_back("the table speaks of images of " + std::to_string(side) +
                             " pixels, and the stacks hold " + std::to_string(table.side));
    break;
  }
}

// Images that stand there twice: a symmetric set that was written out, or a mistake. Over both
// halves they make the halves agree on their noise.
void warn_of_twins(ProjectionTable& table) {
  std::vector<std::uint32_t> order(table.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto key = [&](std::uint32_t i) {
    const Projection& row = table.rows[i];
    return std::tuple(row.stack, row.image, i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::int64_t twins = 0;
  std::int64_t across = 0;
  std::string where;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Projection& one = table.rows[order[i - 1]];
    const Projection& other = table.rows[order[i]];
    if (one.stack != other.stack || one.image != other.image) continue;
    ++twins;
    if (one.half != other.half) ++across;
    if (where.empty()) {
      where = " (lines " + std::to_string(one.line) + " and " + std::to_string(other.line) + ", …)";
    }
  }
  if (twins == 0) return;
  table.warnings.push_back(std::to_string(twins) + " rows repeat the image of another" + where);
  if (across > 0) {
    table.warnings.push_back(std::to_string(across) +
                             " of them stand in both half sets, whose FSC will be too good");
  }
}

// The first bytes of a file; empty where it cannot be read.
std::string head_of_file(const std::string& path) {
  const auto file = open_regular(path);
  if (!file) return {};
  std::string head(kHeadBytes, '\0');
  const auto got = file->read_at(0, head.data(), head.size());
  head.resize(got ? *got : 0);
  return head;
}

Result<ProjectionRows> rows_of(const std::string& path, const JobContext& context) {
  if (begins_like_npy(head_of_file(path))) return read_cryosparc(path, context);
  const auto file = read_star(path, {}, context);
  if (!file) return file.error();
  return read_projection_rows(*file, context);
}

}  // namespace

bool is_projection_table(const std::string& path) {
  const std::string head = head_of_file(path);
  if (head.empty()) return false;
  // A table has fields, an array of numbers has none.
  if (begins_like_npy(head)) return head.find("'descr': [") != std::string::npos;
  if (head.find('\0') != std::string::npos) return false;
  bool block = false;
  for (std::size_t at = 0; at < head.size();) {
    const auto end = std::min(head.find('\n', at), head.size());
    const auto begin = std::min(head.find_first_not_of(" \t\r", at), end);
    const std::string_view line = std::string_view(head).substr(begin, end - begin);
    at = end + 1;
    if (line.starts_with("# XMIPP_STAR_1")) return true;
    if (line.starts_with("data_")) block = true;
    if (block && line.starts_with("_rln")) return true;
    // A STAR file's first line that is no comment begins a block; this one's does not.
    if (!block && !line.empty() && !line.starts_with('#') && line != "\xEF\xBB\xBF") return false;
  }
  return false;
}

Result<Projections> open_projections(const std::string& path, const std::string& root,
                                     const JobContext& context) {
  return with_memory_errors(path, [&]() -> Result<Projections> {
    auto rows = rows_of(path, context);
    if (!rows) return rows.error();
    ProjectionTable& table = rows->table;
    auto stacks = open_stacks(table.stacks, path, root, context);
    if (!stacks) return stacks.error();
    table.side = usual_side(*rows, *stacks);
    judge_stacks(*stacks, table);
    judge_images(*stacks, table);
    complete_pixel_sizes(*stacks, table);
    if (table.shifts_in_angstrom) {
      if (Status ok = shifts_to_pixels(table); !ok) return ok.error();
    }
    warn_of_optics(*rows, table);
    warn_of_twins(table);
    Projections projections;
    projections.images = stack_images(*std::move(stacks), table.side, path);
    projections.table = std::move(table);
    return projections;
  });
}

}  // namespace aprscope
