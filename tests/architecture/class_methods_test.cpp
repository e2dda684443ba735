#include "tests/architecture/class_methods.hpp"

#include <gtest/gtest.h>

// What is found in sources must be right, or the rule that counts it says nothing.
namespace aprscope::test {
namespace {

using Names = std::vector<std::string>;

Names methods_of(std::string_view source, const std::string& name) {
  for (const ClassMethods& found : class_methods(source)) {
    if (found.name == name) return found.methods;
  }
  return {"there is no such class"};
}

TEST(ClassMethods, ArePublicMemberFunctions) {
  EXPECT_EQ(methods_of("class A : public B<int> { void no(); public: int a() const { return 1; } "
                       "static void b(int, int = 2); virtual void c() = 0; [[nodiscard]] bool d() "
                       "const noexcept(true); auto e() -> int; protected: void f(); private: void "
                       "g(); public: void h() override; };",
                       "A"),
            (Names{"a", "b", "c", "d", "e", "h"}));
  EXPECT_EQ(methods_of("struct S final { void a(); private: void b(); };", "S"), Names{"a"});
}

TEST(ClassMethods, CountEveryOverload) {
  EXPECT_EQ(methods_of("struct S { void a(int); void a(double); };", "S"), (Names{"a", "a"}));
}

TEST(ClassMethods, AreNoConstructorsDestructorsAndOperators) {
  EXPECT_EQ(methods_of("class A { public: A(); explicit A(int x) : x_(x), y_{1, 2}, B<int>(3) {} "
                       "virtual ~A(); A(const A&) = delete; A& operator=(const A&) = delete; bool "
                       "operator()(int) const; explicit operator bool() const { return true; } "
                       "friend bool operator==(A, A) = default; friend void f(A) {} void a(); };",
                       "A"),
            Names{"a"});
}

TEST(ClassMethods, AreNoSignalsAndSlots) {
  EXPECT_EQ(methods_of("class A : public QObject { Q_OBJECT Q_PROPERTY(int x READ x) public: using "
                       "QObject::QObject; void a(); signals: void s(); public slots: void t(); "
                       "public: void b(); private slots: void u(); };",
                       "A"),
            (Names{"a", "b"}));
}

TEST(ClassMethods, AreNoData) {
  EXPECT_EQ(
      methods_of("struct S { int a = f(1); std::vector<int> b{g(2)}; std::function<void(int)> "
                 "c; void (*d)(int) = nullptr; alignas(64) int e; static constexpr int k = "
                 "(1 + 2); std::array<int, (3 < 4)> h; std::function<int(int)> m(int); };",
                 "S"),
      Names{"m"});
}

TEST(ClassMethods, BelongToTheInnermostClass) {
  const std::string_view source =
      "namespace n { class A { public: struct I { void i(); enum class E { e }; } inner; enum E { "
      "x } e = x; class D; void a(); template <class T, int n = 3> void t(T); }; } "
      "struct A::D { void d(); }; template <> struct V<int> { void v(); }; enum class F { f };";
  EXPECT_EQ(methods_of(source, "A"), (Names{"a", "t"}));
  EXPECT_EQ(methods_of(source, "A::I"), Names{"i"});
  EXPECT_EQ(methods_of(source, "A::D"), Names{"d"});
  EXPECT_EQ(methods_of(source, "V"), Names{"v"});
  EXPECT_EQ(class_methods(source).size(), 4U);
}

TEST(ClassMethods, StandOnTheLineOfTheirClass) {
  const auto found = class_methods("\n// class X {};\nclass\n  A {};\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().line, 4);
}

}  // namespace
}  // namespace aprscope::test
