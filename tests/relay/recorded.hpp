// Conversations as their protocols have them, made by hand, and what a relay must take from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/relay/wire_reader.hpp"

namespace holdfast {

inline constexpr std::uint32_t kMySqlTls = 1U << 11U;
inline constexpr std::uint32_t kMySqlCompress = 1U << 5U;

std::string mysql_packet(unsigned sequence, const std::string& payload);
std::vector<Utterance> mysql_login(std::uint32_t bits, std::size_t answer_length);

std::vector<Utterance> mysql_conversation();  // without EOF packets, as servers and clients of today speak
std::string mysql_told();
std::vector<Utterance> mysql_conversation_with_eof();
std::string mysql_told_with_eof();

std::vector<Utterance> resp_conversation();

std::string postgres_number(std::uint32_t number);
std::string postgres_message(const std::string& letter, const std::string& body);  // no letter: before a session
std::vector<Utterance> postgres_login();  // encryption is asked for, and refused
std::vector<Utterance> postgres_conversation();
std::string postgres_told();

std::vector<Utterance> zookeeper_conversation();
std::string zookeeper_told();

std::string http2_preface();
std::string http2_frame(unsigned type, unsigned flags, std::uint32_t stream, const std::string& payload);
std::string http2_header(const std::string& name, const std::string& value);
std::string grpc_message(const std::string& message);
std::string grpc_opens(std::uint32_t stream, const std::string& path);
std::string grpc_call(std::uint32_t stream, const std::string& path, const std::string& message);  // with one message
std::vector<Utterance> grpc_conversation();
std::string grpc_told();

}  // namespace holdfast
