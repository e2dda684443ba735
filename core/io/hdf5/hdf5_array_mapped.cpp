#include <algorithm>
#include <cstring>
#include <map>

#include "core/io/common/read_limits.hpp"
#include "core/io/hdf5/hdf5_array.hpp"

// Virtual datasets: their values are those of other datasets.

namespace aprscope {
namespace {

using Index = std::vector<std::uint64_t>;

// Selected elements along dimension d.
std::uint64_t selected(const Hdf5Selection& s, std::size_t d) { return s.count[d] * s.block[d]; }

// Coordinate of the n-th selected element along dimension d.
std::uint64_t coordinate(const Hdf5Selection& s, std::size_t d, std::uint64_t n) {
  return s.start[d] + n / s.block[d] * s.stride[d] + n % s.block[d];
}

// True when the selection lies inside `extent`; `elements` receives how many it has.
bool lies_inside(const Hdf5Selection& s, const Index& extent, std::uint64_t& elements) {
  const std::size_t rank = extent.size();
  elements = 1;
  if (s.start.size() != rank || s.stride.size() != rank || s.count.size() != rank ||
      s.block.size() != rank) {
    return false;
  }
  for (std::size_t d = 0; d < rank; ++d) {
    std::uint64_t wide = 0, n = 0;
    if (s.count[d] == 0 || s.block[d] == 0 || (s.count[d] > 1 && s.stride[d] < s.block[d]) ||
        __builtin_mul_overflow(s.count[d] - 1, s.stride[d], &wide) ||
        __builtin_add_overflow(wide, s.block[d], &wide) || wide > extent[d] ||
        s.start[d] > extent[d] - wide || __builtin_mul_overflow(s.count[d], s.block[d], &n) ||
        __builtin_mul_overflow(elements, n, &elements)) {
      return false;
    }
  }
  return true;
}

Hdf5Selection of_all(const Index& extent) {
  const Index ones(extent.size(), 1);
  return {Index(extent.size(), 0), ones, ones, extent};
}

// Calls run(number of the first selected element, its coordinates, elements) for each stretch of
// selected elements along the last dimension that lies in the box.
template <class Run>
void for_runs(const Hdf5Selection& s, const Hdf5Box& box, const Run& run) {
  const std::size_t rank = s.start.size();
  // In each dimension the selected elements inside the box have consecutive numbers: from … to.
  Index from(rank), to(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    std::uint64_t lo = 0, hi = selected(s, d);
    const auto below = [&](std::uint64_t limit) {
      std::uint64_t a = lo, b = hi;
      while (a < b) {
        const std::uint64_t middle = a + (b - a) / 2;
        if (coordinate(s, d, middle) < limit) {
          a = middle + 1;
        } else {
          b = middle;
        }
      }
      return a;
    };
    from[d] = below(box.start[d]);
    to[d] = below(box.start[d] + box.count[d]);
    if (from[d] >= to[d]) return;
  }
  const std::size_t y = rank - 1;
  Index at = from;
  while (true) {
    std::uint64_t number = 0;
    Index place(rank);
    for (std::size_t d = 0; d < rank; ++d) {
      number = number * selected(s, d) + at[d];
      place[d] = coordinate(s, d, at[d]);
    }
    // A run ends with its block, unless blocks touch.
    const bool touching = s.stride[y] == s.block[y] || s.count[y] == 1;
    const std::uint64_t block_end =
        touching ? to[y] : std::min(to[y], (at[y] / s.block[y] + 1) * s.block[y]);
    run(number, place, block_end - at[y]);
    at[y] = block_end;
    std::size_t d = rank;
    if (at[y] < to[y]) continue;
    at[y] = from[y];
    d = y;
    while (d-- > 0) {
      if (++at[d] < to[d]) break;
      at[d] = from[d];
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

// Coordinates of the n-th selected element.
Index place_of(const Hdf5Selection& s, std::uint64_t n) {
  Index place(s.start.size());
  for (std::size_t d = place.size(); d-- > 0;) {
    const std::uint64_t wide = selected(s, d);
    place[d] = coordinate(s, d, n % wide);
    n /= wide;
  }
  return place;
}

std::uint64_t offset_in(const Hdf5Box& box, const Index& place) {
  std::uint64_t offset = 0;
  for (std::size_t d = 0; d < place.size(); ++d) {
    offset = offset * box.count[d] + place[d] - box.start[d];
  }
  return offset;
}

}  // namespace

Status Hdf5Array::read_mapped(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                              const JobContext& context) const {
  fill_box(box, target, out);
  const std::size_t bytes = bytes_of(target);
  std::map<std::string, std::shared_ptr<Hdf5Reader>> readers;
  const double mappings = static_cast<double>(facts_.mappings.size());
  for (std::size_t m = 0; m < facts_.mappings.size(); ++m) {
    Hdf5Mapping mapping = facts_.mappings[m];
    if (mapping.here.start.empty()) mapping.here = of_all(facts_.extent);
    if (context.stop_requested()) return cancelled_error();
    std::uint64_t here = 0, there = 0;
    if (facts_.extent.empty() || !lies_inside(mapping.here, facts_.extent, here)) {
      return damaged("it maps values outside itself");
    }
    bool wanted = false;
    for_runs(mapping.here, box, [&](std::uint64_t, const Index&, std::uint64_t) { wanted = true; });
    if (!wanted) continue;

    auto& reader = readers[mapping.file];
    if (mapping.file == ".") {
      reader = object_.reader;
    } else if (!reader) {
      const auto path = file_beside(object_.reader->path(), mapping.file, object_.where());
      if (!path) return path.error();
      auto opened = Hdf5Reader::open(*path, object_.reader->stop());
      if (!opened) return opened.error();
      reader = *std::move(opened);
      const auto state = reader->file().state();
      if (!state) return state.error();
      if (Status same = others_->note(path->string(), *state); !same) return same;
    }
    const std::string name =
        mapping.dataset.starts_with('/') ? mapping.dataset : "/" + mapping.dataset;
    const Hdf5Object object{reader, name};
    const auto source = Hdf5Array::open(object);
    if (!source) return source.error();
    const Hdf5Storage storage = source->facts().storage;
    if (storage == Hdf5Storage::mapped || storage == Hdf5Storage::elsewhere) {
      return Error{"its values lie in " + object.where() + ", which does not hold them itself",
                   object_.where(), "open a copy that holds its own values"};
    }
    if (mapping.there.start.empty()) mapping.there = of_all(source->facts().extent);
    if (source->facts().extent.empty() || source->facts().type.name() != facts_.type.name() ||
        !lies_inside(mapping.there, source->facts().extent, there) || here != there) {
      return damaged("what it maps does not fit " + object.where());
    }

    // The smallest box of the source that holds what is wanted is read in one go.
    const std::size_t last = mapping.there.start.size() - 1;
    // Runs of the source within a run of this dataset.
    const auto pieces = [&](std::uint64_t number, std::uint64_t count, const auto& piece) {
      for (std::uint64_t done = 0; done < count;) {
        const std::uint64_t n = number + done;
        const std::uint64_t in_row = n % selected(mapping.there, last);
        const bool touching = mapping.there.stride[last] == mapping.there.block[last] ||
                              mapping.there.count[last] == 1;
        const std::uint64_t row_end =
            touching ? selected(mapping.there, last)
                     : (in_row / mapping.there.block[last] + 1) * mapping.there.block[last];
        const std::uint64_t length = std::min(count - done, row_end - in_row);
        piece(done, place_of(mapping.there, n), length);
        done += length;
      }
    };
    Index low, high;
    for_runs(mapping.here, box, [&](std::uint64_t number, const Index&, std::uint64_t count) {
      pieces(number, count, [&](std::uint64_t, const Index& place, std::uint64_t length) {
        if (low.empty()) {
          low = high = place;
        }
        for (std::size_t d = 0; d < place.size(); ++d) {
          low[d] = std::min(low[d], place[d]);
          high[d] = std::max(high[d], place[d]);
        }
        high[last] = std::max(high[last], place[last] + length - 1);
      });
    });
    Hdf5Box region{low, {}};
    for (std::size_t d = 0; d < low.size(); ++d) region.count.push_back(high[d] - low[d] + 1);
    if (Status fits = check_memory(region.elements() * bytes, object_.reader->path()); !fits) {
      return fits;
    }
    std::vector<std::uint8_t> values(region.elements() * bytes);
    const double from = static_cast<double>(m) / mappings;
    if (Status got =
            source->read(region, target, values.data(), context.part(from, from + 1 / mappings));
        !got) {
      return got;
    }
    for_runs(mapping.here, box, [&](std::uint64_t number, const Index& at, std::uint64_t count) {
      std::uint8_t* const to = out + offset_in(box, at) * bytes;
      pieces(number, count, [&](std::uint64_t done, const Index& place, std::uint64_t length) {
        std::memcpy(to + done * bytes, values.data() + offset_in(region, place) * bytes,
                    length * bytes);
      });
    });
  }
  return {};
}

}  // namespace aprscope
