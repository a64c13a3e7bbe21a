// What the machine allows: the arithmetic of averaged SGD on bare arrays, with nothing checked, kept, or left to choose.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "feature_store.h"
#include "matrices.h"

namespace bench {

// What every run of a table shares, of the library and of the floors: Xu's rate with a first rate that goes with the rows, uniform
// average from the first step.
constexpr double kL2 = 1e-6;

// A learner with 16 bytes a feature that goes on learning from pass to pass: w = P u, and the average as in src/lazy_weights.h.
struct Asgd {
    struct Entry {
        double u, acc;
    };
    explicit Asgd(const Matrix& data) : matrix(data), table(data.features) {}
    const Matrix& matrix;
    sparselin::ZeroedArray<Entry> table;  // asks for large pages
    double P = 1, C = 0, bias = 0, steps = 0;
    std::vector<double> wide;  // values in 8 bytes and the sum of losses, of a pass that keeps the contract
    double losses = 0;
    double average(uint32_t index) const { return (table[index].acc + table[index].u * C) / steps; }
};

// Ways to write the same pass over all rows. `gather` needs a CPU that has AVX-512.
struct AsgdFloor {
    std::string name;
    void (*pass)(Asgd&);
};
std::vector<AsgdFloor> asgd_floors(bool hinge);

// The scalar pass with what the library promises on top: values of 8 bytes, any power of the rate, the mean loss, no step that overflows.
// No floor, but what a ratio can come down to.
AsgdFloor asgd_contract(bool hinge, bool prefetch);

// Where features lie: each at its index; or those that there are side by side, found in a bare hash table that is at most half full.
class Places {
  public:
    Places(const Matrix& data, bool hashed);
    size_t size() const { return size_; }
    uint32_t operator[](uint32_t index) const {
        size_t at = home(index);
        while (static_cast<uint32_t>(slots_[at] >> 32) != index) at = (at + 1) & (slots_.size() - 1);
        return static_cast<uint32_t>(slots_[at]);
    }
    // Of a row's features, valid until the next row is asked for.
    const uint32_t* of(const uint32_t* indices, size_t count) {
        if (slots_.empty()) return indices;
        row_.resize(std::max(row_.size(), count));
        for (size_t j = 0; j < count; ++j) row_[j] = (*this)[indices[j]];
        return row_.data();
    }

  private:
    size_t home(uint32_t index) const { return static_cast<size_t>(index * uint64_t{0x9e3779b97f4a7c15u} >> 32) & (slots_.size() - 1); }

    size_t size_;
    std::vector<uint64_t> slots_;  // an index and its place; none where features lie at their indices
    std::vector<uint32_t> row_;
};

// The same learner with a score for each of K classes, whose numbers lie side by side: [u_1 .. u_K | acc_1 .. acc_K] a feature.
struct ClassAsgd {
    ClassAsgd(const Matrix& data, size_t count, bool hashed)
        : matrix(data),
          places(data, hashed),
          classes(count),
          table(places.size() * 2 * count),
          bias(count),
          scores(count),
          changes(2 * count),
          moved(count) {}
    const Matrix& matrix;
    Places places;
    size_t classes;
    sparselin::ZeroedArray<double> table;
    std::vector<double> bias, scores, changes;
    std::vector<size_t> moved;  // classes whose slope is not 0
    double P = 1, C = 0, steps = 0;
    double average(uint32_t index, size_t k) {
        const double* const block = table.data() + 2 * classes * *places.of(&index, 1);
        return (block[classes + k] + block[k] * C) / steps;
    }
};
enum class Classes { softmax, one_vs_rest_log, one_vs_rest_hinge };
void class_pass(ClassAsgd& state, Classes what);

// The scores of all rows, with K weights of 8 bytes a feature side by side.
void class_products(const Matrix& matrix, Places& places, size_t classes, const double* weights, double* scores);

// Elastic net, not averaged, as Lipton & Elkan have it: each weight keeps the row at which it was last brought up to date, and a table of
// products and sums since the last flush brings it up to date in O(1).
struct Stamped {
    struct Entry {
        double w;
        uint32_t row, unused;
    };
    explicit Stamped(const Matrix& data) : matrix(data), table(data.features) {}
    const Matrix& matrix;
    sparselin::ZeroedArray<Entry> table;
    double l1 = 0, bias = 0, steps = 0;
};
void stamped_pass(Stamped& state);

// The products of all rows with 8-byte weights, the best of two ways: scalar and gather.
struct DotFloor {
    std::string name;
    void (*pass)(const Matrix& matrix, const double* values, const double* weights, double* scores);
};
std::vector<DotFloor> dot_floors();

// Adds up a file's bytes, eight at a time: mapped, or read piece by piece. Gives the sum; ends the program where the file cannot be read.
uint64_t sum_of_mapped_file(const char* path);
uint64_t sum_of_read_file(const char* path);

}  // namespace bench
