// Other programs that train linear models on sparse rows, where they are installed.
#pragma once
#include <string>
#include <vector>

#include "matrices.h"

namespace bench {

struct Peer {
    std::string name;
    double ns = 0;     // a pass over the rows in memory, a nonzero
    double wrong = 0;  // of the test rows, in percent; after as many passes as the name says
};

struct Peers {
    std::vector<Peer> found;
    std::vector<std::string> missing;  // each says what to install
};

// All of them with log loss (and LIBLINEAR with hinge too) and the same l2, once. A pass is what more passes cost, divided by their number.
Peers run_peers(const Matrix& train, const Matrix& test, double l2);

// Commands that start them; empty where they are not installed.
std::string python_with_scikit_learn();
std::string vowpal_wabbit_program();
bool make_vowpal_wabbit_text(const std::string& svmlight, const std::string& to);  // from one file to the other

// The first rows of a matrix, and those from `first` on.
Matrix rows_of(const Matrix& matrix, size_t first, size_t count);

}  // namespace bench
