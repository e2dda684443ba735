#include "tests/architecture/type_definitions.hpp"

#include <gtest/gtest.h>

// What is found in sources must be right, or the rule that reads them says nothing.
namespace aprscope::test {
namespace {

using Names = std::vector<std::string>;

Names names_in(std::string_view source) {
  Names names;
  for (const TypeDefinition& found : type_definitions(source)) names.push_back(found.name);
  return names;
}

TEST(TypeDefinitions, HaveTheNamesOfTheirNamespaces) {
  EXPECT_EQ(names_in("struct A {}; namespace n { class B {}; namespace m::k { enum C { c }; } "
                     "inline namespace v { union D {}; } enum class E : int { e }; } class F {};"),
            (Names{"A", "n::B", "n::m::k::C", "n::v::D", "n::E", "F"}));
}

TEST(TypeDefinitions, StandOnTheirLines) {
  const auto found = type_definitions("/* a\nb */\n#define X \\\n  1\nstruct\n  A {};\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().line, 6);
}

TEST(TypeDefinitions, OfNamelessNamespacesAreNobodyElses) {
  EXPECT_EQ(names_in("namespace n { namespace { struct A {}; namespace m { struct B {}; } } "
                     "struct C {}; }"),
            Names{"n::C"});
}

TEST(TypeDefinitions, AreNotDeclarations) {
  EXPECT_EQ(names_in("class A; enum class B : int; template <class T> struct C; struct D* d(); "
                     "extern template struct E<int>; struct F f = {1}; void g(struct G x) {} "
                     "struct H h() { return {}; } namespace n = m; using namespace m; "
                     "template <class I = struct J> void i();"),
            Names{});
}

TEST(TypeDefinitions, HoldTheirMembers) {
  EXPECT_EQ(
      names_in("class A { struct B { enum { x }; }; friend class C; void f() { struct D {}; } "
               "}; struct A::Impl { class E {}; }; void g() { struct F {}; } "
               "auto h = [] { struct G {}; return 1; }();"),
      (Names{"A", "A::Impl"}));
}

TEST(TypeDefinitions, MayBeTemplatesAndSpecialisations) {
  EXPECT_EQ(names_in("template <class T, int N = (1 > 0)> class A {}; "
                     "template <> struct A<unsigned char, 2> {}; "
                     "template <template <class> class U> struct B : A<U<int>, 3> {}; "
                     "template <class T> requires (sizeof(T) > 1) struct C {};"),
            (Names{"A", "A<unsigned char,2>", "B", "C"}));
}

TEST(TypeDefinitions, MayHaveAttributesMacrosAndBases) {
  EXPECT_EQ(names_in("class [[nodiscard]] A final : public B<int>, private C {}; "
                     "struct alignas(16) D {}; class EXPORT E : F {}; struct __align__(8) G {}; "
                     "extern \"C\" { struct H { int x; }; } struct { int x; } nameless; "
                     "enum { a, b };"),
            (Names{"A", "D", "E", "G", "H"}));
}

TEST(TypeDefinitions, AreNotWhatTextsAndCommentsSay) {
  EXPECT_EQ(names_in("// struct A {};\n/* struct B {}; */ const char* s = \"struct C { \\\" \"; "
                     "const char* r = R\"x(struct D {}; )\" } )x\"; char q = '{'; char p = '\\''; "
                     "int n = 1'000'000; struct E {};\n"
                     "#define F struct F { \\\n int x; };\nstruct G {};"),
            (Names{"E", "G"}));
}

}  // namespace
}  // namespace aprscope::test
