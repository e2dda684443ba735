// Recipes: what is read is written and read again as the same.
#include "core/pipeline/recipe.hpp"
#include "tests/fuzz/support/expect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  const auto recipe = recipe_from_json({reinterpret_cast<const char*>(data), size});
  if (!recipe) {
    fuzz::expect_sentence(recipe.error());
    return 0;
  }
  for (const Operation& step : recipe->steps) static_cast<void>(describe(step));
  const std::string text = to_json(*recipe);
  const auto again = recipe_from_json(text);
  fuzz::expect(again.ok(), "a recipe that was written can be read");
  fuzz::expect(to_json(*again) == text, "a recipe that was read and written stays the same");
  return 0;
}
