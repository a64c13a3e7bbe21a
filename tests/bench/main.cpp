// The program of `make bench`.
#include <algorithm>
#include <cstring>

#include "programs.h"

// bars [quick] [PART...]: all parts where none is named.
int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "run") == 0) return bench::run_and_tell(argv[2]);
    const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
    const std::vector<std::string> wanted(argv + 1 + quick, argv + argc);
    const std::pair<const char*, void (*)(bench::Table&)> parts[] = {
        {"training", bench::training_bars}, {"classes", bench::class_bars}, {"prediction", bench::prediction_bars},
        {"text", bench::text_bars},         {"data", bench::data_bars},     {"encoder", bench::encoder_bars},
        {"search", bench::search_bars},     {"peers", bench::peer_lines},   {"models", bench::model_lines}};
    bench::Table table(quick);
    for (const auto& [name, part] : parts)
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) part(table);
    table.summary();
}
