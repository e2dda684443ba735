#include "tests/core/io/bdv/bdv_maker.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {

void write_bdv_seeds(const std::filesystem::path& folder) {
  test::BdvXmlMaker one;
  one.setup(0, "<channel>0</channel>").registration(0, 0, {"1 0 0 1 0 2 0 2 0 0 8 3"});
  write_seed(folder / "hdf5.xml", one.text());
  one.loader =
      "<ImageLoader format=\"bdv.hdf5\"><hdf5 type=\"relative\">a.h5</hdf5><partition>"
      "<path type=\"relative\">b.h5</path><timepoints>0</timepoints><setups>0 1</setups>"
      "</partition></ImageLoader>";
  one.setup(1, "<channel>0</channel><tile>1</tile>", "6 4 3");
  one.missing = "<MissingView timepoint=\"0\" setup=\"1\"/>";
  write_seed(folder / "partition.xml", one.text());
  test::BdvXmlMaker many;
  many.loader = "<ImageLoader format=\"bdv.n5\"><n5 type=\"relative\">a.n5</n5></ImageLoader>";
  for (int i = 0; i < 4; ++i) {
    many.setup(i, "<channel>" + std::to_string(i % 2) + "</channel><tile>" + std::to_string(i / 2) +
                      "</tile>");
    many.registration(0, i, {"1 0 0 4 0 1 0 4 0 0 1 4", "0 -1 0 0 1 0 0 0 0 0 1 0"});
  }
  many.attributes =
      "<Attributes name=\"channel\"><Channel><id>0</id><name>GFP</name></Channel></Attributes>";
  for (const char* times :
       {"<Timepoints type=\"pattern\"><integerpattern>0-9:3,12</integerpattern></Timepoints>",
        "<Timepoints type=\"range\"><first>2</first><last>4</last></Timepoints>",
        "<Timepoints type=\"list\"><Timepoint><id>4</id></Timepoint></Timepoints>"}) {
    many.times = times;
    write_seed(folder / (std::string(times).substr(18, 3) + ".xml"), many.text());
  }
}

}  // namespace aprscope::fuzz
