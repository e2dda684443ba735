#include "tests/architecture/class_methods.hpp"

#include <cctype>

#include "tests/architecture/source_tokens.hpp"

namespace aprscope::test {
namespace {

bool is_name(const std::string& text) {
  return !text.empty() &&
         (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
}

bool is_access(const std::string& text) {
  return text == "public" || text == "protected" || text == "private" || text == "signals" ||
         text == "Q_SIGNALS";
}

// Words in front of brackets that are no function's.
bool takes_brackets(const std::string& text) {
  return text == "alignas" || text == "decltype" || text == "explicit" || text == "noexcept" ||
         text == "requires" || text == "__attribute__" || text == "__align__" ||
         text == "__launch_bounds__";
}

class Collector {
 public:
  explicit Collector(std::string_view source) : tokens_(tokens_of(source)) {}

  std::vector<ClassMethods> run() {
    while (!at_end()) {
      if (is("enum")) {
        ++at_;
        if (is("class") || is("struct")) ++at_;
      } else if (is("class") || is("struct")) {
        type({});
      } else {
        ++at_;
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] const std::string& text(std::size_t ahead = 0) const {
    static const std::string none;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : none;
  }
  [[nodiscard]] bool is(std::string_view what, std::size_t ahead = 0) const {
    return text(ahead) == what;
  }
  [[nodiscard]] bool at_end() const { return at_ >= tokens_.size(); }
  [[nodiscard]] bool at_brackets() const { return is("{") || is("(") || is("["); }

  // From an opening bracket to behind the one that closes it.
  void skip_brackets() {
    int depth = 0;
    do {
      if (at_brackets()) ++depth;
      if (is("}") || is(")") || is("]")) --depth;
      ++at_;
    } while (depth > 0 && !at_end());
  }

  // From "<" to behind its ">".
  void skip_angles() {
    int depth = 0;
    do {
      if (is("<")) ++depth;
      if (is(">")) --depth;
      if (at_brackets()) {
        skip_brackets();
      } else {
        ++at_;
      }
    } while (depth > 0 && !at_end());
  }

  // Behind the next ";" outside of brackets.
  void skip_statement() {
    while (!at_end() && !is(";") && !is("}")) {
      if (at_brackets()) {
        skip_brackets();
      } else {
        ++at_;
      }
    }
    if (is(";")) ++at_;
  }

  // From "class" or "struct" to behind the body, where there is one.
  void type(const std::string& around) {
    const bool open = is("struct");
    ++at_;
    std::string name;
    int line = 0;
    while (!at_end()) {
      if (is("[")) {
        skip_brackets();
      } else if (takes_brackets(text()) && is("(", 1)) {
        ++at_;
        skip_brackets();
      } else if (is("<") && !name.empty()) {
        skip_angles();
      } else if (is("::")) {
        name += text();
        ++at_;
      } else if (is("final")) {
        ++at_;
      } else if (is_name(text())) {
        if (!name.ends_with("::")) name.clear();
        name += text();
        line = tokens_[at_].line;
        ++at_;
      } else {
        break;
      }
    }
    if (is(":")) {
      while (!at_end() && !is("{") && !is(";")) ++at_;
    }
    // Else only declared, or the type of a variable, parameter or result.
    if (is("{")) body(around.empty() ? name : around + "::" + name, line, open);
  }

  void body(const std::string& name, int line, bool open) {
    ClassMethods made{name, line, {}};
    const std::string own = name.substr(name.rfind(':') + 1);
    ++at_;
    while (!at_end() && !is("}")) {
      if (is_access(text()) && (is(":", 1) || is(":", 2))) {
        open = is("public") && is(":", 1);
        at_ += is(":", 1) ? 2 : 3;
      } else if (is("template") && is("<", 1)) {
        ++at_;
        skip_angles();
      } else if (is("friend") || is("using") || is("typedef") || is("static_assert")) {
        friend_or_name();
      } else if (is("enum")) {
        skip_statement();
      } else if (is("class") || is("struct")) {
        type(name);
      } else if (text().starts_with("Q_")) {
        ++at_;
        if (is("(")) skip_brackets();
      } else {
        member(own, open ? &made.methods : nullptr);
      }
    }
    ++at_;
    found_.push_back(std::move(made));
  }

  // A friend may have a body, and then needs no ";".
  void friend_or_name() {
    while (!at_end() && !is(";") && !is("{") && !is("}")) {
      if (at_brackets()) {
        skip_brackets();
      } else {
        ++at_;
      }
    }
    if (is("{")) skip_brackets();
    if (is(";")) ++at_;
  }

  // One declaration, through its ";" or body. A function is what has "(" before "=", "{" and ";",
  // outside of the arguments of a template.
  void member(const std::string& own, std::vector<std::string>* methods) {
    std::string last;
    bool counts = true;
    while (!at_end() && !is("(")) {
      if (is("=") || is("{") || is(";") || is("}")) return skip_statement();
      if (is("operator")) {
        counts = false;
        ++at_;
        // "operator()" and "operator bool" alike: up to the parameters.
        if (is("(")) skip_brackets();
        while (!at_end() && !is("(")) ++at_;
        break;
      }
      if (is("~")) counts = false;
      if (is("[")) {
        skip_brackets();
      } else if (takes_brackets(text())) {
        ++at_;
        if (is("(")) skip_brackets();
      } else if (is("<")) {
        skip_angles();
      } else {
        if (is_name(text())) last = text();
        ++at_;
      }
    }
    // "(*f)(int)" is a pointer.
    if (is("*", 1)) return skip_statement();
    skip_brackets();
    if (counts && last != own && methods != nullptr) methods->push_back(last);
    while (!at_end() && !is(";") && !is("{") && !is(":") && !is("}")) {
      if (at_brackets()) {
        skip_brackets();
      } else {
        ++at_;
      }
    }
    if (is(":")) skip_initialisers();
    if (is("{")) skip_brackets();
    if (is(";")) ++at_;
  }

  // ": a(x), b<int>{y}" before the body of a constructor.
  void skip_initialisers() {
    do {
      ++at_;
      while (!at_end() && !at_brackets()) {
        if (is("<")) {
          skip_angles();
        } else {
          ++at_;
        }
      }
      skip_brackets();
    } while (is(","));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<ClassMethods> found_;
};

}  // namespace

std::vector<ClassMethods> class_methods(std::string_view source) { return Collector(source).run(); }

}  // namespace aprscope::test
