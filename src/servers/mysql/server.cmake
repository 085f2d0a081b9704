# The client library: MariaDB Connector/C where Debian is asked for libmysqlclient.
if(HOLDFAST_STATIC)
  static_mysql(holdfast_servers)
else()
  pkg_check_modules(MYSQL REQUIRED IMPORTED_TARGET libmariadb)
  target_link_libraries(holdfast_servers PUBLIC PkgConfig::MYSQL)
endif()
embed(sql FOLDER sql PATTERN *.sql TARGET holdfast_servers)
embed(transfer FOLDER src/servers/mysql PATTERN *.sh TARGET holdfast_servers)
