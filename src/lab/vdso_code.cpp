#include "lab/vdso_code.hpp"

#include "artifact/units.hpp"

#if defined(__x86_64__) && defined(__LP64__)

// In .rodata: it never runs in this process. A system call preserves all registers except rax, rcx and r11, so nothing
// needs saving. Callers of vDSO functions use C's calling convention, Go's runtime too.
asm(R"(
        .pushsection .rodata
        .balign 64
holdfast_vdso_begin:
        .ascii  "holdfast clock 1"
holdfast_vdso_count:
        .quad   0, 0
holdfast_vdso_slots:
        .quad   0, 0, 0, 0

        # Adds the offset to the timespec at rsi. Uses rax, rcx, rdx and r8.
holdfast_vdso_add:
        movzbl  holdfast_vdso_count(%rip), %eax
        movl    %eax, %ecx
        andl    $1, %ecx
        shll    $4, %ecx
        leaq    holdfast_vdso_slots(%rip), %rdx
        movq    (%rdx,%rcx), %r8
        movq    8(%rdx,%rcx), %rcx
        cmpb    holdfast_vdso_count(%rip), %al
        jne     holdfast_vdso_add
        addq    %r8, (%rsi)
        addq    8(%rsi), %rcx
        cmpq    $1000000000, %rcx
        jb      1f
        subq    $1000000000, %rcx
        incq    (%rsi)
1:      movq    %rcx, 8(%rsi)
        ret

        # int clock_gettime(clockid_t edi, timespec* rsi). 0x821: clocks 0 (REALTIME), 5 (its coarse kind), 11 (TAI).
holdfast_vdso_clock_gettime:
        movl    $228, %eax
        syscall
        testl   %eax, %eax
        jnz     1f
        cmpl    $11, %edi
        ja      1f
        movl    $0x821, %edx
        btl     %edi, %edx
        jnc     1f
        call    holdfast_vdso_add
        xorl    %eax, %eax
1:      ret

        # int gettimeofday(timeval* rdi, timezone* rsi). Either may be null. The zone is the kernel's.
holdfast_vdso_gettimeofday:
        movq    %rdi, %r9
        testq   %rsi, %rsi
        jz      1f
        xorl    %edi, %edi
        movl    $96, %eax
        syscall
1:      testq   %r9, %r9
        jz      2f
        subq    $24, %rsp
        xorl    %edi, %edi
        movq    %rsp, %rsi
        movl    $228, %eax
        syscall
        call    holdfast_vdso_add
        movq    (%rsp), %rax
        movq    %rax, (%r9)
        movl    8(%rsp), %eax
        xorl    %edx, %edx
        movl    $1000, %ecx
        divl    %ecx
        movq    %rax, 8(%r9)
        addq    $24, %rsp
2:      xorl    %eax, %eax
        ret

        # time_t time(time_t* rdi), which may be null. By the coarse clock (5), as the kernel's own.
holdfast_vdso_time:
        movq    %rdi, %r9
        subq    $24, %rsp
        movl    $5, %edi
        movq    %rsp, %rsi
        movl    $228, %eax
        syscall
        call    holdfast_vdso_add
        movq    (%rsp), %rax
        addq    $24, %rsp
        testq   %r9, %r9
        jz      1f
        movq    %rax, (%r9)
1:      ret
holdfast_vdso_end:
        .popsection
        .globl  holdfast_vdso_begin, holdfast_vdso_end
        .globl  holdfast_vdso_clock_gettime, holdfast_vdso_gettimeofday, holdfast_vdso_time
        .hidden holdfast_vdso_begin, holdfast_vdso_end
        .hidden holdfast_vdso_clock_gettime, holdfast_vdso_gettimeofday, holdfast_vdso_time
)");

extern "C" {
extern const char holdfast_vdso_begin[];
extern const char holdfast_vdso_clock_gettime[];
extern const char holdfast_vdso_gettimeofday[];
extern const char holdfast_vdso_time[];
extern const char holdfast_vdso_end[];
}

namespace holdfast {

VdsoCode vdso_code() {
  const auto at = [](const char* symbol) { return static_cast<std::size_t>(symbol - holdfast_vdso_begin); };
  return {{holdfast_vdso_begin, at(holdfast_vdso_end)},
          at(holdfast_vdso_clock_gettime),
          at(holdfast_vdso_gettimeofday),
          at(holdfast_vdso_time)};
}

}  // namespace holdfast

#else

namespace holdfast {

VdsoCode vdso_code() {
  return {};
}

}  // namespace holdfast

#endif

namespace holdfast {

VdsoOffset vdso_offset(std::int64_t ns) {
  const std::int64_t over = ns % kSecond_ns;  // negative if ns is
  return over < 0 ? VdsoOffset{ns / kSecond_ns - 1, over + kSecond_ns} : VdsoOffset{ns / kSecond_ns, over};
}

std::int64_t ns_of(const VdsoOffset& offset) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(offset.seconds) * kSecond_ns + offset.nanoseconds);
}

}  // namespace holdfast
