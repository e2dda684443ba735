// Stencil files in JSON: what is read is written and read again as the same.
#include "core/operations/filter/stencil_file.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  static const fuzz::InputFile file("input.json");
  const auto stencil = load_stencil(file.with(data, size));
  if (!stencil) {
    fuzz::expect_sentence(stencil.error());
    return 0;
  }
  fuzz::expect(check(*stencil).ok(), "a stencil that was read can be used");
  static_cast<void>(separate(*stencil));
  const auto again = stencil_from_json(stencil_to_json(*stencil), "again");
  fuzz::expect(again.ok(), "a stencil that was written can be read");
  fuzz::expect(again->weights == stencil->weights, "weights survive being written and read");
  return 0;
}
