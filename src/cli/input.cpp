#include "input.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "library.h"

namespace cli {

namespace {
constexpr size_t kBufferSize = 1 << 17;
constexpr int kGzipOfAnyWindow = 15 + 16;  // as inflateInit2 wants it
constexpr size_t kLongestName = 1 << 20;

using namespace std::string_view_literals;

struct Packing {
    std::string_view start;  // a ? is any byte
    const char* unpacker;    // null: we are
};
constexpr Packing kPackings[] = {
    {"\x1f\x8b"sv, nullptr},
    {"BZh?1AY&SY"sv, "bzip2 -dc"},
    {"\xfd"
     "7zXZ\0"sv,
     "xz -dc"},
    {"\x28\xb5\x2f\xfd"sv, "zstd -dc"},
    {"PK\x03\x04"sv, "unzip -p"},
};

// The packing that a file has whose first bytes these are, or may have where they are too few to tell.
const Packing* packing_of(const unsigned char* bytes, size_t size) {
    for (const Packing& packing : kPackings) {
        bool same = true;
        for (size_t k = 0; k < std::min(size, packing.start.size()); ++k)
            same = same && (packing.start[k] == '?' || packing.start[k] == static_cast<char>(bytes[k]));
        if (same) return &packing;
    }
    return nullptr;
}

}  // namespace

Input::Input(const std::string& path) : file_(path), size_(file_.size()), packed_(kBufferSize) {}

Input::~Input() {
    if (gzip_) inflateEnd(gzip_.get());
}

double Input::fraction() const { return size_ == 0 ? -1.0 : std::min(1.0, static_cast<double>(position_) / static_cast<double>(size_)); }

int64_t Input::fail(const std::string& reason) {
    failure_ = reason;
    return -1;
}

// How many bytes of the file it reads, 0 at its end, -1 on failure.
int64_t Input::read_file(void* to, size_t capacity) {
    for (;;) {
        if (stopped_ || (go_on_ && !go_on_())) return fail("interrupted");
        const std::optional<int64_t> count = file_.read(to, capacity);
        if (!count) continue;
        if (*count < 0) return fail(system_reason());
        position_ += static_cast<uint64_t>(*count);
        return *count;
    }
}

// The same, behind end_.
int64_t Input::fill() {
    const int64_t count = read_file(packed_.data() + end_, packed_.size() - end_);
    end_ += static_cast<size_t>(std::max<int64_t>(count, 0));
    return count;
}

int64_t Input::read(void* buffer, size_t capacity) {
    if (!failure_.empty()) return -1;
    if (at_start_) {
        const Packing* packing;
        int64_t count = 1;
        while ((packing = packing_of(packed_.data(), end_)) && end_ < packing->start.size() && (count = fill()) > 0) continue;
        if (count < 0) return -1;
        at_start_ = false;
        if (packing && count > 0) {
            if (packing->unpacker) {
                return fail("it is packed otherwise than by gzip: unpack it on the way, as in " + std::string(packing->unpacker) +
                            " FILE | sparselin train -");
            }
            auto gzip = std::make_unique<z_stream>();
            if (inflateInit2(gzip.get(), kGzipOfAnyWindow) != Z_OK) return fail("not enough memory to unpack gzip");
            gzip_ = std::move(gzip);
        }
    }
    if (gzip_) return inflate_into(buffer, capacity);
    if (begin_ == end_) return read_file(buffer, capacity);
    const size_t count = std::min(capacity, end_ - begin_);
    std::memcpy(buffer, packed_.data() + begin_, count);
    begin_ += count;
    return static_cast<int64_t>(count);
}

int64_t Input::inflate_into(void* buffer, size_t capacity) {
    const auto room = static_cast<uInt>(std::min(capacity, size_t{1} << 30));
    gzip_->next_out = static_cast<Bytef*>(buffer);
    gzip_->avail_out = room;
    while (gzip_->avail_out == room) {
        if (begin_ == end_) {
            begin_ = end_ = 0;
            const int64_t count = fill();
            if (count < 0) return -1;
            if (count == 0) return between_members_ ? 0 : fail("the gzip data ends too early");
        }
        if (between_members_) {
            // Another member may follow; zeros are padding, which tapes and block devices leave.
            while (begin_ < end_ && packed_[begin_] == 0) ++begin_;
            if (begin_ == end_) continue;
            inflateReset(gzip_.get());
            between_members_ = false;
        }
        gzip_->next_in = packed_.data() + begin_;
        gzip_->avail_in = static_cast<uInt>(end_ - begin_);
        const int result = inflate(gzip_.get(), Z_NO_FLUSH);
        begin_ = end_ - gzip_->avail_in;
        if (result == Z_STREAM_END) {
            between_members_ = true;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return fail(std::string("damaged gzip data: ") + (gzip_->msg ? gzip_->msg : "no reason given"));
        }
    }
    return static_cast<int64_t>(room - gzip_->avail_out);
}

int64_t Input::read_for_library(void* input, void* buffer, size_t capacity) noexcept {
    return static_cast<Input*>(input)->read(buffer, capacity);
}

std::vector<std::string> read_lines(const std::string& path) {
    Input input(path);
    std::string text, part(kBufferSize, '\0');
    int64_t count = 0;
    while ((count = input.read(part.data(), part.size())) > 0) {
        text.append(part, 0, static_cast<size_t>(count));
        if (text.size() - (text.rfind('\n') + 1) > kLongestName) throw Failure(kBadData, input.name() + ": a name is longer than 1 MiB");
    }
    if (count < 0) throw Failure(kBadData, input.name() + ": " + input.failure());

    std::vector<std::string> lines;
    const size_t mark = text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;  // of byte order
    for (size_t begin = mark; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
        begin = end + 1;
    }
    return lines;
}

}  // namespace cli
