// A sum that no int can hold.
#include <climits>

int main(int argc, char**) {
  volatile int most = INT_MAX;
  most = most + argc;
}
