// Any number of threads reads the same rows and meets the same error.
#ifndef _WIN32
#include <dlfcn.h>
#include <pthread.h>
#endif

#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "dataset_reader.h"
#include "random.h"
#include "short_memory.h"
#include "text_source.h"

using namespace sparselin;

namespace {

constexpr uint32_t kThreads[] = {1, 2, 3, 8};

struct Outcome {
    uint64_t rows = 0, fingerprint = 0, bytes_done = 0;
    std::string error;

    bool operator==(const Outcome& other) const {
        return rows == other.rows && fingerprint == other.fingerprint && bytes_done == other.bytes_done && error == other.error;
    }
};

Outcome outcome(const std::string& text, uint32_t threads, size_t chunk = SIZE_MAX, size_t rows_a_call = SIZE_MAX) {
    Source source{text, chunk};
    SvmlightReader reader({&Source::read, &source}, 1, threads);
    Dataset data;
    Outcome result;
    result.error = error_of([&] {
                       for (size_t before = SIZE_MAX; data.rows() != before;) {
                           before = data.rows();
                           reader.next(rows_a_call, data);
                           assert_true(rows_a_call == SIZE_MAX || data.rows() <= before + rows_a_call);
                       }
                   }).message();
    result.rows = data.rows();
    result.fingerprint = data.fingerprint();
    if (result.error == "no error") result.bytes_done = reader.bytes_done();
    return result;
}

void assert_same_in_threads(const std::string& text, size_t chunk = SIZE_MAX, size_t rows_a_call = SIZE_MAX) {
    const Outcome plain = outcome(text, 1);
    for (const uint32_t threads : kThreads) {
        const Outcome other = outcome(text, threads, chunk, rows_a_call);
        if (!(other == plain))
            fail_msg("%u threads, reads of %zu bytes, %zu rows a call: %s instead of %s, %zu rows instead of %zu", threads, chunk,
                     rows_a_call, other.error.c_str(), plain.error.c_str(), static_cast<size_t>(other.rows),
                     static_cast<size_t>(plain.rows));
    }
}

// Lines of all lengths, some of them longer than what the reader asks for at a time, with these ends between them in turn.
std::string long_text(const std::vector<std::string>& ends, size_t size = 2000000) {
    const RandomStream random(5, 0);
    std::string text;
    for (uint64_t i = 0, line = 0; text.size() < size; ++line) {
        if (line % 7 != 3) {
            text += concat(line);
            const uint64_t count = random.below(line == 500 ? 60000 : line % 50 == 0 ? 2000 : 20, i++);
            for (uint64_t j = 1; j <= count; ++j) text += concat(" ", 3 * j, ":", 0.125 * static_cast<double>(random.below(999, i++)));
        } else if (line % 2) {
            text += "# 1:x nothing";
        }
        text += ends[random.below(ends.size(), i++)];
    }
    return text;
}

const std::vector<std::vector<std::string>> kEnds = {
    {"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n", "\r", " # about\n", "\r\r\r", "\n\n", "\t\r\n#\n"}};

void awkward_texts(void**) {
    for (const auto& ends : kEnds) {
        const std::string text = long_text(ends);
        assert_same_in_threads(text);
        assert_same_in_threads("\xef\xbb\xbf" + text + "9 9:9");
        assert_same_in_threads(text, 1000);
        for (const size_t rows : {size_t{2}, size_t{100}, size_t{5000}}) assert_same_in_threads(text, 100003, rows);
    }
    for (const char* text : {"", "1", "\n", "\r", "1 1:1\r", "\xef\xbb\xbf", "# nothing"}) assert_same_in_threads(text);
}

void the_first_bad_line_is_told(void**) {
    const std::string good = long_text(kEnds.back());
    for (const size_t where : {size_t{0}, size_t{1000}, good.size() / 2, good.size() - 1}) {
        std::string text = good;
        const size_t line = text.find('\n', where);
        text.insert((line == text.npos ? text.rfind('\n') : line) + 1, "1 2:3 4:bad\n5 6:7 x\n");
        text += "\nbad too\n";
        assert_true(outcome(text, 1).error.find("the value is not a number, found \"bad\"") != std::string::npos);
        assert_same_in_threads(text);
        assert_same_in_threads(text, 5000, 333);
    }
    const std::string overflow = good + "1 1:1e160\n";
    assert_true(outcome(overflow, 1).error.find("the squared norm") != std::string::npos);
    assert_same_in_threads(overflow);
}

// What a read fails with comes after all that was read before it.
void a_read_that_fails_late(void**) {
    struct Failing {
        std::string text;
        size_t at = 0;
        static int64_t read(void* user, void* buffer, size_t capacity) {
            auto& self = *static_cast<Failing*>(user);
            const size_t count = std::min(self.text.size() - self.at, capacity);
            std::memcpy(buffer, self.text.data() + self.at, count);
            self.at += count;
            return count ? static_cast<int64_t>(count) : -1;
        }
    };
    const std::string text = long_text({"\n"});
    for (const std::string& whole : {text, text + "1 1:x\n1 1:1\n"}) {
        std::string message;
        uint64_t rows = 0;
        for (const uint32_t threads : kThreads) {
            Failing source{whole};
            DatasetReader reader({&Failing::read, &source}, 1, threads);
            Dataset data;
            const Error error = error_of([&] { reader.next(SIZE_MAX, data); });
            if (threads == 1) message = error.message(), rows = data.rows();
            ASSERT_TEXT(error.message(), message);
            assert_int_equal(data.rows(), rows);
            ASSERT_TEXT(error_of([&] { reader.next(1, data); }).message(), message);
        }
    }
}

// With the n-th allocation failing, in whichever thread: whole rows from the first on, and the reader fails from then on.
void memory_may_run_out_in_any_thread(void**) {
    const std::string text = long_text({"\n"}, 1200000);
    const Outcome plain = outcome(text, 1);
    bool done = false;
    int failures = 0;
    for (int64_t n = 0; !done; n += 1 + n / 8) {
        Source source{text};
        DatasetReader reader({&Source::read, &source}, 1, 3);
        Dataset data;
        allocations_left = n;
        try {
            reader.next(SIZE_MAX, data);
            done = true;
        } catch (const std::bad_alloc&) {
            ++failures;
        }
        allocations_left = -1;
        if (done) {
            assert_int_equal(data.rows(), plain.rows);
            assert_true(data.fingerprint() == plain.fingerprint);
            continue;
        }
        assert_in_range(data.rows(), 0, plain.rows);
        for (size_t r = 0; r < data.rows(); ++r) assert_true(data.label(r) < 1e9);
        bool again = false;
        try {
            reader.next(1, data);
        } catch (const std::bad_alloc&) {
            again = true;
        }
        assert_true(again);
    }
    assert_true(failures > 10);
}

#ifndef _WIN32  // where nothing stands before the function that starts threads
std::atomic<int> threads_refused_from{-1}, threads_started{0};

void threads_that_cannot_be_started_are_done_without(void**) {
    const std::string text = long_text({"\n"});
    const Outcome plain = outcome(text, 1);
    for (threads_refused_from = 0; threads_refused_from < 4; ++threads_refused_from) {
        threads_started = 0;
        assert_true(outcome(text, 8) == plain);
        assert_int_equal(threads_started.load(), threads_refused_from.load());
    }
    threads_refused_from = -1;
    threads_started = 0;
    assert_true(outcome(text, 1) == plain);
    assert_int_equal(threads_started.load(), 0);
    assert_true(outcome("1 1:1\n", 8).rows == 1);
    assert_int_equal(threads_started.load(), 0);
}

struct Start {
    void* (*function)(void*);
    void* argument;
};

// A thread begins once all have started that may: otherwise quick ones leave nothing to do for others, which then are never asked for.
void* begin(void* argument) {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    while (threads_started < threads_refused_from) std::this_thread::yield();
    return start->function(start->argument);
}
#endif

}  // namespace

#ifndef _WIN32
// Stands before the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (threads_started == threads_refused_from) return EAGAIN;
    ++threads_started;
    if (threads_refused_from < 0) return create(thread, attributes, start, argument);
    auto held = std::make_unique<Start>(Start{start, argument});
    const int status = create(thread, attributes, begin, held.get());
    if (status == 0) static_cast<void>(held.release());
    return status;
}
#endif

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(awkward_texts),
        cmocka_unit_test(the_first_bad_line_is_told),
        cmocka_unit_test(a_read_that_fails_late),
        cmocka_unit_test(memory_may_run_out_in_any_thread),
#ifndef _WIN32
        cmocka_unit_test(threads_that_cannot_be_started_are_done_without),
#endif
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
