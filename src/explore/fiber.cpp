#include "explore/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "artifact/error.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace holdfast {
namespace {

thread_local StackSwitch* entering = nullptr;

constexpr std::size_t kStack = std::size_t{512} * 1024;  // memory is used only for touched pages

#if defined(__SANITIZE_ADDRESS__)
void before_switch(void** own_fake, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(own_fake, bottom, size);
}
void after_switch(void* own_fake, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(own_fake, bottom, size);
}
#else
void before_switch(void**, const void*, std::size_t) {}
void after_switch(void*, const void**, std::size_t*) {}
#endif

#if defined(__SANITIZE_THREAD__)
void* new_fiber() {
  return __tsan_create_fiber(0);
}
void* present_fiber() {
  return __tsan_get_current_fiber();
}
void to_fiber(void* fiber) {
  __tsan_switch_to_fiber(fiber, 0);
}
void end_fiber(void* fiber) {
  __tsan_destroy_fiber(fiber);
}
#else
void* new_fiber() {
  return nullptr;
}
void* present_fiber() {
  return nullptr;
}
void to_fiber(void*) {}
void end_fiber(void*) {}
#endif

std::size_t page() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

StackSwitch::StackSwitch(Function function, void* argument) : function_(function), argument_(argument) {
  size_ = kStack + page();
  memory_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory_ == MAP_FAILED || ::mprotect(memory_, page(), PROT_NONE) != 0) {
    throw HarnessError(std::string("a stack for a simulated client: ") + system_text(errno));
  }
  ::getcontext(&inside_);
  inside_.uc_stack.ss_sp = static_cast<char*>(memory_) + page();
  inside_.uc_stack.ss_size = kStack;
  inside_.uc_link = nullptr;
  ::makecontext(&inside_, &StackSwitch::first_entry, 0);
  fiber_inside_ = new_fiber();
}

StackSwitch::~StackSwitch() {
  end_fiber(fiber_inside_);
  ::munmap(memory_, size_);
}

// makecontext passes ints only, so the pointer is split.
void StackSwitch::first_entry() {
  entering->run();
}

void StackSwitch::run() {
  after_switch(nullptr, &bottom_outside_, &size_outside_);
  function_(argument_);
}

StackSwitch::Handling StackSwitch::exchange_handling(const Handling& other) {
  auto* own = reinterpret_cast<Handling*>(abi::__cxa_get_globals());
  const Handling before = *own;
  *own = other;
  return before;
}

void StackSwitch::enter() {
  void* fake = nullptr;
  const Handling outside = exchange_handling(handling_inside_);
  fiber_outside_ = present_fiber();
  before_switch(&fake, inside_.uc_stack.ss_sp, inside_.uc_stack.ss_size);
  to_fiber(fiber_inside_);
  entering = this;
  ::swapcontext(&outside_, &inside_);
  after_switch(fake, nullptr, nullptr);
  handling_inside_ = exchange_handling(outside);
}

void StackSwitch::leave() {
  before_switch(&fake_inside_, bottom_outside_, size_outside_);
  to_fiber(fiber_outside_);
  ::swapcontext(&inside_, &outside_);
  after_switch(fake_inside_, &bottom_outside_, &size_outside_);
}

void StackSwitch::leave_for_good() {
  before_switch(nullptr, bottom_outside_, size_outside_);
  to_fiber(fiber_outside_);
  ::setcontext(&outside_);
}

Fiber::Fiber() : stack_([](void* self) { static_cast<Fiber*>(self)->loop(); }, this) {}

Fiber::~Fiber() {
  abandon();
  closing_ = true;
  stack_.enter();
}

void Fiber::begin(std::function<void()> program) {
  abandon();
  program_ = std::move(program);
  under_way_ = true;
}

void Fiber::resume() {
  if (!under_way_) return;
  stack_.enter();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Fiber::abandon() {
  abandoned_ = true;
  while (under_way_) stack_.enter();
  abandoned_ = false;
  thrown_ = nullptr;
}

void Fiber::yield() {
  stack_.leave();
  if (abandoned_) throw Abandoned{};
}

void Fiber::loop() {
  for (; !closing_; stack_.leave()) {
    try {
      if (!abandoned_) program_();
    } catch (const Abandoned&) {
      thrown_ = nullptr;
    } catch (...) {
      thrown_ = std::current_exception();
    }
    under_way_ = false;
  }
  stack_.leave_for_good();
}

}  // namespace holdfast
