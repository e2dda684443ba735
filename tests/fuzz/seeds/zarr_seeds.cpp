#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

// The codecs' bytes are of no matter: an empty frame of zstd, 48 zeros as gzip, LZ4 or as they are.
const std::string kPlain(48, '\1');
const std::string kZstd("\x28\xb5\x2f\xfd\x20\x30\x4d\x00\x00\x08\x01\x01\x00\x1f\x00\x00", 16);
const std::string kLz4("\x30\0\0\0\x1f\x01\x01\0\x16\x50\x01\x01\x01\x01\x01", 15);

std::string seed(char kind, const std::string& metadata, const std::string& chunk) {
  return kind + metadata + std::string(1, '\0') + chunk;
}

std::string array_2(const std::string& dtype, const std::string& compressor,
                    const std::string& more) {
  return R"({"zarr_format":2,"shape":[2,3,4],"chunks":[2,3,4],"dtype":")" + dtype +
         R"(","compressor":)" + compressor + R"(,"fill_value":0,"order":"C","filters":null)" +
         more + "}";
}

std::string array_3(const std::string& type, const std::string& codecs) {
  return R"({"zarr_format":3,"node_type":"array","shape":[2,3,4],"data_type":")" + type +
         R"(","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,3,4]}},)"
         R"("chunk_key_encoding":{"name":"default"},"fill_value":0,"codecs":[)" +
         codecs + R"(],"dimension_names":["z","y","x"]})";
}

}  // namespace

void write_zarr_seeds(const std::filesystem::path& folder) {
  write_seed(folder / "2_raw", seed(0, array_2("<u2", "null", ""), kPlain));
  write_seed(folder / "2_big",
             seed(0, array_2(">i2", "null", R"(,"dimension_separator":"/")"), kPlain));
  write_seed(folder / "2_lz4", seed(0, array_2("<u2", R"({"id":"lz4"})", ""), kLz4));
  for (const char* id : {"zlib", "gzip", "bz2", "zstd", "blosc"}) {
    write_seed(folder / (std::string("2_") + id),
               seed(0, array_2("|u1", std::string(R"({"id":")") + id + "\"}", ""), kZstd));
  }
  const std::string bytes = R"({"name":"bytes","configuration":{"endian":"little"}})";
  write_seed(folder / "3_raw", seed(1, array_3("uint16", bytes), kPlain));
  write_seed(folder / "3_zstd", seed(1, array_3("uint16", bytes + R"(,{"name":"zstd"})"), kZstd));
  write_seed(folder / "3_transposed",
             seed(1,
                  array_3("float32", R"({"name":"transpose","configuration":{"order":[2,0,1]}},)" +
                                         bytes + R"(,{"name":"crc32c"})"),
                  kPlain + kPlain));
  std::string list(kPlain);
  for (const int value : {0, 48}) {
    list += static_cast<char>(value);
    list.append(7, '\0');
  }
  write_seed(
      folder / "3_shard",
      seed(1,
           array_3("uint16", R"({"name":"sharding_indexed","configuration":{"chunk_shape":[2,3,4],)"
                             R"("codecs":[)" +
                                 bytes + R"(],"index_codecs":[)" + bytes + "]}}"),
           list));
  const std::string head("\0\0\0\3\0\0\0\4\0\0\0\3\0\0\0\2", 16);
  for (const char* type : {"raw", "gzip", "lz4", "bzip2", "blosc"}) {
    write_seed(folder / (std::string("n5_") + type),
               seed(2,
                    std::string(R"({"dimensions":[4,3,2],"blockSize":[4,3,2],"dataType":"uint16",)"
                                R"("compression":{"type":")") +
                        type + R"("},"pixelResolution":{"dimensions":[1,2,3],"unit":"um"}})",
                    head + kPlain));
  }
  write_seed(
      folder / "ngff",
      seed(3,
           R"({"multiscales":[{"version":"0.4","axes":[{"name":"z","type":"space",)"
           R"("unit":"micrometer"},{"name":"y","type":"space"},{"name":"x","type":"space"}],)"
           R"("datasets":[{"path":"0","coordinateTransformations":[{"type":"scale",)"
           R"("scale":[1,2,3]},{"type":"translation","translation":[1,2,3]}]}]}],)"
           R"("omero":{"channels":[{"label":"DAPI"}]}})",
           kPlain));
}

}  // namespace aprscope::fuzz
