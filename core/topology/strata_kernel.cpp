// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include "core/topology/strata_kernels.hpp"
#include "core/topology/strata_lanes.inl.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// Free axes, the bytes of a word.
constexpr int kCorner = 0, kEdgeY = 1, kEdgeX = 2, kSquareXY = 3, kEdgeZ = 4, kSquareZY = 5,
              kSquareZX = 6;

// For each of the 26 neighbours, by 9 (z + 1) + 3 (x + 1) + y + 1: whether the face towards it
// counts at all, as bits of a block's cells. Number 13 is the cell itself: whether its inside does.
struct Wanted {
  std::uint64_t bits[27];
};

// What vectors of cells own, added up in the bytes of their words.
template <class Place>
struct Sums {
  Vector sums[kSums<Place>] = {};

  template <int field>
  void add(typename Lanes<Place>::Mask mask) {
    constexpr int kLane = static_cast<int>(sizeof(Place));
    const Vector one = Lanes<Place>::spread(static_cast<Place>(Place{1} << (8 * (field % kLane))));
    sums[field / kLane] = Lanes<Place>::add(sums[field / kLane], mask, one);
  }
  // Adds a whole word.
  void add_word(typename Lanes<Place>::Mask mask, std::uint64_t word) {
    for (int i = 0; i < kSums<Place>; ++i) {
      const auto part = static_cast<Place>(word >> (8 * sizeof(Place) * static_cast<unsigned>(i)));
      if (part != 0) sums[i] = Lanes<Place>::add(sums[i], mask, Lanes<Place>::spread(part));
    }
  }
};

// One of the cells round a face owns it: the one that it enters with, and of several alike the
// first in the order z, x, y. So a cell is compared with those before it and after it by < and ≤
// (closed voxels: the least place owns) or > and ≥ (vertices: the greatest). A square is owned by
// who beats the cell beyond it, an edge by who beats the three others round it, a corner by who
// beats the seven.
template <class Place, bool closed, bool all_wanted>
class Owner {
 public:
  using L = Lanes<Place>;
  using Mask = typename L::Mask;

  // Of the cells at `at` of each row, bits `shift` and on of what is wanted.
  Owner(const Place* const (&rows)[3][3], std::int64_t at, const Wanted* wanted, int shift)
      : rows_(rows), at_(at), wanted_(wanted), shift_(shift), v_(load(rows[1][1] + at)) {}

  [[nodiscard]] Vector own() const { return v_; }

  void count(Sums<Place>& sums) const {
    const Mask all = L::of_bits(~std::uint64_t{0});
    const Mask za = beats<-1, 0, 0>(all);
    const Mask zb = beats<1, 0, 0>(all);
    const Mask xa = beats<0, -1, 0>(all);
    const Mask xb = beats<0, 1, 0>(all);
    const Mask ya = beats<0, 0, -1>(all);
    const Mask yb = beats<0, 0, 1>(all);
    add<-1, 0, 0, kSquareXY>(sums, za);
    add<1, 0, 0, kSquareXY>(sums, zb);
    add<0, -1, 0, kSquareZY>(sums, xa);
    add<0, 1, 0, kSquareZY>(sums, xb);
    add<0, 0, -1, kSquareZX>(sums, ya);
    add<0, 0, 1, kSquareZX>(sums, yb);
    const Mask x_y_aa = along_z<-1, -1>(sums, xa, ya);
    const Mask x_y_ab = along_z<-1, 1>(sums, xa, yb);
    const Mask x_y_ba = along_z<1, -1>(sums, xb, ya);
    const Mask x_y_bb = along_z<1, 1>(sums, xb, yb);
    half<-1>(sums, za, xa, xb, ya, yb, x_y_aa, x_y_ab, x_y_ba, x_y_bb);
    half<1>(sums, zb, xa, xb, ya, yb, x_y_aa, x_y_ab, x_y_ba, x_y_bb);
  }

 private:
  // Where the cell comes before its neighbour, of `among`.
  template <int z, int x, int y>
  [[nodiscard]] Mask beats(Mask among) const {
    const Vector n = load(rows_[z + 1][x + 1] + at_ + y);
    constexpr bool earlier = 9 * z + 3 * x + y < 0;
    if constexpr (closed) {
      return earlier ? L::less(among, v_, n) : L::at_most(among, v_, n);
    } else {
      return earlier ? L::less(among, n, v_) : L::at_most(among, n, v_);
    }
  }
  template <int z, int x, int y, int field>
  void add(Sums<Place>& sums, Mask owned) const {
    if constexpr (all_wanted) {
      sums.template add<field>(owned);
    } else {
      constexpr int face = 9 * (z + 1) + 3 * (x + 1) + y + 1;
      sums.template add<field>(L::both(owned, L::of_bits(wanted_->bits[face] >> shift_)));
    }
  }
  template <int x, int y>
  Mask along_z(Sums<Place>& sums, Mask mx, Mask my) const {
    const Mask edge = beats<0, x, y>(L::both(mx, my));
    add<0, x, y, kEdgeZ>(sums, edge);
    return edge;
  }
  // The edges and corners before (z = −1) or after the cell.
  template <int z>
  void half(Sums<Place>& sums, Mask mz, Mask xa, Mask xb, Mask ya, Mask yb, Mask aa, Mask ab,
            Mask ba, Mask bb) const {
    const Mask f_a = beats<z, 0, -1>(L::both(mz, ya));
    const Mask f_b = beats<z, 0, 1>(L::both(mz, yb));
    add<z, 0, -1, kEdgeX>(sums, f_a);
    add<z, 0, 1, kEdgeX>(sums, f_b);
    quarter<z, -1>(sums, L::both(mz, xa), f_a, f_b, aa, ab);
    quarter<z, 1>(sums, L::both(mz, xb), f_a, f_b, ba, bb);
  }
  template <int z, int x>
  void quarter(Sums<Place>& sums, Mask among, Mask f_a, Mask f_b, Mask a, Mask b) const {
    const Mask edge = beats<z, x, 0>(among);
    add<z, x, 0, kEdgeY>(sums, edge);
    add<z, x, -1, kCorner>(sums, beats<z, x, -1>(L::both(edge, L::both(f_a, a))));
    add<z, x, 1, kCorner>(sums, beats<z, x, 1>(L::both(edge, L::both(f_b, b))));
  }

  const Place* const (&rows_)[3][3];
  std::int64_t at_;
  const Wanted* wanted_;
  int shift_;
  Vector v_;
};

// A cell in a flat neighbourhood.
constexpr std::uint64_t kFlat = 0x0001010101010101ULL;

template <class Place>
bool is_flat(const Sums<Place>& found) {
  std::uint64_t uneven = 0;
  for (int i = 0; i < kSums<Place>; ++i) {
    const auto part = static_cast<Place>(kFlat >> (8 * sizeof(Place) * static_cast<unsigned>(i)));
    uneven |= Lanes<Place>::different(found.sums[i], Lanes<Place>::spread(part));
  }
  return uneven == 0;
}

template <class Place, bool closed>
void count_pixels(const PixelStrataRow<Place>& row) {
  using L = Lanes<Place>;
  for (std::int64_t begin = 0; begin < row.count; begin += kStrataBlock) {
    const Vector first = L::spread(row.rows[1][1][begin]);
    bool uniform = true;
    for (std::int64_t y = begin; y < begin + kStrataBlock; y += kCells<Place>) {
      const Owner<Place, closed, true> owner(row.rows, y, nullptr, 0);
      Sums<Place> found;
      owner.count(found);
      uniform = uniform && L::different(owner.own(), first) == 0 && is_flat(found);
      found.add_word(L::of_bits(~std::uint64_t{0}), kStrataCell + kStrataCube);
      store_words(row.words + y, found.sums);
    }
    row.uniform[begin / kStrataBlock] = static_cast<std::uint8_t>(uniform);
  }
}

// Bits of particles of a row's block and, one further on, of the cells before and after each.
struct Bits {
  std::uint64_t here;
  std::uint64_t before;
  std::uint64_t after;
};
inline Bits bits_at(const std::uint64_t* row, std::int64_t w) {
  return {row[w], row[w] << 1 | row[w - 1] >> 63, row[w] >> 1 | row[w + 1] << 63};
}

// Faces that touch a particle.
inline Wanted find_wanted(const std::uint64_t* const (&same)[3][3], std::int64_t w) {
  Wanted out;
  const Bits centre = bits_at(same[1][1], w);
  const auto put = [&out](int z, int x, const Bits& b) {
    std::uint64_t* const to = out.bits + 9 * (z + 1) + 3 * (x + 1);
    to[0] = b.here | b.before;
    to[1] = b.here;
    to[2] = b.here | b.after;
  };
  const auto both = [](const Bits& a, const Bits& b) {
    return Bits{a.here | b.here, a.before | b.before, a.after | b.after};
  };
  put(0, 0, centre);
  const Bits xs[2] = {both(centre, bits_at(same[1][0], w)), both(centre, bits_at(same[1][2], w))};
  for (int x = 0; x < 2; ++x) put(0, 2 * x - 1, xs[x]);
  for (int z = 0; z < 2; ++z) {
    const Bits across = both(centre, bits_at(same[2 * z][1], w));
    put(2 * z - 1, 0, across);
    for (int x = 0; x < 2; ++x) {
      put(2 * z - 1, 2 * x - 1, both(both(across, xs[x]), bits_at(same[2 * z][2 * x], w)));
    }
  }
  return out;
}

template <class Place, bool closed>
void count_cells(const CellStrataRow<Place>& row) {
  using L = Lanes<Place>;
  constexpr std::uint64_t kLanes =
      kCells<Place> == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (kCells<Place> % 64)) - 1;
  // Divided cells own nothing here.
  const Vector divided = L::spread(closed ? Place{0} : static_cast<Place>(~Place{0}));
  for (std::int64_t w = 0; w < row.blocks; ++w) {
    row.owning[w] = 0;
    const std::uint64_t near = row.near[w];
    if (near == 0) continue;
    const Wanted wanted = find_wanted(row.same, w);
    for (int shift = 0; shift < kStrataBlock; shift += kCells<Place>) {
      if ((near >> shift & kLanes) == 0) continue;
      const std::int64_t y = w * kStrataBlock + shift;
      const Owner<Place, closed, false> owner(row.rows, y, &wanted, shift);
      Sums<Place> found;
      owner.count(found);
      Vector some = found.sums[0];
      for (int i = 1; i < kSums<Place>; ++i) some = either(some, found.sums[i]);
      const std::uint64_t particles = wanted.bits[13] >> shift & kLanes;
      const std::uint64_t owning =
          particles | (L::different(some, Vector{}) & L::different(owner.own(), divided));
      row.owning[w] |= owning << shift;
      found.add_word(L::of_bits(~std::uint64_t{0}), kStrataCell);
      found.add_word(L::of_bits(particles), kStrataCube);
      store_words(row.words + y, found.sums);
    }
  }
}

template <class Place>
constexpr StrataKernels<Place> kernels() {
  return {count_pixels<Place, true>, count_pixels<Place, false>, count_cells<Place, true>,
          count_cells<Place, false>};
}

}  // namespace

extern const StrataKernels<std::uint8_t> strata_kernels_8;
extern const StrataKernels<std::uint16_t> strata_kernels_16;
extern const StrataKernels<std::uint32_t> strata_kernels_32;
const StrataKernels<std::uint8_t> strata_kernels_8 = kernels<std::uint8_t>();
const StrataKernels<std::uint16_t> strata_kernels_16 = kernels<std::uint16_t>();
const StrataKernels<std::uint32_t> strata_kernels_32 = kernels<std::uint32_t>();

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
