// CMocka for tests in C++, and what a call is expected to end in.
#pragma once
#include <functional>
#include <string>

#include "error.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
}

// The error that `call` ends in; its status is SL_OK if it ends in none.
inline sparselin::Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const sparselin::Error& error) {
        return error;
    }
    return sparselin::Error(SL_OK, "no error");
}

#define ASSERT_TEXT(actual, expected) assert_string_equal((actual).c_str(), std::string(expected).c_str())

// `call` ends in an Error that says this.
#define ASSERT_REFUSED(expected_status, expected_message, call)   \
    do {                                                          \
        const sparselin::Error refused = error_of([&] { call; }); \
        assert_int_equal(refused.status(), expected_status);      \
        ASSERT_TEXT(refused.message(), expected_message);         \
    } while (0)
