# `cmake --install build/release --prefix DIR`: bin, share and nothing else, and it may be moved: the program finds its
# scenarios by its own place (src/cli/command.hpp). Statements, Redis commands and the library that moves a server's
# clock are inside the program; the files of the first two are installed for people to read and paste.
include(GNUInstallDirs)

set(man_page ${CMAKE_BINARY_DIR}/holdfast.1.gz)
add_custom_command(
  TARGET holdfast POST_BUILD
  COMMAND sh -c "\"$0\" man-page > holdfast.1 && gzip -9nc holdfast.1 > holdfast.1.gz" $<TARGET_FILE:holdfast>
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
  BYPRODUCTS ${man_page}
  COMMENT "Writing the manual page"
  VERBATIM)

install(TARGETS holdfast RUNTIME)
install(DIRECTORY scenarios sql redis etcd postgres zookeeper s3 adapters libraries
        DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md TYPE DOC)
install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
