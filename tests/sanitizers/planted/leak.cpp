// Memory that is unreachable at the end.
int main(int argc, char**) {
  volatile char* lost = new char[static_cast<unsigned>(argc) * 100U];
  lost[0] = 1;
  lost = nullptr;
}
