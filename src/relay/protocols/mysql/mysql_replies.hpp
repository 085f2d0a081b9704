// Finds the end of the reply to a command in MySQL's protocol: OK, ERR, or result sets, in the form agreed on in the
// greetings.
//
//   MySqlReplies replies;
//   replies.agreed({.no_eof = true});
//   if (replies.ends(packet, MySqlReplies::Kind::query)) ...   // packet by packet
#pragma once

#include <cstdint>

#include "relay/protocols/mysql/mysql_packets.hpp"

namespace holdfast {

class MySqlReplies {
 public:
  // Form of a command's reply.
  enum class Kind : std::uint8_t { query, prepare, fields, text, change_user };

  struct Agreed {
    bool no_eof = false;            // CLIENT_DEPRECATE_EOF
    bool may_skip_columns = false;  // a byte indicates whether columns are left out
  };
  void agreed(const Agreed& agreed) { agreed_ = agreed; }

  bool ends(const MySqlPackets& packet, Kind kind);  // true: the reply ends with this packet
  bool wants_file() const { return wants_file_; }    // it requested a file from the client
  void file_sent() { wants_file_ = false; }
  bool prepared() const { return prepared_; }             // the complete reply created a statement
  std::uint32_t statement() const { return statement_; }  // ... with this number

 private:
  enum class State : std::uint8_t { first, columns, columns_end, rows, prepared_parts };

  bool first_packet(const MySqlPackets& packet, Kind kind);
  bool begins_rows(const MySqlPackets& packet);
  bool begins_parts(const MySqlPackets& packet);
  bool row(const MySqlPackets& packet);
  bool result_ends(unsigned status);

  Agreed agreed_;
  State state_ = State::first;
  std::uint64_t left_ = 0;  // columns, or parts of a prepared statement
  bool wants_file_ = false;
  bool prepared_ = false;
  std::uint32_t statement_ = 0;
};

}  // namespace holdfast
