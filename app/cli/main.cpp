#include "app/cli/app.hpp"

int main(int argc, char** argv) { return aprscope::cli::run(argc, argv); }
