#pragma once

#include <cstdint>

#include "core/image/labels.hpp"
#include "gpu/cells/component_labels.hpp"

// The data that labelling works on: images as words of 32 pixels, contacts between rows, and trees
// of pixels. A pixel's parent in its tree always comes earlier in the image.
namespace aprscope::gpu::labelling {

// A tile: 64 words, each a row of 32 pixels, kDepth slices deep. Eight warps take eight rows each.
constexpr int kRows = 64;
constexpr int kWarps = 8;
constexpr int kRowsEach = kRows / kWarps;
constexpr int kThreads = kWarps * 32;

// Flag of a label that still names the parent of its pixel; without it the label is a number.
constexpr std::uint32_t kParent = 0x80000000U;
constexpr std::uint32_t kAll = 0xFFFFFFFFU;

// An image as words; pixel p is bit p % 32 of word p / 32.
struct WordGrid {
  Int3 size;
  std::uint32_t row_words = 0;
  Int3 tiles;

  __device__ std::uint32_t word(int z, int x, int w) const {
    return (static_cast<std::uint32_t>(z) * static_cast<std::uint32_t>(size.x) +
            static_cast<std::uint32_t>(x)) *
               row_words +
           static_cast<std::uint32_t>(w);
  }
};

// The first pixel of the run that pixel `lane` belongs to.
inline __device__ std::uint32_t run_start(std::uint32_t word, unsigned lane) {
  const std::uint32_t gaps = ~word & ((1U << lane) - 1U);
  return 32U - static_cast<unsigned>(__clz(static_cast<int>(gaps)));
}

// A word of a row, and the word shifted so that each bit holds the pixel's left / right neighbour.
struct WordRow {
  std::uint32_t at = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};
inline __device__ WordRow alone(std::uint32_t word) { return {word, word << 1, word >> 1}; }

// Contacts of the pixels of a row with those of an earlier row: straight, and with the pixel to the
// left / right. Of adjacent contacts between the same two runs only the first is kept.
struct RowContacts {
  std::uint32_t straight = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

// Contacts of rows that share faces. A slanted contact is left out where one of the two pixels that
// touch both is set: that pixel joins them anyway.
template <Connectivity connectivity>
inline __device__ RowContacts face_contacts(const WordRow& m, const WordRow& n) {
  RowContacts found;
  const std::uint32_t both = m.at & n.at;
  found.straight = both & ~(both << 1);
  if constexpr (connectivity != Connectivity::faces) {
    const std::uint32_t free = m.at & ~n.at;
    found.left = free & n.left & ~m.left;
    found.right = free & n.right & ~m.right;
  }
  return found;
}

// Contacts of rows that share edges; p and q are the two rows that touch both.
template <Connectivity connectivity>
inline __device__ RowContacts edge_contacts(const WordRow& m, const WordRow& n, const WordRow& p,
                                            const WordRow& q) {
  RowContacts found;
  const std::uint32_t free = m.at & ~(p.at | q.at);
  const std::uint32_t both = free & n.at;
  found.straight = both & ~(both << 1);
  if constexpr (connectivity == Connectivity::corners) {
    const std::uint32_t apart = free & ~n.at;
    found.left = apart & n.left & ~(m.left | p.left | q.left);
    found.right = apart & n.right & ~(m.right | p.right | q.right);
  }
  return found;
}

// The root of a's tree; halves the path to it. Nodes never come before their parents.
template <std::uint32_t flag>
inline __device__ std::uint32_t find(std::uint32_t* nodes, std::uint32_t a) {
  auto* const parents = static_cast<volatile std::uint32_t*>(nodes);
  std::uint32_t at = parents[a] & ~flag;
  if (at == a) return a;
  for (;;) {
    const std::uint32_t next = parents[at] & ~flag;
    if (next == at) return at;
    parents[a] = next | flag;
    a = at;
    at = next;
  }
}

// Joins two trees: the larger root becomes a child of the smaller. `flag`: a bit of all parents.
template <std::uint32_t flag>
inline __device__ void join(std::uint32_t* nodes, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = find<flag>(nodes, a);
    b = find<flag>(nodes, b);
    if (a == b) return;
    const std::uint32_t most = max(a, b);
    const std::uint32_t least = min(a, b);
    const std::uint32_t old = atomicMin(nodes + most, least | flag) & ~flag;
    if (old == most) return;
    a = old;
    b = least;
  }
}

// Removes straight contacts that contain a pixel of `square`, where the rows beside touch both rows
// and each other: such contacts join nothing new. Contacts start at `starts` and lie in `both`.
// With the bits reversed, the carry of such a pixel runs past the first pixel of the contact.
inline __device__ std::uint32_t without_squares(std::uint32_t starts, std::uint32_t both,
                                                std::uint32_t square) {
  const std::uint32_t reversed = __brev(both);
  const std::uint64_t sum = std::uint64_t{reversed} + __brev(both & square);
  return starts & ~__brev(static_cast<std::uint32_t>((sum & ~std::uint64_t{reversed}) >> 1));
}

// Reads a label of the image while other threads join tiles, hence volatile.
inline __device__ std::uint32_t load(const std::uint32_t* labels, std::uint32_t a) {
  return *static_cast<const volatile std::uint32_t*>(labels + a);
}

}  // namespace aprscope::gpu::labelling
