#include "tests/support/test_classes.hpp"

int main(int argc, char** argv) { return aprscope::test::run_test_class(argc, argv); }
