// Filters and point-spread functions as the command line takes them.
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "tests/fuzz/support/expect.hpp"

namespace {

using namespace aprscope;

// Larger ones are made the same way, but not a million times.
constexpr double kLargest = 15.0;

bool is_small(const Operation& operation) {
  for (const auto& [name, value] : operation.parameters) {
    if (const auto* const vector = std::get_if<std::array<double, 3>>(&value)) {
      for (const double number : *vector) {
        if (number > kLargest) return false;
      }
    }
  }
  return true;
}

void read_filter(const std::string& spec) {
  const auto operation = parse_stencil_spec(spec);
  if (!operation) return fuzz::expect_sentence(operation.error());
  const auto again = complete(*operation);
  fuzz::expect(again.ok() && *again == *operation, "an operation that was read is complete");
  static_cast<void>(describe(*operation));
  if (!is_small(*operation)) return;
  const auto stencils = stencils_of(*operation, {2.0, 0.5, 0.5, "µm"}, {8, 8, 8});
  if (!stencils) return fuzz::expect_sentence(stencils.error());
  for (const Stencil& stencil : *stencils) {
    fuzz::expect(check(stencil).ok(), "a stencil that was made can be used");
  }
}

void read_psf(const std::string& spec) {
  auto parameters = parse_psf_spec(spec);
  if (!parameters) return fuzz::expect_sentence(parameters.error());
  const auto whole = complete({"deconvolve", *std::move(parameters)});
  if (!whole) return fuzz::expect_sentence(whole.error());
  static_cast<void>(describe(*whole));
  // Optics take seconds, whatever the text.
  if (parameter<std::string>(*whole, "psf") != "gaussian" || !is_small(*whole)) return;
  const auto made = make_psf(*whole, {2.0, 0.5, 0.5, "µm"}, {8, 8, 8});
  if (!made) return fuzz::expect_sentence(made.error());
  fuzz::expect(check(made->psf).ok(), "a PSF that was made can be used");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // A specification may name any file of this machine; those below the current folder are harmless.
  if (text.find(":/") != std::string::npos || text.find("..") != std::string::npos) return 0;
  read_filter(text);
  read_psf(text);
  return 0;
}
