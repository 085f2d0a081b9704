// Two threads that count without a lock.
#include <thread>

int main() {
  int count = 0;
  const auto work = [&count] {
    for (int i = 0; i < 1000; ++i) ++count;
  };
  std::thread other(work);
  work();
  other.join();
}
