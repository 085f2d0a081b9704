// A stopped thread's registers by what they hold, on x86-64 and arm64.
//
//   user_regs_struct now{};
//   if (read_registers(tid, now)) result_in(now) = 0;     // of the system call
//   write_registers(tid, now);
//
// Skipped time is unavailable on arm64 (clock_code.hpp), so nothing there has run these.
#pragma once

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <cstddef>

namespace holdfast {

inline bool read_registers(pid_t tid, user_regs_struct& out) {
  iovec room{&out, sizeof out};
  return ::ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &room) == 0;
}

inline bool write_registers(pid_t tid, user_regs_struct registers) {
  iovec all{&registers, sizeof registers};
  return ::ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all) == 0;
}

#if defined(__x86_64__)
inline auto& instruction_in(user_regs_struct& of) {
  return of.rip;
}
inline auto& result_in(user_regs_struct& of) {
  return of.rax;
}
inline auto& call_in(user_regs_struct& of) {
  return of.orig_rax;
}  // ~0: in no system call
inline auto& number_in(user_regs_struct& of) {
  return of.rax;
}  // of a call to be made
inline auto& stack_in(user_regs_struct& of) {
  return of.rsp;
}
inline auto& argument_in(user_regs_struct& of, std::size_t at) {
  using Register = decltype(of.rdi);
  Register* const all[] = {&of.rdi, &of.rsi, &of.rdx, &of.r10, &of.r8, &of.r9};
  return *all[at];
}
#else
inline auto& instruction_in(user_regs_struct& of) {
  return of.pc;
}
inline auto& result_in(user_regs_struct& of) {
  return of.regs[0];
}
inline auto& call_in(user_regs_struct& of) {
  return of.regs[8];
}
inline auto& number_in(user_regs_struct& of) {
  return of.regs[8];
}
inline auto& stack_in(user_regs_struct& of) {
  return of.sp;
}
inline auto& argument_in(user_regs_struct& of, std::size_t at) {
  return of.regs[at];
}
#endif

}  // namespace holdfast
