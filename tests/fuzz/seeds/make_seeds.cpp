// Writes the seeds of all targets: fuzz_seeds FOLDER → FOLDER/TARGET/….
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {

void must(bool made, const std::string& what) {
  if (made) return;
  std::fprintf(stderr, "fuzz_seeds: cannot make %s\n", what.c_str());
  std::exit(1);
}

void write_seed(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  must(out.good(), path.string());
}

}  // namespace aprscope::fuzz

int main(int argc, char** argv) {
  using namespace aprscope::fuzz;
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path root = argv[1];
  for (const char* target :
       {"tiff", "psf_file", "hdf5",    "apr",    "em",     "star",      "cs",
        "zarr", "bdv",      "ims",     "tiles",  "recipe", "workspace", "stencil",
        "spec", "ome",      "colours", "slices", "words",  "cells"}) {
    std::filesystem::create_directories(root / target);
  }
  write_tiff_seeds(root / "tiff");
  write_psf_seeds(root / "psf_file");
  write_hdf5_seeds(root / "hdf5");
  write_apr_seeds(root / "apr");
  write_em_seeds(root / "em");
  write_star_seeds(root / "star");
  write_cs_seeds(root / "cs");
  write_zarr_seeds(root / "zarr");
  write_bdv_seeds(root / "bdv");
  write_ims_seeds(root / "ims");
  write_text_seeds(root);
  write_name_seeds(root);
  return 0;
}
