// Deconvolution from file to file against the same in memory.
#include "core/operations/deconvolve/file_deconvolution.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/deconvolve/slab_sweeps.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/deconvolution/explicit_blur.hpp"
#include "tests/support/open_slabs.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

using Parameters = std::map<std::string, ParameterValue>;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Operation deconvolution(const Parameters& more) {
  Operation operation{"deconvolve", {}};
  operation.parameters["psf"] = std::string("gaussian");
  operation.parameters["psf_sigma"] = std::array<double, 3>{1.2, 1.2, 1.2};
  operation.parameters["psf_size"] = std::array<double, 3>{7, 7, 7};
  operation.parameters["iterations"] = std::int64_t{4};
  for (const auto& [id, value] : more) operation.parameters[id] = value;
  const auto whole = complete(operation);
  EXPECT_TRUE(whole.ok()) << whole.error().message();
  return whole ? *whole : Operation{};
}

// Photons of a scene on a random structure: light from 0 up, zeros among it.
Apr photons(const RandomAprOptions& shape) {
  Apr apr = random_apr(shape);
  std::vector<std::uint16_t> values;
  for (const float v : apr.main_field()->to_float()) {
    values.push_back(static_cast<std::uint16_t>(std::max(0.0F, std::abs(v) * 100.0F - 5.0F)));
  }
  apr.fields.front() = std::make_shared<const Field>(Field{apr.fields.front()->name, values});
  apr.history = {"made by chance"};
  apr.voxel = {2.0, 0.5, 0.5, "µm"};
  return apr;
}

class FileDeconvolution : public testing::Test {
 protected:
  // The least memory that goes for this plan.
  std::uint64_t least_memory(const Operation& operation) {
    AprFileSlabs file = open_slabs(source_);
    const DeconvolutionPlan plan = *plan_deconvolution(operation, file.facts().voxel, file.size());
    const auto reached = [&](int coarsest) {
      return slices_reached(plan.psf, plan.boundary, file.level_max(), coarsest);
    };
    std::uint64_t memory = std::uint64_t{12} << 20U;
    while (!plan_slabs(file, reached, memory, 1, kBytesOfLists)) memory += 5000;
    // Beside what it knows of the volumes of cells.
    const auto data = load_file(source_.string());
    const auto volumes = cell_volumes(*std::get<Apr>(*data).access);
    return memory + 2 * volumes.size() * sizeof(WeightRun);
  }

  void expect_bytes_of_the_whole(const Operation& operation, std::int64_t least_slabs) {
    auto data = load_file(source_.string());
    ASSERT_TRUE(data.ok());
    const auto whole = execute({operation}, Dataset::create(*std::move(data)), *cpu_backend());
    ASSERT_TRUE(whole.ok()) << whole.error().message();
    ASSERT_TRUE(write_apr(whole->data->apr(), expected_, {.with_tree = true}).ok());
    const std::string expected = bytes_of(expected_);
    // With no room for structures, and with room for some of them.
    const std::uint64_t least = least_memory(operation);
    for (const std::uint64_t memory : {least, 2 * least}) {
      AprFileSlabs file = open_slabs(source_);
      FileRunOptions options{memory, true};
      int told = 0;
      options.hooks.observer = [&](const IterationReport& report, auto) {
        EXPECT_EQ(report.iteration, ++told);
      };
      std::string stage;
      double before = 0.0;
      const JobContext context({}, [&](double fraction, std::string_view words) {
        EXPECT_GE(fraction, before) << words;
        before = fraction;
        if (words.starts_with("iteration")) stage = words;
      });
      const auto done = deconvolve_apr_file(operation, file, options, result_, context);
      ASSERT_TRUE(done.ok()) << done.error().message();
      if (memory == least) {
        EXPECT_GE(done->slabs, least_slabs);
      }
      EXPECT_TRUE(stage.starts_with("iteration " + std::to_string(told) + " of ")) << stage;
      EXPECT_LE(before, 1.0);
      EXPECT_TRUE(bytes_of(result_) == expected) << "files of " << expected.size() << " bytes";
    }
  }

  TemporaryFolder folder_;
  std::filesystem::path source_ = folder_ / "source.apr";
  std::filesystem::path expected_ = folder_ / "expected.apr";
  std::filesystem::path result_ = folder_ / "result.apr";
};

TEST_F(FileDeconvolution, FilesHaveTheBytesOfTheWhole) {
  // Not its own mirror image, and not separable.
  const Stencil skewed = skewed_psf({5, 3, 5});
  const Operation operations[] = {
      deconvolution({}),
      deconvolution({{"psf", std::string("given")}, {"psf_weights", skewed}}),
      deconvolution({{"boundary", std::string("zero")}, {"start", std::string("constant")}}),
      deconvolution({{"accelerate", true}, {"background", 3.0}}),
      deconvolution({{"regularisation", std::string("total_variation")}, {"strength", 0.01}}),
      deconvolution({{"regularisation", std::string("tikhonov_miller")},
                     {"strength", 0.01},
                     {"accelerate", true}}),
      deconvolution(
          {{"offset_auto", true}, {"stop_change", 0.05}, {"iterations", std::int64_t{9}}}),
  };
  const RandomAprOptions shapes[] = {
      {{70, 40, 52}, 1, 0.6, true}, {{33, 90, 70}, 3, 0.55, false}, {{9, 90, 120}, 5, 0.7, true}};
  SanitizedShare share(3);
  for (const RandomAprOptions& shape : shapes) {
    ASSERT_TRUE(write_apr(photons(shape), source_, {.with_tree = true}).ok());
    for (const Operation& operation : operations) {
      if (!share.takes()) continue;
      SCOPED_TRACE(describe(operation) + " of " + std::to_string(shape.size.z) + " slices");
      expect_bytes_of_the_whole(operation, shape.size.z > 60 ? 2 : 1);
    }
  }
}

TEST_F(FileDeconvolution, EndsEarlyWithTheIterateThatItHas) {
  ASSERT_TRUE(write_apr(photons({{70, 40, 52}, 1, 0.6, true}), source_, {}).ok());
  AprFileSlabs file = open_slabs(source_);
  const Operation operation = deconvolution({{"iterations", std::int64_t{30}}});
  std::stop_source keep;
  FileRunOptions options{least_memory(operation), true};
  options.hooks.keep = keep.get_token();
  options.hooks.observer = [&](const IterationReport& report, auto) {
    if (report.iteration == 2) keep.request_stop();
  };
  const auto done = deconvolve_apr_file(operation, file, options, result_);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(done->partial);
  const auto kept = load_file(result_.string());
  ASSERT_TRUE(kept.ok());
  EXPECT_NE(std::get<Apr>(*kept).history.back().find("2 of 30 iterations, partial"),
            std::string::npos)
      << std::get<Apr>(*kept).history.back();
  // The iterate is the result of as many iterations.
  const auto two = execute({deconvolution({{"iterations", std::int64_t{2}}})},
                           Dataset::create(*load_file(source_.string())), *cpu_backend());
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(std::get<Apr>(*kept).main_field()->values, two->data->apr().main_field()->values);
}

TEST_F(FileDeconvolution, SaysWhatNeedsAllParticlesInMemory) {
  ASSERT_TRUE(write_apr(photons({{70, 40, 52}, 1, 0.6, true}), source_, {}).ok());
  AprFileSlabs file = open_slabs(source_);
  const Stencil wide = skewed_psf({11, 9, 9});
  const std::pair<Parameters, const char*> refused[] = {
      {{{"psf", std::string("given")},
        {"psf_weights", wide},
        {"psf_size", std::array<double, 3>{11, 9, 9}}},
       "far part"},
      {{{"back_projector", std::string("wiener_butterworth")}}, "back projector"},
      {{{"photon_gain", 2.0}, {"stop", std::string("held_out")}}, "photons"},
      {{{"start", std::string("file")}, {"start_file", std::string("earlier.apr")}}, "start"},
      {{{"background_file", std::string("b.tif")}}, "background"},
  };
  for (const auto& [parameters, why] : refused) {
    const auto done = deconvolve_apr_file(deconvolution(parameters), file,
                                          {std::uint64_t{1} << 30U, false}, result_);
    ASSERT_FALSE(done.ok()) << why;
    EXPECT_NE(done.error().message().find(why), std::string::npos) << done.error().message();
    EXPECT_NE(done.error().message().find("in memory"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(result_));
}

TEST_F(FileDeconvolution, AnErrorLeavesTheOutputAsItWas) {
  Apr apr = photons({{70, 40, 52}, 1, 0.6, true});
  ASSERT_TRUE(write_apr(apr, source_, {}).ok());
  std::ofstream(result_) << "as it was";
  const Operation operation = deconvolution({});
  {
    AprFileSlabs file = open_slabs(source_);
    const auto short_of = deconvolve_apr_file(operation, file, {1000, false}, result_);
    ASSERT_FALSE(short_of.ok());
    EXPECT_NE(short_of.error().message().find("memory"), std::string::npos);
    std::stop_source stop;
    FileRunOptions options{least_memory(operation), false};
    options.hooks.observer = [&](const IterationReport&, auto) { stop.request_stop(); };
    const auto cancelled =
        deconvolve_apr_file(operation, file, options, result_, JobContext(stop.get_token()));
    ASSERT_FALSE(cancelled.ok());
    EXPECT_TRUE(cancelled.error().cancelled());
    ::setenv("TMPDIR", (folder_ / "none").c_str(), 1);
    const auto no_disk =
        deconvolve_apr_file(operation, file, {std::uint64_t{1} << 30U, false}, result_);
    ::unsetenv("TMPDIR");
    ASSERT_FALSE(no_disk.ok());
    EXPECT_NE(no_disk.error().message().find("TMPDIR"), std::string::npos);
  }
  std::vector<float> values = apr.main_field()->to_float();
  // As in memory: also what is too large to compute with.
  values[values.size() / 2] = 1e20F;
  apr.fields.front() = std::make_shared<const Field>(Field{apr.fields.front()->name, values});
  ASSERT_TRUE(write_apr(apr, source_, {}).ok());
  AprFileSlabs file = open_slabs(source_);
  const auto nan = deconvolve_apr_file(operation, file, {std::uint64_t{1} << 30U, false}, result_);
  ASSERT_FALSE(nan.ok());
  const auto in_memory =
      execute({operation}, Dataset::create(*load_file(source_.string())), *cpu_backend());
  ASSERT_FALSE(in_memory.ok());
  EXPECT_EQ(nan.error().what, in_memory.error().what);
  EXPECT_EQ(bytes_of(result_), "as it was");
}

}  // namespace
}  // namespace aprscope::test
