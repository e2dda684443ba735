#include "core/io/apr/apr_box_cells.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Most pixels of a level whose rows are read at once; a single plane may have more.
constexpr std::int64_t kPixelsAtOnce = std::int64_t{1} << 23;
// So many pixels are in the chunks that are unpacked anyway.
constexpr std::int64_t kPixelsBetween = std::int64_t{1} << 16;
// Ends of rows that are read at once: chunks of them hold those of many planes.
constexpr std::int64_t kEndsAtOnce = std::int64_t{1} << 20;
// Cells of several slabs that are read at once: so many that all threads have chunks to unpack.
constexpr std::uint64_t kCellsAtOnce = std::uint64_t{1} << 22;

// Calls take(first, end) for slabs that are read at once; cells(i): those of slab i.
template <class Cells, class Take>
Status in_groups(std::size_t slabs, const Cells& cells, const Take& take) {
  for (std::size_t first = 0; first < slabs;) {
    std::size_t end = first + 1;
    std::uint64_t count = cells(first);
    while (end < slabs && count + cells(end) <= kCellsAtOnce) count += cells(end++);
    if (Status taken = take(first, end); !taken) return taken;
    first = end;
  }
  return {};
}

}  // namespace

BoxCells::BoxCells(const AprCells& cells, const AprHeader& header, const Region& box, int level)
    : cells_(cells),
      level_(level),
      box_(box),
      grid_(level_grid(header.size, header.level_max, level)) {}

Status BoxCells::read(const std::string& where, const JobContext& context) {
  // What lies between the box in one plane and in the next one is read with them where it is small.
  const std::int64_t between = grid_.x - box_.size().x;
  const bool together = between * grid_.y <= kPixelsBetween || 2 * between < box_.size().x;
  const std::int64_t step =
      together ? std::max<std::int64_t>(1, kPixelsAtOnce / (grid_.x * grid_.y)) : 1;
  const std::int64_t planes = std::max(step, kEndsAtOnce / grid_.x / step * step);
  const double n = static_cast<double>(box_.size().z);
  ends_.push_back(0);
  std::vector<std::uint64_t> ends;
  for (std::int64_t z = box_.begin.z; z < box_.end.z; z += planes) {
    const std::int64_t last = std::min(z + planes, box_.end.z);
    if (Status got = read_ends(z, last, ends, where, context); !got) return got;
    std::vector<Planes> slabs;
    for (std::int64_t from = z; from < last; from += step) {
      slabs.push_back({from, std::min(from + step, last), ends.data() + (from - z) * grid_.x});
    }
    const auto at = [&](std::int64_t of) { return static_cast<double>(of - box_.begin.z) / n; };
    Status done = in_groups(
        slabs.size(), [&](std::size_t i) { return run_of(slabs[i]).count; },
        [&](std::size_t first, std::size_t end) {
          return read_slabs(std::span(slabs).subspan(first, end - first),
                            context.part(at(slabs[first].z0), at(slabs[end - 1].z1)));
        });
    if (!done) return done;
  }
  return {};
}

// Of planes [z0, z1), from the first row that the box touches to the last, with the end before.
Status BoxCells::read_ends(std::int64_t z0, std::int64_t z1, std::vector<std::uint64_t>& ends,
                           const std::string& where, const JobContext& context) const {
  const auto rows = static_cast<std::uint64_t>((z1 - z0 - 1) * grid_.x + box_.size().x);
  const std::uint64_t first =
      cells_.first_entry(level_) + static_cast<std::uint64_t>(z0 * grid_.x + box_.begin.x);
  ends.resize(rows + 1);
  if (Status got =
          cells_.ends().read(first, ends.size(), ends.data(), JobContext(context.stop_token()));
      !got) {
    return got;
  }
  if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() > cells_.count()) {
    return Error{"its rows are out of order", where, "the file is damaged"};
  }
  return {};
}

// From the first row of the first plane that the box touches to the last one of the last plane.
Hdf5Run BoxCells::run_of(const Planes& planes) const {
  const std::int64_t rows = (planes.z1 - planes.z0 - 1) * grid_.x + box_.size().x;
  return {planes.ends[0], planes.ends[rows] - planes.ends[0]};
}

Status BoxCells::read_slabs(std::span<const Planes> slabs, const JobContext& context) {
  std::vector<Hdf5Run> runs;
  std::uint64_t count = 0;
  for (const Planes& planes : slabs) {
    runs.push_back(run_of(planes));
    count += runs.back().count;
  }
  std::vector<std::uint16_t> y(count);
  if (Status got = cells_.y().read(runs, y.data(), context); !got) return got;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    take_slab(slabs[i], std::span(y).subspan(at, runs[i].count));
    at += runs[i].count;
  }
  return {};
}

// Keeps what the box touches of the `y` of some planes.
void BoxCells::take_slab(const Planes& planes, std::span<const std::uint16_t> y) {
  const std::uint64_t* const ends = planes.ends;
  Slab slab{ends[0], ends[0] + y.size(), stretches_.size(), 0};
  for (std::int64_t z = planes.z0; z < planes.z1; ++z) {
    for (std::int64_t x = box_.begin.x; x < box_.end.x; ++x) {
      const std::int64_t row = (z - planes.z0) * grid_.x + x - box_.begin.x;
      const auto begin = y.begin() + static_cast<std::ptrdiff_t>(ends[row] - slab.begin);
      const auto row_end = y.begin() + static_cast<std::ptrdiff_t>(ends[row + 1] - slab.begin);
      const auto low = std::lower_bound(begin, row_end, box_.begin.y);
      const auto high = std::lower_bound(low, row_end, box_.end.y);
      if (low != high) {
        stretches_.push_back({slab.begin + static_cast<std::uint64_t>(low - y.begin()),
                              static_cast<std::uint64_t>(high - low)});
        y_.insert(y_.end(), low, high);
      }
      ends_.push_back(y_.size());
    }
  }
  slab.end_stretch = stretches_.size();
  slabs_.push_back(slab);
}

CropRows BoxCells::rows() const {
  return {level_, box_.begin.z, box_.begin.x, box_.end.x, ends_, y_};
}

Status BoxCells::append_values(const Hdf5Vector& vector, const FieldCoding& coding,
                               FieldValues& all, const JobContext& context) const {
  std::vector<Slab> slabs;
  for (const Slab& slab : slabs_) {
    if (slab.first_stretch != slab.end_stretch) slabs.push_back(slab);
  }
  const double n = static_cast<double>(slabs.size());
  return in_groups(
      slabs.size(), [&](std::size_t i) { return slabs[i].end - slabs[i].begin; },
      [&](std::size_t first, std::size_t end) {
        return append_slabs(
            vector, coding, std::span(slabs).subspan(first, end - first), all,
            context.part(static_cast<double>(first) / n, static_cast<double>(end) / n));
      });
}

Status BoxCells::append_slabs(const Hdf5Vector& vector, const FieldCoding& coding,
                              std::span<const Slab> slabs, FieldValues& all,
                              const JobContext& context) const {
  std::vector<Hdf5Run> runs;
  for (const Slab& slab : slabs) runs.push_back({slab.begin, slab.end - slab.begin});
  auto values = read_values(vector, runs, context);
  if (!values) return values.error();
  if (auto* grey = std::get_if<std::vector<std::uint16_t>>(&*values); coding.wnl && grey) {
    if (Status got = wnl_decode(std::span(*grey), coding.parameters, context); !got) return got;
  }
  std::visit(
      [&](auto& into) {
        const auto& more = std::get<std::decay_t<decltype(into)>>(*values);
        std::uint64_t at = 0;
        for (const Slab& slab : slabs) {
          for (std::size_t s = slab.first_stretch; s < slab.end_stretch; ++s) {
            const std::uint64_t begin = at + stretches_[s].begin - slab.begin;
            const auto from = more.begin() + static_cast<std::ptrdiff_t>(begin);
            into.insert(into.end(), from, from + static_cast<std::ptrdiff_t>(stretches_[s].count));
          }
          at += slab.end - slab.begin;
        }
      },
      all);
  return {};
}

Result<CellRows> BoxCells::planes(const FieldCoding& coding, const JobContext& context) const {
  CellRows out;
  out.level = level_;
  out.z0 = box_.begin.z;
  out.z1 = box_.end.z;
  out.ends.reserve(static_cast<std::size_t>(box_.size().z * grid_.x) + 1);
  out.ends.push_back(0);
  std::size_t row = 0;
  for (std::int64_t z = box_.begin.z; z < box_.end.z; ++z) {
    for (std::int64_t x = 0; x < grid_.x; ++x) {
      const bool inside = x >= box_.begin.x && x < box_.end.x;
      if (inside) ++row;
      out.ends.push_back(ends_[row]);
    }
  }
  out.y = y_;
  if (!cells_.values()) return out;
  FieldValues values = make_values(cells_.value_type(), 0);
  std::visit([&](auto& list) { list.reserve(y_.size()); }, values);
  if (Status got = append_values(*cells_.values(), coding, values, context); !got) {
    return got.error();
  }
  if (auto* floats = std::get_if<std::vector<float>>(&values)) {
    out.values = std::move(*floats);
  } else {
    out.values = Field{"", std::move(values)}.to_float();
  }
  return out;
}

}  // namespace aprscope
