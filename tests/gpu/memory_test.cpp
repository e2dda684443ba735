#include "core/pipeline/backend.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class MemoryTest : public test::CudaTest {
 protected:
  void TearDown() override { gpu::limit_device_memory(0); }
};

std::shared_ptr<const Dataset> dataset(const test::RandomAprOptions& options) {
  Apr apr;
  apr.access = test::random_access(options);
  apr.fields = {std::make_shared<const Field>(
      Field{"particles", test::random_values(apr.access->count(), 7, 0.0F, 1000.0F)})};
  return Dataset::create(std::move(apr));
}

// What does not fit is filtered in parts, to the same bits, and refused with numbers in the end.
TEST_F(MemoryTest, FiltersWorkInPartsWhereMemoryIsShort) {
  const auto backend = *select_backend("cuda:0");
  const Operation operations[] = {
      {"gaussian", {{"sigma", std::array<double, 3>{2, 2, 2}}}},
      {"custom",
       {{"stencil", test::counting_stencil({3, 3, 3})}, {"boundary", std::string("zero")}}},
      {"gradient", {}},
      {"median", {}}};
  for (const auto& options : {test::RandomAprOptions{{300, 40, 70}, 3, 0.95, true},
                              test::RandomAprOptions{{160, 130, 33}, 4, 0.95, false}}) {
    const auto data = dataset(options);
    const std::uint64_t needed = gpu::OctetApr::estimate_bytes(*data->apr().access, 3);
    for (const Operation& operation : operations) {
      SCOPED_TRACE(operation.id);
      gpu::limit_device_memory(0);
      const auto whole = backend->run(operation, *data, {});
      ASSERT_TRUE(whole.ok()) << whole.error().message();
      const auto& expected = std::get<Apr>(*whole).main_field()->values;
      for (const std::uint64_t share : {2, 3}) {
        // Another structure makes the device forget this one.
        ASSERT_TRUE(backend->run({"gaussian", {}}, *dataset({{9, 9, 9}, 1, 0.5, true}), {}).ok());
        gpu::limit_device_memory(gpu::device_memory().used + needed / share);
        const auto parts = backend->run(operation, *data, {});
        ASSERT_TRUE(parts.ok()) << parts.error().message();
        EXPECT_TRUE(std::get<Apr>(*parts).main_field()->values == expected) << share;
        gpu::limit_device_memory(0);
      }
    }
    gpu::limit_device_memory(gpu::device_memory().used + needed / 100);
    ASSERT_TRUE(backend->run({"reconstruct", {}}, *data, {}).ok() == false);
    const auto refused = backend->run(operations[0], *dataset(options), {});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().what.find("GPU memory, but only"), std::string::npos)
        << refused.error().message();
    gpu::limit_device_memory(0);
  }
}

TEST_F(MemoryTest, PixelsArePaintedInSlicesWhereMemoryIsShort) {
  const auto backend = *select_backend("cuda:0");
  const auto data = dataset({{70, 60, 50}, 5, 0.5, true});
  for (const char* mode : {"constant", "smooth", "level"}) {
    const Operation operation{"reconstruct", {{"mode", std::string(mode)}}};
    gpu::limit_device_memory(0);
    const auto whole = backend->run(operation, *data, {});
    ASSERT_TRUE(whole.ok());
    // Room for some slices.
    gpu::limit_device_memory(gpu::device_memory().used + 60 * 50 * 4 * 9);
    const auto slices = backend->run(operation, *data, {});
    ASSERT_TRUE(slices.ok()) << slices.error().message();
    EXPECT_TRUE(std::visit(
        [](const auto& a, const auto& b) {
          if constexpr (std::is_same_v<decltype(a), decltype(b)>) return a.values == b.values;
          return false;
        },
        std::get<Volume>(*slices).pixels, std::get<Volume>(*whole).pixels));
  }
}

}  // namespace
}  // namespace aprscope
