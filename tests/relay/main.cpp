// Runs the tests inside a lab of their own, so that they have networks, and leave nothing behind.
#include "tests/lab_main.hpp"

int main(int argc, char** argv) {
  return holdfast::run_tests_in_a_lab(argc, argv, "HOLDFAST_RELAY_TEST_FOLDER");
}
