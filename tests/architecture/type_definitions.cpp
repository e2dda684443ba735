#include "tests/architecture/type_definitions.hpp"

#include <cctype>
#include <optional>

#include "tests/architecture/source_tokens.hpp"

namespace aprscope::test {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() &&
         (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
}

bool begins_type(const std::string& text) {
  return text == "class" || text == "struct" || text == "union" || text == "enum";
}

class Collector {
 public:
  explicit Collector(std::string_view source) : tokens_(tokens_of(source)) {}

  std::vector<TypeDefinition> run() {
    while (at_ < tokens_.size()) {
      if (is("namespace")) {
        enter_namespace();
      } else if (is("extern") && is("\"\"", 1) && is("{", 2)) {
        scopes_.push_back({});
        at_ += 3;
      } else if (is("}")) {
        if (!scopes_.empty()) scopes_.pop_back();
        ++at_;
      } else if (is("template") && is("<", 1)) {
        ++at_;
        skip_angles();
      } else if (begins_type(text())) {
        type();
      } else if (is("{") || is("(") || is("[")) {
        // Bodies of functions and what variables begin with; parameters; attributes.
        skip_brackets();
      } else {
        ++at_;
      }
    }
    return std::move(found_);
  }

 private:
  // A namespace, or what is written as one but gives no name.
  struct Scope {
    std::string name;
    bool nameless = false;
  };

  [[nodiscard]] const std::string& text(std::size_t ahead = 0) const {
    static const std::string none;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : none;
  }
  [[nodiscard]] bool is(std::string_view what, std::size_t ahead = 0) const {
    return text(ahead) == what;
  }
  [[nodiscard]] bool at_end() const { return at_ >= tokens_.size(); }

  // From an opening bracket to behind the one that closes it.
  void skip_brackets() {
    int depth = 0;
    do {
      if (is("{") || is("(") || is("[")) ++depth;
      if (is("}") || is(")") || is("]")) --depth;
      ++at_;
    } while (depth > 0 && !at_end());
  }

  // From "<" to behind its ">"; gives what stands there.
  std::string skip_angles() {
    std::string skipped;
    int depth = 0;
    do {
      if (is("<")) ++depth;
      if (is(">")) --depth;
      const std::size_t from = at_;
      if (is("{") || is("(") || is("[")) {
        skip_brackets();
      } else {
        ++at_;
      }
      for (std::size_t i = from; i < at_ && i < tokens_.size(); ++i) {
        const bool apart =
            !skipped.empty() && is_name(tokens_[i].text) && is_name(tokens_[i - 1].text);
        skipped += (apart ? " " : "") + tokens_[i].text;
      }
    } while (depth > 0 && !at_end());
    return skipped;
  }

  void enter_namespace() {
    ++at_;
    Scope scope;
    while (!at_end() && !is("{") && !is(";") && !is("=")) {
      if (is("[")) {
        skip_brackets();
        continue;
      }
      if (!is("inline")) scope.name += text();
      ++at_;
    }
    // Another name for a namespace, or `using namespace`.
    if (!is("{")) return;
    ++at_;
    scope.nameless = scope.name.empty();
    scopes_.push_back(std::move(scope));
  }

  // From "class" or the like to behind the body, where there is one.
  void type() {
    if (is("enum") && (is("class", 1) || is("struct", 1))) ++at_;
    ++at_;
    std::string name;
    int line = 0;
    while (!at_end()) {
      if (is("[")) {
        skip_brackets();
      } else if ((is("alignas") || is("__align__") || is("__attribute__")) && is("(", 1)) {
        ++at_;
        skip_brackets();
      } else if (is("<") && !name.empty()) {
        name += skip_angles();
      } else if (is("::")) {
        name += text();
        ++at_;
      } else if (is("final")) {
        ++at_;
      } else if (is_name(text())) {
        // Of two words in a row the first is a macro.
        if (!name.ends_with("::")) name.clear();
        name += text();
        line = tokens_[at_].line;
        ++at_;
      } else {
        break;
      }
    }
    if (is(":")) {
      // Bases, or the type of an enum.
      while (!at_end() && !is("{") && !is(";")) {
        if (is("(")) {
          skip_brackets();
        } else {
          ++at_;
        }
      }
    }
    // Else only declared, or the type of a variable, parameter or result.
    if (!is("{")) return;
    add(name, line);
    skip_brackets();
  }

  void add(const std::string& name, int line) {
    std::string whole;
    for (const Scope& scope : scopes_) {
      if (scope.nameless) return;
      if (!scope.name.empty()) whole += scope.name + "::";
    }
    if (!name.empty()) found_.push_back({whole + name, line});
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
  std::vector<TypeDefinition> found_;
};

}  // namespace

std::vector<TypeDefinition> type_definitions(std::string_view source) {
  return Collector(source).run();
}

}  // namespace aprscope::test
