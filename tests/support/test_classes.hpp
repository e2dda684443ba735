#pragma once

namespace aprscope::test {

/// Of a test program with several classes of tests: adds those of a source file, __FILE__. `run`
/// gets the arguments that are left and gives the exit code. Returns true.
bool add_test_class(const char* file, int (*run)(int argc, char** argv));

/// main() of such a program: runs the class whose source file argv[1] names, without folder and
/// ending, and hands it the other arguments. Exit code 2, with a list on stderr, where there is
/// none.
int run_test_class(int argc, char** argv);

}  // namespace aprscope::test
