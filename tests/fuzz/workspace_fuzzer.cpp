// Workspaces: what is read is written and read again as the same.
#include "app/gui/document/workspace/window_workspace.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aprscope;
  static const fuzz::InputFile file("input.aprscope");
  const auto workspace = gui::load_window_workspace(file.with(data, size));
  if (!workspace) {
    fuzz::expect_sentence(workspace.error());
    return 0;
  }
  const std::string text = to_json(*workspace);
  const auto again = gui::window_workspace_from_json(text);
  fuzz::expect(again.ok(), "a workspace that was written can be read");
  fuzz::expect(to_json(*again) == text, "a workspace that was read and written stays the same");
  return 0;
}
