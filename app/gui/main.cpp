#include "app/gui/application.hpp"

int main(int argc, char** argv) { return aprscope::gui::run(argc, argv); }
