// Measures the cost of an adapter call: from one request to its answer, through two pipes, processor time of the
// client's process and of the adapter's, and elapsed time.
//
//   build/bench/bench/adapter_cost build/bench/bench/adapter_echo [CALLS]
#include <sys/resource.h>
#include <time.h>
#include <iostream>
#include <string>

#include "adapter/adapter_program.hpp"

namespace holdfast {
namespace {

double processor_us() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double processor_us_of(pid_t pid) {
  clockid_t clock = 0;
  timespec now{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

AdapterMessage hello() {
  return {.client = 0,
          .seed = 1,
          .lease_ms = 1'000,
          .owner = "bench",
          .locks = std::vector<std::string>{"a"},
          .servers = std::vector<AdapterServer>{},
          .options = nlohmann::json::object()};
}

int measure(const std::string& echo, int calls) {
  const auto adapter = AdapterProgram::start("echo", {{echo}}, hello(), {});
  const AdapterMessage acquire{.name = MessageName::acquire, .lease_ms = 1'000, .wait_ms = 0, .lock = "a"};
  for (int call = 0; call < 100; ++call) adapter->ask(acquire);
  const double own_us = processor_us();
  const double its_us = processor_us_of(adapter->pid());
  const std::int64_t begin_ns = monotonic_ns();
  for (int call = 0; call < calls; ++call) adapter->ask(acquire);
  const double took_us = static_cast<double>(monotonic_ns() - begin_ns) / 1e3;
  const auto a_call = [&](double us) { return us / calls; };
  std::cout << "a call, of " << calls << ": processor time of the client " << a_call(processor_us() - own_us)
            << " us, of the adapter " << a_call(processor_us_of(adapter->pid()) - its_us) << " us; it takes "
            << a_call(took_us) << " us\n";
  return adapter->end().end.clean() ? 0 : 1;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "adapter_cost ADAPTER [CALLS]\n";
    return 2;
  }
  return holdfast::measure(argv[1], argc > 2 ? std::stoi(argv[2]) : 20'000);
}
