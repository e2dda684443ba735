#include "core/io/write.hpp"
#include "tests/core/io/apr_layouts.hpp"
#include "tests/core/io/apr_write_fixture.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

using namespace test;

void write_ours(const std::filesystem::path& path, const std::vector<Apr>& series, bool tree) {
  const Status written = write_apr_series(series, path, {tree});
  must(written.ok(), path.string());
}

// The layouts that only the reference library wrote.
void write_theirs(const std::filesystem::path& path, bool old, bool quads) {
  const Size3 size{5, 8, 9};
  const std::vector<Cell> cells = random_cells(size, 3);
  PlainHdf5 file(path, PlainHdf5::Mode::create);
  file.group(kRoot);
  file.group(kGroup);
  write_sizes(file, kGroup, size, cells.size());
  if (!old) {
    write_linear(file, size, cells);
    file.dataset(kGroup + "/parts", values_of(cells));
    // Within-noise-level coding.
    file.attribute(kGroup, "compress_type", 1);
    file.attribute(kGroup, "quantization_factor", 1.0F);
    file.attribute(kGroup, "compress_background", 100.0F);
    return;
  }
  const OldArrays arrays = old_arrays(size, cells);
  write_old(file, arrays, kGroup);
  file.dataset(kGroup + "/particle_intensities", values_of(quads ? arrays.order : cells));
  if (!quads) file.attribute(kGroup, "lzxy_order", 1);
}

}  // namespace

void write_apr_seeds(const std::filesystem::path& folder) {
  const Size3 size{6, 7, 9};
  const Apr plain = make_apr(size, random_cells(size, 5));
  write_ours(folder / "plain.apr", {plain}, false);
  write_ours(folder / "tree.apr", {plain}, true);
  write_ours(folder / "flat.apr", {make_apr({1, 9, 9}, random_cells({1, 9, 9}, 5))}, true);
  write_ours(folder / "rich.apr", {rich_apr({4, 5, 6}, 2)}, false);
  Apr later = plain;
  later.time = 1;
  Apr other = plain;
  other.channel = "red";
  other.channel_index = 1;
  write_ours(folder / "series.apr", {plain, later, other}, false);
  write_theirs(folder / "linear.apr", false, false);
  write_theirs(folder / "old.apr", true, false);
  write_theirs(folder / "old_quads.apr", true, true);
}

}  // namespace aprscope::fuzz
