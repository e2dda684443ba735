// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include "core/topology/strata_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

// One of the voxels round a stratum owns it: the one that it enters with, and of several alike the
// first in the order z, x, y. So a voxel is compared with those before it and after it by < and ≤
// (T: the least place owns) or > and ≥ (V: the greatest). A square is owned by who beats the voxel
// beyond it, an edge by who beats the three others round it, a corner by who beats the seven.
//
// Everything in lanes of the width of a place, so that the compiler makes vectors of it.
template <class Place, bool closed>
struct Compare {
  static Place earlier(Place v, Place n) { return static_cast<Place>(closed ? v < n : v > n); }
  static Place later(Place v, Place n) { return static_cast<Place>(closed ? v <= n : v >= n); }
};

template <class Place, bool closed>
void count_row(const StrataRow<Place>& row) {
  using C = Compare<Place, closed>;
  const Place* __restrict r00 = row.rows[0][0];
  const Place* __restrict r01 = row.rows[0][1];
  const Place* __restrict r02 = row.rows[0][2];
  const Place* __restrict r10 = row.rows[1][0];
  const Place* __restrict r11 = row.rows[1][1];
  const Place* __restrict r12 = row.rows[1][2];
  const Place* __restrict r20 = row.rows[2][0];
  const Place* __restrict r21 = row.rows[2][1];
  const Place* __restrict r22 = row.rows[2][2];
  std::uint8_t* __restrict corner = row.owned[0];
  std::uint8_t* __restrict edge_y = row.owned[1];
  std::uint8_t* __restrict edge_x = row.owned[2];
  std::uint8_t* __restrict square_xy = row.owned[3];
  std::uint8_t* __restrict edge_z = row.owned[4];
  std::uint8_t* __restrict square_zy = row.owned[5];
  std::uint8_t* __restrict square_zx = row.owned[6];
  std::uint8_t* __restrict uneven = row.uneven;
  for (std::int64_t y = 0; y < row.count; ++y) {
    const Place v = r11[y];
    // Squares, by the axis that they are perpendicular to: a before, b beyond.
    const Place za = C::earlier(v, r01[y]);
    const Place zb = C::later(v, r21[y]);
    const Place xa = C::earlier(v, r10[y]);
    const Place xb = C::later(v, r12[y]);
    const Place ya = C::earlier(v, r11[y - 1]);
    const Place yb = C::later(v, r11[y + 1]);
    // Edges along y: quadrants of z and x; likewise along x and z.
    const Place e_aa = za & xa & C::earlier(v, r00[y]);
    const Place e_ab = za & xb & C::earlier(v, r02[y]);
    const Place e_ba = zb & xa & C::later(v, r20[y]);
    const Place e_bb = zb & xb & C::later(v, r22[y]);
    const Place f_aa = za & ya & C::earlier(v, r01[y - 1]);
    const Place f_ab = za & yb & C::earlier(v, r01[y + 1]);
    const Place f_ba = zb & ya & C::later(v, r21[y - 1]);
    const Place f_bb = zb & yb & C::later(v, r21[y + 1]);
    const Place g_aa = xa & ya & C::earlier(v, r10[y - 1]);
    const Place g_ab = xa & yb & C::earlier(v, r10[y + 1]);
    const Place g_ba = xb & ya & C::later(v, r12[y - 1]);
    const Place g_bb = xb & yb & C::later(v, r12[y + 1]);
    const Place c_aaa = e_aa & f_aa & g_aa & C::earlier(v, r00[y - 1]);
    const Place c_aab = e_aa & f_ab & g_ab & C::earlier(v, r00[y + 1]);
    const Place c_aba = e_ab & f_aa & g_ba & C::earlier(v, r02[y - 1]);
    const Place c_abb = e_ab & f_ab & g_bb & C::earlier(v, r02[y + 1]);
    const Place c_baa = e_ba & f_ba & g_aa & C::later(v, r20[y - 1]);
    const Place c_bab = e_ba & f_bb & g_ab & C::later(v, r20[y + 1]);
    const Place c_bba = e_bb & f_ba & g_ba & C::later(v, r22[y - 1]);
    const Place c_bbb = e_bb & f_bb & g_bb & C::later(v, r22[y + 1]);
    const Place xy = za + zb;
    const Place zy = xa + xb;
    const Place zx = ya + yb;
    const Place along_y = e_aa + e_ab + e_ba + e_bb;
    const Place along_x = f_aa + f_ab + f_ba + f_bb;
    const Place along_z = g_aa + g_ab + g_ba + g_bb;
    const Place corners = c_aaa + c_aab + c_aba + c_abb + c_baa + c_bab + c_bba + c_bbb;
    square_xy[y] = static_cast<std::uint8_t>(xy);
    square_zy[y] = static_cast<std::uint8_t>(zy);
    square_zx[y] = static_cast<std::uint8_t>(zx);
    edge_y[y] = static_cast<std::uint8_t>(along_y);
    edge_x[y] = static_cast<std::uint8_t>(along_x);
    edge_z[y] = static_cast<std::uint8_t>(along_z);
    corner[y] = static_cast<std::uint8_t>(corners);
    uneven[y] = static_cast<std::uint8_t>((xy ^ 1) | (zy ^ 1) | (zx ^ 1) | (along_y ^ 1) |
                                          (along_x ^ 1) | (along_z ^ 1) | (corners ^ 1));
  }
}

}  // namespace

extern const StrataKernels kernels_of_strata;
const StrataKernels kernels_of_strata{count_row<std::uint8_t, true>, count_row<std::uint16_t, true>,
                                      count_row<std::uint8_t, false>,
                                      count_row<std::uint16_t, false>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
