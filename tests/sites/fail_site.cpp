// A library that is loaded into holdfast's own processes (LD_PRELOAD), by tests only: it reports each place of the
// program that makes a process or a thread, opens, maps or writes, and lets such a call fail once.
//
// A place is the process (run, lab, the empty lab that is tried first, trial, client), the kind of call, and the
// innermost return addresses inside the program itself, as offsets. Calls of the C and C++ libraries count as their
// caller's. The second thread or process from one place is a place of its own ("again"): one of several exists already
// when it fails.
//
//   HOLDFAST_SITES=FIFO        each place is written there once a process, as a line
//   HOLDFAST_SITES_FAIL=PLACE  such a line: the first call there fails; then FIFO gets "struck"
//   HOLDFAST_SITES_TOKEN=FIFO  holds one byte, which the process that fails takes: several that pass there fail once
//
// FIFOs, since all else is read-only in a lab, and descriptors end with each process.
//
// Threads and processes are caught at pthread_create, fork and vfork: the C library makes them where no handler could
// step in (on a stack of the child's own). All other calls are caught wherever the C library makes them, in
// itself too (the stack of a thread, a buffer that is flushed): a seccomp filter sends them to a handler of SIGSYS. The
// filter goes by the C library's address, which is another after exec, so that programs that are started are not
// caught.
//
// What it does not reach: the loader of programs, calls that the kernel makes itself (io_uring, page faults), memory
// that comes by brk, and servers and tools that the program starts.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kFrames = 4;
constexpr int kHighDescriptor = 900;  // above the program's own descriptors

struct Call {
  long number;
  const char* kind;
  int error;
};

constexpr Call kCalls[] = {
    {SYS_open, "open", EMFILE},       {SYS_openat, "open", EMFILE},       {SYS_openat2, "open", EMFILE},
    {SYS_creat, "open", EMFILE},      {SYS_memfd_create, "open", EMFILE}, {SYS_pidfd_open, "open", EMFILE},
    {SYS_signalfd4, "open", EMFILE},  {SYS_pipe2, "open", EMFILE},        {SYS_socket, "open", EMFILE},
    {SYS_socketpair, "open", EMFILE}, {SYS_mmap, "mmap", ENOMEM},         {SYS_write, "write", ENOSPC},
    {SYS_writev, "write", ENOSPC},    {SYS_pwrite64, "write", ENOSPC},    {SYS_fallocate, "write", ENOSPC},
};
constexpr std::size_t kCallCount = sizeof kCalls / sizeof kCalls[0];

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool has(std::uintptr_t at) const { return at >= begin && at < end; }
};

Range program;  // its code
std::uintptr_t program_base = 0;
Range c_library;  // its code
char role[16] = "";
int told = -1;   // FIFO
int token = -1;  // FIFO
const char* fails = nullptr;
bool fails_again = false;   // not the first time, but the second
std::atomic<int> times{0};  // passes, if they are counted
std::atomic<bool> failed{false};
std::array<std::atomic<std::uint64_t>, 8192> known{};
thread_local bool inside __attribute__((tls_model("initial-exec"))) = false;

long kernel(long number, long a, long b, long c, long d = 0, long e = 0, long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long out = number;
  asm volatile("syscall" : "+a"(out) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return out;
}

struct Place {
  char text[160];
  std::size_t length = 0;
  int frames = 0;

  void add(const char* word) {
    const std::size_t size = std::strlen(word);
    if (length + size + 1 >= sizeof text) return;
    if (length > 0) text[length++] = ' ';
    std::memcpy(text + length, word, size);
    length += size;
    text[length] = '\0';
  }
};

_Unwind_Reason_Code add_frame(_Unwind_Context* frame, void* to) {
  auto& place = *static_cast<Place*>(to);
  const std::uintptr_t at = _Unwind_GetIP(frame);
  if (!program.has(at)) return _URC_NO_REASON;
  char digits[2 * sizeof at + 1];
  std::size_t first = sizeof digits - 1;
  digits[first] = '\0';
  for (std::uintptr_t rest = at - program_base; rest != 0; rest /= 16) digits[--first] = "0123456789abcdef"[rest % 16];
  place.add(digits + first);
  return ++place.frames < kFrames ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

// Each once.
bool is_new(const Place& place) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (std::size_t i = 0; i < place.length; ++i)
    sum = (sum ^ static_cast<unsigned char>(place.text[i])) * 1099511628211ULL;
  for (std::size_t at = sum % known.size(), tries = 0; tries < known.size(); ++tries, at = (at + 1) % known.size()) {
    std::uint64_t there = 0;
    if (known[at].compare_exchange_strong(there, sum)) return true;
    if (there == sum) return false;
  }
  return false;
}

void tell(const char* text, std::size_t length) {
  kernel(SYS_write, told, reinterpret_cast<long>(text), static_cast<long>(length));
}

bool took_token() {
  char byte = 0;
  return kernel(SYS_read, token, reinterpret_cast<long>(&byte), 1) == 1;
}

// False: no place that is new.
bool tell_if_new(Place& place) {
  if (!is_new(place)) return false;
  place.text[place.length] = '\n';
  tell(place.text, place.length + 1);
  return true;
}

// True if the call is to fail.
bool passed(const char* kind) {
  if (told < 0 || (fails != nullptr && failed.load())) return false;
  Place place;
  place.add(role);
  place.add(kind);
  _Unwind_Backtrace(add_frame, &place);
  if (place.frames == 0) return false;
  if (fails == nullptr) {
    const Place first = place;
    if (tell_if_new(place) || std::strcmp(kind, "clone") != 0) return false;
    place = first;
    place.add("again");
    tell_if_new(place);
    return false;
  }
  if (fails_again && std::strncmp(fails, place.text, place.length) == 0 && times.fetch_add(1) == 1) place.add("again");
  if (std::strcmp(fails, place.text) != 0 || failed.exchange(true) || !took_token()) return false;
  tell("struck\n", 7);
  return true;
}

// "write" to the standard descriptors is a kind of its own: a failure there cannot be reported.
const char* kind_of(const Call& call, long descriptor) {
  if (call.number != SYS_write && call.number != SYS_writev) return call.kind;
  return descriptor == STDOUT_FILENO ? "write-stdout" : descriptor == STDERR_FILENO ? "write-stderr" : call.kind;
}

void caught(int, siginfo_t*, void* state) {
  const int kept = errno;
  auto& registers = static_cast<ucontext_t*>(state)->uc_mcontext.gregs;
  const long number = registers[REG_RAX];
  const Call* call = nullptr;
  for (const Call& one : kCalls) call = one.number == number ? &one : call;
  bool fail = false;
  if (!inside && call != nullptr) {
    inside = true;
    fail = passed(kind_of(*call, registers[REG_RDI]));
    inside = false;
  }
  registers[REG_RAX] = fail ? -call->error
                            : kernel(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                     registers[REG_R10], registers[REG_R8], registers[REG_R9]);
  errno = kept;
}

bool fails_here(const char* kind) {
  if (inside) return false;
  inside = true;
  const bool fail = passed(kind);
  inside = false;
  return fail;
}

int look_at(dl_phdr_info* object, std::size_t, void*) {
  const bool main = program.end == 0;  // the first is the program
  if (!main && std::strstr(object->dlpi_name, "/libc.so.6") == nullptr) return 0;
  Range& code = main ? program : c_library;
  if (main) program_base = object->dlpi_addr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    code = {object->dlpi_addr + part.p_vaddr, object->dlpi_addr + part.p_vaddr + part.p_memsz};
  }
  return 0;
}

constexpr std::uint32_t low(std::uintptr_t address) {
  return static_cast<std::uint32_t>(address);
}
constexpr std::uint32_t high(std::uintptr_t address) {
  return static_cast<std::uint32_t>(address >> 32U);
}

// The kernel sends to the handler what is in kCalls and comes from the C library's code.
bool filter() {
  std::array<sock_filter, kCallCount + 16> steps{};
  std::size_t count = 0;
  const auto add = [&](sock_filter step) { steps.at(count++) = step; };
  const auto load = [&](std::size_t at) { add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at))); };
  const auto leave = [&] { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); };
  load(offsetof(seccomp_data, arch));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
  leave();
  load(offsetof(seccomp_data, instruction_pointer) + 4);
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high(c_library.begin), 1, 0));
  leave();
  load(offsetof(seccomp_data, instruction_pointer));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(c_library.begin), 1, 0));
  leave();
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(c_library.end), 0, 1));
  leave();
  load(offsetof(seccomp_data, nr));
  for (std::size_t i = 0; i < kCallCount; ++i) {
    const auto beyond = static_cast<std::uint8_t>(kCallCount - i);
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(kCalls[i].number), beyond, 0));
  }
  leave();
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  sock_fprog all{static_cast<unsigned short>(count), steps.data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0) return true;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

int opened(const char* variable, int how) {
  const char* path = std::getenv(variable);
  const int fd = path == nullptr ? -1 : ::open(path, how | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  const int out = ::fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
  ::close(fd);
  return out;
}

bool is_ours(const char* word) {
  for (const char* one : {"run", "lab", "trial", "client"}) {
    if (std::strcmp(one, word) == 0) return true;
  }
  return false;
}

__attribute__((constructor)) void begin(int count, char** words, char**) {
  if (count < 2 || !is_ours(words[1])) return;
  std::strncpy(role, words[1], sizeof role - 1);
  for (int i = 2; i < count; ++i) {
    if (std::strcmp(words[i], "nothing") == 0) std::strcpy(role, "empty-lab");
  }
  const char* place = std::getenv("HOLDFAST_SITES_FAIL");
  const std::size_t length = std::strlen(role);
  if (place != nullptr && (std::strncmp(place, role, length) != 0 || place[length] != ' ')) return;
  told = opened("HOLDFAST_SITES", O_WRONLY);
  token = opened("HOLDFAST_SITES_TOKEN", O_RDONLY);
  if (told < 0) return;
  ::dl_iterate_phdr(look_at, nullptr);
  struct sigaction action {};
  action.sa_sigaction = caught;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  ::sigaction(SIGSYS, &action, nullptr);
  fails_again = place != nullptr && std::strstr(place, " again") != nullptr;
  fails = place;
  if (c_library.end != 0 && filter()) return;
  std::fprintf(stderr, "fail_site: no seccomp filter: %s\n", std::strerror(errno));
  std::_Exit(99);
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return fails_here("clone") ? EAGAIN : next(thread, attributes, start, argument);
}

pid_t fork() noexcept {
  static const auto next = reinterpret_cast<pid_t (*)()>(::dlsym(RTLD_NEXT, "fork"));
  if (!fails_here("clone")) return next();
  errno = EAGAIN;
  return -1;
}

}  // extern "C"
