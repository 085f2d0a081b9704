#include "virtual_time/clock_code.hpp"

#if defined(__x86_64__) && defined(__LP64__)

// Kept in .rodata, because it never runs in this process. The page has the time at offset 0, and at 8 how far the wall
// clock is ahead of it, both in nanoseconds. Each reading advances the time by one: later events have later times, as
// with any clock. Callers use C's calling convention, Go's runtime too.
asm(R"(
        .pushsection .rodata
        .balign 64
holdfast_clock_begin:

        # The wall clock; or what is in rax, split into seconds in rax and nanoseconds in rdx. Both use rcx.
holdfast_clock_wall:
        movabsq $0x2f0000000000, %rcx
        movl    $1, %eax
        lock xaddq %rax, (%rcx)
        addq    8(%rcx), %rax
holdfast_clock_split:
        xorl    %edx, %edx
        movl    $1000000000, %ecx
        divq    %rcx
        ret

        # int clock_gettime(clockid_t edi, timespec* rsi). 0xd2: clocks 1 (MONOTONIC), 4 (raw), 6 (coarse), 7 (BOOT);
        # 0x821: 0 (REALTIME), 5 (coarse), 11 (TAI).
holdfast_clock_gettime:
        cmpl    $11, %edi
        ja      3f
        movl    $0xd2, %edx
        btl     %edi, %edx
        jc      1f
        movl    $0x821, %edx
        btl     %edi, %edx
        jnc     3f
        call    holdfast_clock_wall
        jmp     2f
1:      movabsq $0x2f0000000000, %rcx
        movl    $1, %eax
        lock xaddq %rax, (%rcx)
        call    holdfast_clock_split
2:      movq    %rax, (%rsi)
        movq    %rdx, 8(%rsi)
        xorl    %eax, %eax
        ret
3:      movl    $228, %eax
        syscall
        ret

        # int gettimeofday(timeval* rdi, timezone* rsi). Either may be null. The zone is UTC.
holdfast_clock_gettimeofday:
        testq   %rsi, %rsi
        jz      1f
        movq    $0, (%rsi)
1:      testq   %rdi, %rdi
        jz      2f
        call    holdfast_clock_wall
        movq    %rax, (%rdi)
        movl    %edx, %eax
        xorl    %edx, %edx
        movl    $1000, %ecx
        divl    %ecx
        movq    %rax, 8(%rdi)
2:      xorl    %eax, %eax
        ret

        # time_t time(time_t* rdi), which may be null.
holdfast_clock_time:
        call    holdfast_clock_wall
        testq   %rdi, %rdi
        jz      1f
        movq    %rax, (%rdi)
1:      ret
holdfast_clock_end:
        .popsection
        .globl  holdfast_clock_begin, holdfast_clock_end
        .globl  holdfast_clock_gettime, holdfast_clock_gettimeofday, holdfast_clock_time
        .hidden holdfast_clock_begin, holdfast_clock_end
        .hidden holdfast_clock_gettime, holdfast_clock_gettimeofday, holdfast_clock_time
)");

extern "C" {
extern const char holdfast_clock_begin[];
extern const char holdfast_clock_gettime[];
extern const char holdfast_clock_gettimeofday[];
extern const char holdfast_clock_time[];
extern const char holdfast_clock_end[];
}

namespace holdfast {

ClockCode clock_code() {
  const auto at = [](const char* symbol) { return static_cast<std::size_t>(symbol - holdfast_clock_begin); };
  return {{holdfast_clock_begin, at(holdfast_clock_end)},
          at(holdfast_clock_gettime),
          at(holdfast_clock_gettimeofday),
          at(holdfast_clock_time)};
}

}  // namespace holdfast

#else

namespace holdfast {

ClockCode clock_code() {
  return {};
}

}  // namespace holdfast

#endif
