// A read behind the end of a block of memory.
int main(int argc, char**) {
  const char* block = new char[4]{};
  const char behind = block[3 + argc];
  delete[] block;
  return behind == 'x' ? 1 : 0;
}
