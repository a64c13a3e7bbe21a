// replay FILE|FOLDER...: gives each file, and each file of a folder, to the fuzz target that this is linked with.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz.h"

namespace {

size_t replay(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path)) {
        size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path)) count += replay(entry.path());
        return count;
    }
    std::ifstream file(path, std::ios::binary);
    CHECK_SAYING(file, "cannot open %s", path.c_str());
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    size_t count = 0;
    for (int i = 1; i < argc; ++i) count += replay(argv[i]);
    CHECK_SAYING(count > 0, "no input given");
    std::printf("%zu inputs\n", count);
    return 0;
}
