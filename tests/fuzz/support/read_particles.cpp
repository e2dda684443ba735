#include "tests/fuzz/support/read_particles.hpp"

#include <cstring>

#include "core/apr/slice.hpp"
#include "core/apr/tree.hpp"
#include "core/io/apr_part.hpp"
#include "core/io/apr_summary.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/read_pixels.hpp"

namespace aprscope::fuzz {
namespace {

constexpr std::uint64_t kMostParticles = 1 << 20;

void read_parts(const SourceInfo& info, const SourceSelection& selection) {
  const Index3 last{info.size.z, info.size.x, info.size.y};
  const Region corner{{0, 0, 0}, {(last.z + 1) / 2, (last.x + 1) / 2, (last.y + 1) / 2}};
  for (const AprPartRequest& request :
       {AprPartRequest{}, AprPartRequest{1, {}, false}, AprPartRequest{2, corner, false},
        AprPartRequest{0, corner, true}}) {
    const auto part = load_apr_part(info, selection, request);
    if (!part) expect_sentence(part.error());
  }
}

// Every kind of slice through the middle: they walk all lists of the structure.
void draw(const Apr& apr) {
  const Size3 size = apr.access->size();
  const auto field = apr.main_field();
  const std::vector<float> values = field ? field->to_float() : std::vector<float>();
  for (const auto mode :
       {ReconstructionMode::constant, ReconstructionMode::smooth, ReconstructionMode::level}) {
    const Plane plane = slice_particles(*apr.access, values, mode, Axis::x, size.x / 2);
    expect(!field || plane.rows == size.z, "a slice has the size of the image");
  }
}

}  // namespace

void read_particles(const SourceInfo& info, const SourceSelection& selection) {
  const auto summary = summarize_apr(info, selection);
  if (!summary) expect_sentence(summary.error());
  if (!worth_reading(info.size) || info.particles > kMostParticles) return;
  read_parts(info, selection);
  const auto data = load(info, selection);
  if (!data) return expect_sentence(data.error());
  const auto* const apr = std::get_if<Apr>(&*data);
  expect(apr != nullptr && apr->access != nullptr, "an APR is read as one");
  expect(apr->access->size() == info.size, "an APR has the size that its headers say");
  for (const auto& field : apr->fields) {
    expect(field->count() == apr->access->particles().count(), "a field has one value a particle");
  }
  draw(*apr);
}

}  // namespace aprscope::fuzz
