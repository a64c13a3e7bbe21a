// The program's CSV records: the same whatever the source gives at once, and the same again when they are written and read.
#include <algorithm>

#include "../../src/cli/csv.h"
#include "../../src/cli/library.h"
#include "fuzz.h"

namespace {

using Record = std::vector<std::string>;

struct Result {
    std::vector<Record> records;
    std::vector<uint64_t> lines;
    std::string failure;
};

Result read(const std::string& text, size_t chunk, char delimiter) {
    Result result;
    size_t at = 0;
    cli::CsvReader reader(
        [&](char* buffer, size_t capacity) {
            const size_t count = text.copy(buffer, std::min(chunk, capacity), at);
            at += count;
            return static_cast<int64_t>(count);
        },
        delimiter);
    cli::Fields fields;
    try {
        while (reader.next(fields)) {
            CHECK(fields.size() > 0);
            Record& record = result.records.emplace_back();
            for (size_t i = 0; i < fields.size(); ++i) {
                CHECK(fields[i].data()[fields[i].size()] == '\0');
                record.emplace_back(fields[i]);
            }
            CHECK(result.lines.empty() || result.lines.back() < fields.line);
            result.lines.push_back(fields.line);
        }
        CHECK(!reader.next(fields));
    } catch (const cli::Failure& failure) {
        result.failure = failure.what();
        CHECK(!result.failure.empty());
    }
    return result;
}

}  // namespace

// The first byte tells how the rest, which is the text, is read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    fuzz::Input input(bytes, size);
    const uint8_t how = input.byte();
    const char delimiter = how & 1 ? '\t' : ',';
    const std::string text(reinterpret_cast<const char*>(bytes) + (size > 0), size - (size > 0));
    const Result whole = read(text, SIZE_MAX, delimiter), parts = read(text, size_t{1} + (how >> 1 & 7), delimiter);
    CHECK(whole.records == parts.records && whole.lines == parts.lines);
    CHECK_SAYING(whole.failure == parts.failure, "%s and %s", whole.failure.c_str(), parts.failure.c_str());

    std::string written = "x\n";  // so that no mark of byte order begins it
    for (const Record& record : whole.records) {
        for (size_t i = 0; i < record.size(); ++i) written += (i ? std::string(1, delimiter) : "") + cli::csv_field(record[i], delimiter);
        if (record.size() == 1 && record[0].empty()) written += "\"\"";
        written += '\n';
    }
    const Result again = read(written, SIZE_MAX, delimiter);
    CHECK_SAYING(again.failure.empty(), "%s", again.failure.c_str());
    CHECK(again.records.size() == whole.records.size() + 1 &&
          std::equal(whole.records.begin(), whole.records.end(), again.records.begin() + 1));
    return 0;
}
