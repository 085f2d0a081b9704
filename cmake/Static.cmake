# A program that needs nothing but the C library to run, for wheels (setup/wheel.sh): the archives of Debian's -dev
# packages in place of its shared libraries. What is loaded late stays optional; a disk that loses power, whose library
# has no archive, is left out.
#
# link_statically() comes before the libraries are looked for.
function(link_statically)
  set(OPENSSL_USE_STATIC_LIBS ON PARENT_SCOPE)
  set(ZLIB_USE_STATIC_LIBS ON PARENT_SCOPE)
  add_link_options(-static-libstdc++ -static-libgcc)
endfunction()

# The client library of MySQL, which pkg-config knows as a shared library only.
function(static_mysql target)
  find_library(MARIADB_ARCHIVE libmariadbclient.a REQUIRED)
  pkg_check_modules(MYSQL REQUIRED libmariadb)
  target_include_directories(${target} SYSTEM PUBLIC ${MYSQL_INCLUDE_DIRS})
  target_link_libraries(${target} PUBLIC ${MARIADB_ARCHIVE} OpenSSL::SSL OpenSSL::Crypto ZLIB::ZLIB ${CMAKE_DL_LIBS} m)
endfunction()
