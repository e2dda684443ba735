#include "tests/core/io/imaris/imaris_maker.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

using test::ImarisMaker;
using test::ImarisText;

ImarisMaker small() {
  ImarisMaker maker;
  maker.levels = {{{2, 3, 4}, {2, 4, 4}}};
  maker.stored = [](hid_t list) {
    const hsize_t chunk[] = {1, 4, 4};
    H5Pset_chunk(list, 3, chunk);
    H5Pset_deflate(list, 1);
  };
  return maker;
}

}  // namespace

void write_ims_seeds(const std::filesystem::path& folder) {
  const auto write = [&](const ImarisMaker& maker, const std::string& name) {
    for (const bool latest : {false, true}) {
      maker.write(folder / (name + (latest ? "_latest.ims" : ".ims")), latest);
    }
  };
  write(small(), "one");
  ImarisMaker many = small();
  many.levels.push_back({{2, 2, 2}, {2, 2, 4}});
  many.stored = [](hid_t) {};
  many.channels = {0, 1};
  many.times = {0, 2};
  many.missing = {{2, 1}};
  many.type = H5T_STD_U8LE;
  write(many, "many");
  ImarisMaker texts = small();
  texts.kept = ImarisText::text;
  texts.type = H5T_IEEE_F32LE;
  // Texts of lengths of their own lie in a heap, and damage there makes libhdf5 go round in circles
  // until its helper is ended, seconds each time.
  write(texts, "texts");
  write_seed(folder / "image.txt",
             "X=7\nY=6\nZ=5\nExtMin0=30\nExtMin1=20\nExtMin2=10\nExtMax0=31.75\nExtMax1=23\n"
             "ExtMax2=20\nUnit=um\nImageSizeX=4\nImageSizeY=3\nImageSizeZ=5\n");
  write_seed(folder / "channel.txt",
             "Name=GFP\nColor=0.000 0.500 1.000\nColorMode=BaseColor\nColorRange=12.5 4000\n"
             "FileTimePoints=3\nDatasetTimePoints=9\nChannel 12=\n");
}

}  // namespace aprscope::fuzz
