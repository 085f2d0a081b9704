#include "explore/fiber.hpp"

#include <utility>

namespace holdfast {

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
