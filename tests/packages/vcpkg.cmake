# cmake -D WORK=folder -P vcpkg.cmake: runs the port's steps with what vcpkg's functions do for this machine, without vcpkg
# itself: configures and installs; CMake's package and pkg-config's file stay where they are. Then a program is built against that.
set(root "${CMAKE_CURRENT_LIST_DIR}/../..")
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}" "${WORK}/app")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${output}")
    endif()
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    run("${CMAKE_COMMAND}" --build "${WORK}/build" --target install --parallel ${cores})
endfunction()

function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/sparselinConfig.cmake")
        message(FATAL_ERROR "CMake's package is not in ${arg_CONFIG_PATH}")
    endif()
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/sparselin")
endfunction()

file(READ "${root}/tools/vcpkg/vcpkg.json" manifest)
string(JSON version GET "${manifest}" version)
include("${root}/tools/vcpkg/portfile.cmake")
run("${CMAKE_COMMAND}" -S "${root}/tests/install" -B "${WORK}/app" "-DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK}/app")
if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/libsparselin.so.${version}")
    message(FATAL_ERROR "vcpkg.json tells of another version, ${version}")
endif()
run("${WORK}/app/app_shared")
run("${WORK}/app/app_static")
message("vcpkg: the port's steps make what a program finds and uses; vcpkg itself was not run")
