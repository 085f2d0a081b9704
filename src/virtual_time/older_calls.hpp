// System calls that x86-64 has and arm64 does not. There, each number is negative: no thread makes such a call.
#pragma once

#include <sys/syscall.h>

namespace holdfast::older_calls {

#if defined(__x86_64__)
inline constexpr long kTime = SYS_time;
inline constexpr long kAlarm = SYS_alarm;
inline constexpr long kPause = SYS_pause;
inline constexpr long kOpen = SYS_open;
inline constexpr long kPoll = SYS_poll;
inline constexpr long kSelect = SYS_select;
inline constexpr long kEpollWait = SYS_epoll_wait;
#else
inline constexpr long kTime = -101;
inline constexpr long kAlarm = -102;
inline constexpr long kPause = -103;
inline constexpr long kOpen = -104;
inline constexpr long kPoll = -105;
inline constexpr long kSelect = -106;
inline constexpr long kEpollWait = -107;
#endif

}  // namespace holdfast::older_calls
