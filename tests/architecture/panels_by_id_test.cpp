#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

// A panel goes by its id: a number for it would mean another panel as soon as one comes before it.
namespace aprscope {
namespace {

namespace fs = std::filesystem;

struct Line {
  std::string file;  // relative to the source tree
  int number = 0;
  std::string text;
};

std::vector<Line> lines_of_the_window() {
  std::vector<Line> found;
  for (const char* top : {"app/gui", "tests/app/gui"}) {
    for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() / top)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".hpp") continue;
      const std::string name = fs::relative(entry.path(), test::source_dir()).generic_string();
      std::ifstream in(entry.path());
      int number = 0;
      for (std::string line; std::getline(in, line);) found.push_back({name, ++number, line});
    }
  }
  return found;
}

// What a number for a panel looks like; empty for a line without one.
std::string tab_number(const std::string& line) {
  static const std::vector<std::regex> patterns{
      // The tabs asked for a place or told one: tabs().setCurrentIndex(2), tabs_->widget(i).
      std::regex(R"(\btabs?_?(\(\))?\s*(\.|->)\s*)"
                 R"((setCurrentIndex|currentIndex|widget|insertTab|removeTab|setTab\w+)\s*\()"),
      // A panel opened by a place.
      std::regex(R"(\bshow_panel\s*\(\s*(\d|int\b|static_cast<int>))"),
      std::regex(R"(\btabs?_?(\(\))?\s*(\.|->)\s*open\s*\(\s*\d)"),
      // A name for a place: constexpr int kFilterTab = 2, int tab = 0, int panel_index.
      std::regex(R"(\bk\w*Tab(Index|Number)?\s*(=|\{)\s*\d)"),
      std::regex(R"(\b(int|auto|size_t|qsizetype)\s+(\w+_)?tab(_index|_number)?\s*(=|\{|;|,|\)))"),
      std::regex(R"(\b(int|auto|size_t|qsizetype)\s+(\w+_)?panel_(index|number)\b)"),
      std::regex(R"(\benum\b.*\b\w*Tabs?\b)")};
  std::smatch match;
  for (const std::regex& pattern : patterns) {
    if (std::regex_search(line, match, pattern)) return match.str();
  }
  return {};
}

TEST(PanelsById, NoTabIsANumber) {
  const std::vector<Line> lines = lines_of_the_window();
  ASSERT_GT(lines.size(), 10000U);
  for (const Line& line : lines) {
    EXPECT_EQ(tab_number(line.text), "") << line.file << ':' << line.number;
  }
}

TEST(PanelsById, OnlyTheirTabsKnowPlaces) {
  // Through the class of Qt all of it could be reached by numbers again.
  const std::regex name(R"(\bQTabWidget\b)");
  for (const Line& line : lines_of_the_window()) {
    if (line.file.rfind("app/gui/window/panel_tabs.", 0) == 0) continue;
    EXPECT_FALSE(std::regex_search(line.text, name)) << line.file << ':' << line.number;
  }
}

TEST(PanelsById, NumbersWouldBeFound) {
  for (const char* line :
       {"window.tabs().setCurrentIndex(2);", "f_->window->tabs().currentIndex()",
        "tabs_->setCurrentIndex(index);", "tabs.setCurrentIndex(tab);", "tabs.widget(3)",
        "constexpr int kFilterTab = 2;", "for (int tab = 0; tab < tabs.count(); ++tab) {",
        "int tab = 0;", "void show(int tab);", "show_panel(1);", "tabs_->open(0);",
        "enum class PanelTab { display, convert };", "int panel_index = 0;"}) {
    EXPECT_NE(tab_number(line), "") << line;
  }
  for (const char* line :
       {"combo->setCurrentIndex(0);", "box->currentIndex() < to",
        "constexpr int kPanelWidth = 365;", "window.show_panel(QStringLiteral(\"filter\"));",
        "QTest::keyClick(box, Qt::Key_Tab);", "const QIcon& tab_icon()", "int table = 3;"}) {
    EXPECT_EQ(tab_number(line), "") << line;
  }
}

}  // namespace
}  // namespace aprscope
