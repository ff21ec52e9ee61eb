# Fetches the packages for a task beyond the page itself (see web/packages.mjs) and makes STAMP, or says why that cannot be.
# usage: cmake -DTASK=test|all [-DSYN_NODE=FILE] [-DSTAMP=FILE] -P page-packages.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/node.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/fetch.cmake")
syn_find_node(node why)
if(NOT why)
  syn_fetch("${node}" "${CMAKE_CURRENT_LIST_DIR}/../web" ${TASK} why)
endif()
if(why)
  message(NOTICE "The page cannot be tested: ${why}")
elseif(STAMP)
  file(TOUCH "${STAMP}")
endif()
