#include <functional>
#include <map>
#include <optional>
#include <variant>

#include <gtest/gtest.h>

#include "core/apr/convert/report.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "core/apr/raycast/raycast.hpp"
#include "core/apr/raycast/surface_shading.hpp"
#include "core/base/system.hpp"
#include "core/image/histogram.hpp"
#include "core/image/metrics.hpp"
#include "core/image/scenes.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/write.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/core/memory/failing_allocation.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/volume_slices.hpp"

// Each allocation of a piece of work fails in turn. The work must end with an error or with
// std::bad_alloc in the thread that called it, and be as good as before the next time.

namespace aprscope::test {
namespace {

using Outcome = std::optional<Error>;  // none: done

template <class T>
Outcome outcome(const Result<T>& result) {
  if (result) return {};
  return result.error();
}

// Large enough for several threads to work on.
const Volume& image() {
  static const Volume volume = [] {
    SyntheticOptions options;
    options.size = {40, 48, 48};
    options.objects = 6;
    return *make_synthetic("cells", options);
  }();
  return volume;
}

std::shared_ptr<const Dataset> pixels() { return Dataset::create(Data(image())); }

std::shared_ptr<const Dataset> particles() {
  // A new one each time, so that what is made once for each is made again.
  static const Apr apr = std::get<Apr>(*cpu_backend()->run({"convert", {}}, *pixels(), {}));
  return Dataset::create(Data(apr));
}

Outcome run(const char* operation, const Dataset& input,
            std::map<std::string, ParameterValue> parameters = {}) {
  return outcome(cpu_backend()->run({operation, std::move(parameters)}, input, {}));
}

std::map<std::string, ParameterValue> psf() {
  return {{"iterations", std::int64_t{2}}, {"psf_sigma", std::array<double, 3>{1, 1, 1}}};
}

// Everything that topology measures; what comes of it in spite of all is right.
Outcome topology(const Dataset& input) {
  const Operation all{
      "topology",
      {{"levels", std::int64_t{50}}, {"betti", true}, {"persistence", std::int64_t{5}}}};
  static std::map<bool, std::string> sound;
  const auto found = cpu_backend()->measure(all, input, {});
  if (!found) return found.error();
  // As text: what is not known is not equal to itself.
  std::string text;
  for (const Table& table : found->tables) text += to_csv(table);
  const auto known = sound.find(input.is_apr());
  if (known == sound.end()) {
    sound[input.is_apr()] = std::move(text);
  } else {
    EXPECT_TRUE(known->second == text);
  }
  return {};
}

struct Work {
  const char* name;
  std::function<Outcome()> run;
};

std::ostream& operator<<(std::ostream& out, const Work& work) { return out << work.name; }

class EachAllocation : public ::testing::TestWithParam<Work> {
 protected:
  EachAllocation() { set_thread_count(3); }
  ~EachAllocation() override { set_thread_count(0); }

  // Whether the allocation came. Fails unless it ends as it should.
  static bool fail_at(std::int64_t number, bool lasting) {
    Outcome ended;
    bool thrown = false;
    bool came = false;
    {
      const FailingAllocation failing(number, lasting);
      try {
        ended = GetParam().run();
      } catch (const std::bad_alloc&) {
        thrown = true;
      }
      came = FailingAllocation::came();
    }
    if (!came) {
      EXPECT_FALSE(thrown || ended) << ended->message();
    } else if (ended) {
      EXPECT_NE(ended->message().find("memory"), std::string::npos)
          << "allocation " << number << ": " << ended->message();
    }
    return came;
  }
};

TEST_P(EachAllocation, MayFail) {
  // What is made once for the whole process is made now.
  const Outcome sound = GetParam().run();
  ASSERT_FALSE(sound) << sound->message();
  for (const bool lasting : {false, true}) {
    std::int64_t number = 1;
    while (fail_at(number, lasting)) {
      // The first ones each, then steps that do not fall into the rhythm of a loop.
      number += 1 + (number > (kSanitized ? 40 : 150) ? number / 12 : 0);
      if (HasFailure()) return;
    }
    EXPECT_GT(number, 1);
  }
  const Outcome again = GetParam().run();
  EXPECT_FALSE(again) << again->message();
}

std::vector<Work> works() {
  return {
      {"synthesize",
       [] {
         SyntheticOptions options;
         options.size = {40, 48, 48};
         return outcome(make_synthetic("microtubules", options));
       }},
      {"noise",
       [] {
         Pixels<float> noisy = image().to_float();
         add_gaussian_noise(noisy, 2.0, 1);
         add_poisson_noise(noisy, 2.0, 1);
         return Outcome();
       }},
      {"histogram",
       [] {
         EXPECT_EQ(histogram(image(), 256).count, 40U * 48 * 48);
         return Outcome();
       }},
      {"metrics",
       [] {
         const Pixels<float> values = image().to_float();
         return outcome(compare_images(values, values));
       }},
      {"thresholds",
       [] {
         std::vector<float> values(100'000);
         for (std::size_t i = 0; i < values.size(); ++i) {
           values[i] = static_cast<float>((i * 2654435761U >> 7U) % 5000);
         }
         EXPECT_GT(li_threshold(values), 0.0F);
         return Outcome();
       }},
      {"convert", [] { return run("convert", *pixels()); }},
      {"raycast",
       [] {
         const auto caster = particles()->raycaster({});
         if (!caster) return outcome(caster);
         return outcome((*caster)->render(orbit_camera(image().size(), image().voxel, 20, 10, 1),
                                          64, 64, 9, {}));
       }},
      {"raycast_pixels",
       [] {
         const auto caster = pixels()->raycaster({});
         if (!caster) return outcome(caster);
         return outcome((*caster)->render(orbit_camera(image().size(), image().voxel, 20, 10, 1),
                                          64, 64, 9, {}));
       }},
      {"surface",
       [] {
         const RayCamera camera = orbit_camera(image().size(), image().voxel, 20, 10, 1);
         const auto caster = particles()->raycaster({});
         if (!caster) return outcome(caster);
         const auto depths = (*caster)->surface(camera, 64, 64, 9, 200.0F, {});
         if (!depths) return outcome(depths);
         return outcome(shade_surface(*depths, camera, 1.0));
       }},
      {"topology", [] { return topology(*particles()); }},
      {"topology_pixels", [] { return topology(*pixels()); }},
      {"topology_streamed",
       [] {
         VolumeSlices slices(image());
         return outcome(measure_source({"topology", {}}, slices, image().voxel, 50'000));
       }},
      {"threshold", [] { return run("threshold", *particles()); }},
      {"threshold_pixels", [] { return run("threshold", *pixels()); }},
      {"reconstruct", [] { return run("reconstruct", *particles()); }},
      {"reconstruct_smooth",
       [] {
         return run("reconstruct", *particles(), {{"mode", std::string("smooth")}});
       }},
      {"gaussian", [] { return run("gaussian", *particles()); }},
      {"gaussian_pixels", [] { return run("gaussian", *pixels()); }},
      {"median", [] { return run("median", *particles()); }},
      {"median_pixels", [] { return run("median", *pixels()); }},
      {"gradient", [] { return run("gradient", *particles()); }},
      {"deconvolve", [] { return run("deconvolve", *particles(), psf()); }},
      {"deconvolve_pixels", [] { return run("deconvolve", *pixels(), psf()); }},
      // Recipes and workspaces are missing: the destructor of nlohmann::json takes memory, and ends
      // the program where there is none. memory_end.hpp makes a sentence of that.
      {"tiff",
       [] {
         static const TemporaryFolder folder;
         static const bool written = write_tiff(image(), folder / "image.tif", {}).ok();
         EXPECT_TRUE(written);
         return outcome(load_file((folder / "image.tif").string()));
       }},
      {"write_tiff",
       [] {
         static const TemporaryFolder folder;
         return outcome(write_tiff(image(), folder / "out.tif", {}));
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(All, EachAllocation, ::testing::ValuesIn(works()),
                         [](const auto& work) { return std::string(work.param.name); });

}  // namespace
}  // namespace aprscope::test
