// The whole library as one file, for builds that have nothing but a compiler:
//     c++ -std=c++17 -O2 -fPIC -shared -pthread -Wl,--version-script=src/sparselin.map -Iinclude src/all.cpp -o libsparselin.so
// (and -msse2 -mfpmath=sse on 32-bit x86). Such a build knows no other flags, so this file says what CMakeLists.txt says with flags: no
// contraction to fused multiply-add, which would change bits, files beyond 2 GB, and nothing visible but the header's functions. The C++
// library's own inline functions stay visible whatever a source says, and some of them forbid unloading: the version script hides those.
// Headers of C functions that the sources call come first, since those lie outside.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define _FILE_OFFSET_BITS 64
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef _WIN32
#define NOMINMAX 1
#define WIN32_LEAN_AND_MEAN 1
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <sys/stat.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <cerrno>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#pragma GCC visibility push(hidden)
#include "archive.cpp"
#include "arithmetic.cpp"
#include "c_api.cpp"
#include "c_api_dataset.cpp"
#include "c_api_encoder.cpp"
#include "c_api_model.cpp"
#include "c_api_options.cpp"
#include "c_api_prediction.cpp"
#include "c_api_search.cpp"
#include "c_api_training.cpp"
#include "class_weights.cpp"
#include "data_file.cpp"
#include "dataset.cpp"
#include "dataset_reader.cpp"
#include "elementary.cpp"
#include "encoder.cpp"
#include "error.cpp"
#include "example.cpp"
#include "feature_names.cpp"
#include "figures.cpp"
#include "labels.cpp"
#include "lazy_weights.cpp"
#include "lazy_weights_settling.cpp"
#include "lazy_weights_values.cpp"
#include "learner.cpp"
#include "learner_merging.cpp"
#include "loss.cpp"
#include "metrics.cpp"
#include "model.cpp"
#include "model_file.cpp"
#include "model_merging.cpp"
#include "model_training.cpp"
#include "multiply_add.cpp"
#include "number.cpp"
#include "options.cpp"
#include "record.cpp"
#include "row_scan.cpp"
#include "schedule.cpp"
#include "sealed.cpp"
#include "search.cpp"
#include "sorted.cpp"
#include "statistics.cpp"
#include "stream.cpp"
#include "svmlight.cpp"
#include "svmlight_crew.cpp"
#include "svmlight_parser.cpp"
#include "system_any.cpp"
#include "system_posix.cpp"
#include "system_windows.cpp"
#include "tokens.cpp"
#include "values.cpp"
#include "windows_files.cpp"
#pragma GCC visibility pop
