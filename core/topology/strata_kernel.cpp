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

// Strata that vectors of cells own, added up in the bytes of their words.
template <class Place>
struct Sums {
  Vector sums[kSums<Place>] = {};

  template <int field>
  void add(typename Lanes<Place>::Mask mask) {
    constexpr int kLane = static_cast<int>(sizeof(Place));
    const Vector one = Lanes<Place>::spread(static_cast<Place>(Place{1} << (8 * (field % kLane))));
    sums[field / kLane] = Lanes<Place>::add(sums[field / kLane], mask, one);
  }
  // Adds a word to each cell of `mask`, in parts of the size of a place.
  void add_word(typename Lanes<Place>::Mask mask, std::uint64_t word) {
    for (int i = 0; i < kSums<Place>; ++i) {
      const auto part = static_cast<Place>(word >> (8 * sizeof(Place) * static_cast<unsigned>(i)));
      if (part != 0) sums[i] = Lanes<Place>::add(sums[i], mask, Lanes<Place>::spread(part));
    }
  }
};

// One of the cells round a face owns it: the one that it enters with, which has the least place,
// and of several alike the first in the order z, x, y. So a cell's place must be less than those
// before it and not more than those after it: less than what is one more. The owner of a square
// comes before the cell beyond it, that of an edge before the three others round it, that of a
// corner before the seven others.
template <class Place, bool all_wanted>
class Owner {
 public:
  using L = Lanes<Place>;

  // Owner of faces of the cells at `at` of each row; `wanted` from bit `shift` on.
  Owner(const Place* const (&rows)[3][3], std::int64_t at, const Wanted* wanted, int shift)
      : rows_(rows), at_(at), wanted_(wanted), shift_(shift), v_(load(rows[1][1] + at)) {}

  [[nodiscard]] Vector own() const { return v_; }

  void count(Sums<Place>& sums) const {
    const Vector xa = beyond<0, -1, 0>();
    const Vector xb = beyond<0, 1, 0>();
    const Vector ya = beyond<0, 0, -1>();
    const Vector yb = beyond<0, 0, 1>();
    add<0, -1, 0, kSquareZY>(sums, xa);
    add<0, 1, 0, kSquareZY>(sums, xb);
    add<0, 0, -1, kSquareZX>(sums, ya);
    add<0, 0, 1, kSquareZX>(sums, yb);
    const Vector aa = edge<0, -1, -1, kEdgeZ>(sums, xa, ya);
    const Vector ab = edge<0, -1, 1, kEdgeZ>(sums, xa, yb);
    const Vector ba = edge<0, 1, -1, kEdgeZ>(sums, xb, ya);
    const Vector bb = edge<0, 1, 1, kEdgeZ>(sums, xb, yb);
    half<-1>(sums, xa, xb, ya, yb, aa, ab, ba, bb);
    half<1>(sums, xa, xb, ya, yb, aa, ab, ba, bb);
  }

 private:
  // The limit that the cell's place must be below, to come before its neighbour.
  template <int z, int x, int y>
  [[nodiscard]] Vector beyond() const {
    const Vector n = load(rows_[z + 1][x + 1] + at_ + y);
    return 9 * z + 3 * x + y < 0 ? n : L::next(n);
  }
  template <int z, int x, int y, int field>
  void add(Sums<Place>& sums, Vector limit) const {
    constexpr int face = 9 * (z + 1) + 3 * (x + 1) + y + 1;
    const auto among = L::of_bits(all_wanted ? ~std::uint64_t{0} : wanted_->bits[face] >> shift_);
    sums.template add<field>(L::less(among, v_, limit));
  }
  // The limit for an edge: of the cell across it and of those across the squares beside it.
  template <int z, int x, int y, int field>
  Vector edge(Sums<Place>& sums, Vector a, Vector b) const {
    const Vector limit = L::least(L::least(a, b), beyond<z, x, y>());
    add<z, x, y, field>(sums, limit);
    return limit;
  }
  // Counts the faces before (z = −1) or after (z = 1) the cell.
  template <int z>
  void half(Sums<Place>& sums, Vector xa, Vector xb, Vector ya, Vector yb, Vector aa, Vector ab,
            Vector ba, Vector bb) const {
    const Vector square = beyond<z, 0, 0>();
    add<z, 0, 0, kSquareXY>(sums, square);
    const Vector a = edge<z, 0, -1, kEdgeX>(sums, square, ya);
    const Vector b = edge<z, 0, 1, kEdgeX>(sums, square, yb);
    const Vector before = edge<z, -1, 0, kEdgeY>(sums, square, xa);
    const Vector after = edge<z, 1, 0, kEdgeY>(sums, square, xb);
    corner<z, -1, -1>(sums, before, a, aa);
    corner<z, -1, 1>(sums, before, b, ab);
    corner<z, 1, -1>(sums, after, a, ba);
    corner<z, 1, 1>(sums, after, b, bb);
  }
  template <int z, int x, int y>
  void corner(Sums<Place>& sums, Vector a, Vector b, Vector c) const {
    add<z, x, y, kCorner>(sums, L::least(L::least(a, b), L::least(c, beyond<z, x, y>())));
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

template <class Place>
void count_pixels(const PixelStrataRow<Place>& row) {
  using L = Lanes<Place>;
  for (std::int64_t begin = 0; begin < row.count; begin += kStrataBlock) {
    const Vector first = L::spread(row.rows[1][1][begin]);
    bool uniform = true;
    for (std::int64_t y = begin; y < begin + kStrataBlock; y += kCells<Place>) {
      const Owner<Place, true> owner(row.rows, y, nullptr, 0);
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

template <class Place>
void count_cells(const CellStrataRow<Place>& row) {
  using L = Lanes<Place>;
  constexpr std::uint64_t kLanes =
      kCells<Place> == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (kCells<Place> % 64)) - 1;
  // Divided cells own nothing here, nor does what is outside.
  const Vector none = L::spread(0);
  for (std::int64_t w = 0; w * kStrataBlock < row.count; ++w) {
    row.owning[w] = 0;
    const std::uint64_t near = row.near[w];
    if (near == 0) continue;
    const Wanted wanted = find_wanted(row.same, w);
    for (int shift = 0; shift < kStrataBlock; shift += kCells<Place>) {
      const std::int64_t y = w * kStrataBlock + shift;
      if ((near >> shift & kLanes) == 0) {
        store_words(row.words + y, Sums<Place>().sums);
        continue;
      }
      const Owner<Place, false> owner(row.rows, y, &wanted, shift);
      Sums<Place> found;
      owner.count(found);
      Vector some = found.sums[0];
      for (int i = 1; i < kSums<Place>; ++i) some = either(some, found.sums[i]);
      const std::uint64_t particles = wanted.bits[13] >> shift & kLanes;
      const std::uint64_t owning =
          particles | (L::different(some, Vector{}) & L::different(owner.own(), none));
      row.owning[w] |= owning << shift;
      found.add_word(L::of_bits(owning), kStrataCell);
      found.add_word(L::of_bits(particles), kStrataCube);
      store_words(row.words + y, found.sums);
    }
  }
}

template <class Place>
constexpr StrataKernels<Place> kernels() {
  return {count_pixels<Place>, count_cells<Place>};
}

}  // namespace

extern const StrataKernels<std::uint8_t> strata_kernels_8;
extern const StrataKernels<std::uint16_t> strata_kernels_16;
extern const StrataKernels<std::uint32_t> strata_kernels_32;
const StrataKernels<std::uint8_t> strata_kernels_8 = kernels<std::uint8_t>();
const StrataKernels<std::uint16_t> strata_kernels_16 = kernels<std::uint16_t>();
const StrataKernels<std::uint32_t> strata_kernels_32 = kernels<std::uint32_t>();

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
