#include "tests/fuzz/seeds/seeds.hpp"
#include "tests/support/em_maker.hpp"

namespace aprscope::fuzz {
namespace {

using test::EmMaker;

void write_maps(const std::filesystem::path& folder, bool big) {
  const std::string order = big ? "big_" : "little_";
  for (const std::int32_t mode : {0, 1, 2, 6, 12, 101}) {
    EmMaker made = EmMaker::mrc({5, 4, 3}, mode, 1.5F, big);
    made.bytes().append(60 * 4, '\x3c');
    write_seed(folder / (order + std::to_string(mode)), made.bytes());
  }
  EmMaker turned = EmMaker::mrc({5, 4, 3}, 2, 1.5F, big);
  turned.integer(17, 3).integer(18, 1).integer(19, 2).integer(24, 16);
  turned.bytes().append(16 + 240, '\x40');
  write_seed(folder / (order + "axes"), turned.bytes());
  EmMaker old = EmMaker::mrc({5, 4, 3}, 2, 1.5F, big).text(53, std::string(8, '\0'));
  old.bytes().append(240, '\x40');
  write_seed(folder / (order + "old"), old.bytes());
  EmMaker maps = EmMaker::mrc({5, 4, 4}, 0, 1.5F, big).integer(10, 2).integer(23, 401);
  maps.bytes().append(80, '\x05');
  write_seed(folder / (order + "maps"), maps.bytes());
  EmMaker map = EmMaker::spider({5, 4, 3}, 3, 0, big);
  map.bytes().append(240, '\x40');
  write_seed(folder / (order + "spider"), map.bytes());
  EmMaker stack = EmMaker::spider({5, 4, 1}, 1, 2, big);
  for (int i = 0; i < 2; ++i) {
    stack.append(EmMaker::spider({5, 4, 1}, 1, 0, big));
    stack.bytes().append(80, '\x40');
  }
  write_seed(folder / (order + "spider_stack"), stack.bytes());
}

}  // namespace

void write_em_seeds(const std::filesystem::path& folder) {
  write_maps(folder, false);
  write_maps(folder, true);
  // gzip of a header is too long to be found by chance; an empty member and bzip2's beginning.
  write_seed(folder / "gzip",
             std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20));
  write_seed(folder / "bzip2", std::string("BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0", 14));
}

void write_star_seeds(const std::filesystem::path& folder) {
  EmMaker stack = EmMaker::mrc({4, 4, 3}, 2, 1.5F).integer(23, 0);
  stack.bytes().append(192, '\x40');
  const std::string end = "\nSTACK\n" + stack.bytes();
  write_seed(
      folder / "relion31",
      "\n# version 30001\n\ndata_optics\n\nloop_\n_rlnOpticsGroupName #1\n_rlnOpticsGroup #2\n"
      "_rlnVoltage #3\n_rlnSphericalAberration #4\n_rlnAmplitudeContrast #5\n"
      "_rlnImagePixelSize #6\n_rlnImageSize #7\n_rlnOddZernike #8\n_rlnMagMat00 #9\n"
      "g1 1 300 2.7 0.1 2.5 4 [0,1,2] 1\n'g 2' 2 200 2.7 0.1 2.4 4 [0,0] 1.1\n\n"
      "data_particles\n\nloop_\n_rlnAngleRot #1\n_rlnAngleTilt #2\n_rlnAnglePsi #3\n"
      "_rlnOriginXAngst #4\n_rlnOriginYAngst #5\n_rlnOpticsGroup #6\n_rlnImageName #7\n"
      "_rlnRandomSubset #8\n_rlnDefocusU #9\n_rlnDefocusV #10\n_rlnDefocusAngle #11\n"
      "9.7 74.3 -10.7 2.6 8.1 1 000001@input.mrcs 1 12000 11000 30\n"
      "-6.5 79.6 -78.5 -6.9 4.0 2 000002@input.mrcs 2 nan 1e4 0\n"
      "1 2 3 4 5 1 000003@input.mrcs 2 1e4 1e4 0\n" +
          end);
  write_seed(
      folder / "relion30",
      "data_\nloop_\n_rlnImageName #1\n_rlnOriginX #2\n_rlnVoltage #3\n_rlnMagnification #4\n"
      "_rlnDetectorPixelSize #5\n_rlnIsFlip\n1@input.mrcs 1 300 37369 5 0\n"
      "1@input.mrcs 2 200 37369 5 1\n9@input.mrcs 2 200 37369 5 1\n2@none.mrcs 0 0 0 0 0\n" +
          end);
  write_seed(folder / "xmipp",
             "# XMIPP_STAR_1 * \n# \ndata_noname\nloop_\n _image\n _angleRot\n _angleTilt\n"
             " _anglePsi\n _shiftX\n _shiftY\n _enabled\n _flip\n _weight\n _classificationData\n"
             " 000001@input.mrcs -80.3 155.2 56.7 0 0 1 0 1 ' 1.0  2.0 '\n"
             " 000002@input.mrcs -80.3 155.2 56.7 0 0 -1 1 0.5 ' 1.0  2.0 '\n" +
                 end);
  write_seed(folder / "single",
             "# XMIPP_STAR_1 *\ndata_a\n _image 1@input.mrcs\n _angleRot 5\n" + end);
}

}  // namespace aprscope::fuzz
