// Folders of Zarr 2, Zarr 3 and N5, and OME-NGFF over a sound array. The first byte chooses which;
// the metadata follow to a zero byte, then the only chunk.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "tests/fuzz/support/input_file.hpp"
#include "tests/fuzz/support/read_everything.hpp"

namespace {

using aprscope::fuzz::InputFile;

void put(const InputFile& file, std::string_view bytes) {
  file.with(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

struct Store {
  InputFile metadata;
  InputFile chunk;
  std::string folder;

  Store(const std::string& name, const std::string& metadata_key, const std::string& chunk_key)
      : metadata(name + "/" + metadata_key), chunk(name + "/" + chunk_key) {
    folder = std::filesystem::path(metadata.with(nullptr, 0)).parent_path();
  }
};

// A group whose attributes change, with an array that does not.
Store pyramid() {
  Store made("pyramid", ".zattrs", "0/0.0.0");
  put(InputFile("pyramid/.zgroup"), R"({"zarr_format": 2})");
  put(InputFile("pyramid/0/.zarray"),
      R"({"zarr_format": 2, "shape": [2, 3, 4], "chunks": [2, 3, 4], "dtype": "|u1",
          "compressor": null, "fill_value": 0, "order": "C", "filters": null})");
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<Store, 4> stores{Store("two", ".zarray", "0.0.0"),
                                           Store("three", "zarr.json", "c/0/0/0"),
                                           Store("n5", "attributes.json", "0/0/0"), pyramid()};
  if (size == 0) return 0;
  const Store& store = stores[data[0] % stores.size()];
  const std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  put(store.metadata, rest.substr(0, end));
  put(store.chunk, rest.substr(std::min(end + 1, rest.size())));
  aprscope::fuzz::read_everything(store.folder);
  return 0;
}
