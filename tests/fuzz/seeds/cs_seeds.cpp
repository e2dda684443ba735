// Tables of cryoSPARC.
#include "tests/fuzz/seeds/seeds.hpp"
#include "tests/support/npy_maker.hpp"

namespace aprscope::fuzz {

using test::NpyMaker;

void write_cs_seeds(const std::filesystem::path& folder) {
  NpyMaker rows;
  for (std::uint64_t i = 0; i < 3; ++i) {
    rows.whole(i, 8).text("input.mrcs", 12).whole(i).whole(4).whole(4).real(2.5F);
    for (const float v : {0.3F, -1.0F, 0.2F, 0.5F, -0.25F}) rows.real(v);
    rows.whole(i % 2).real(300.0F).real(12000.0F).real(0.0F).real(0.1F);
  }
  const std::string fields =
      "[('uid','<u8'),('blob/path','|S12'),('blob/idx','<u4'),('blob/shape','<u4',(2,)),"
      "('blob/psize_A','<f4'),('alignments3D/pose','<f4',(3,)),('alignments3D/shift','<f4',(2,)),"
      "('alignments3D/split','<u4'),('ctf/accel_kv','<f4'),('ctf/df1_A','<f4'),"
      "('ctf/tilt_A','<f4',(2,))]";
  write_seed(folder / "particles", NpyMaker::header(fields, "(3,)") + rows.bytes());
  write_seed(folder / "version2", NpyMaker::header(fields, "(3,)", 2) + rows.bytes());
  NpyMaker wide;
  wide.whole('a').whole(0).whole(1, 2).real8(0.5);
  write_seed(
      folder / "wide",
      NpyMaker::header("[('blob/path','<U2'),('blob/idx','<i2'),('ctf/df1_A','<f8')]", "(1,)") +
          wide.bytes());
}

}  // namespace aprscope::fuzz
