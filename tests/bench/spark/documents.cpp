// documents ROWS FILE [clicks]: so many of the bench's documents of 47,236 features, or of its advertisements hashed to 2^24, as svmlight
// text with labels 0 and 1.
#include <cstdio>
#include <cstdlib>

#include "../matrices.h"

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) return 2;
    const size_t rows = std::strtoull(argv[1], nullptr, 10);
    const bench::Matrix matrix = argc == 4 ? bench::ads(rows, 24, 1) : bench::words(rows, 47236, 75.7, 1);
    FILE* out = std::fopen(argv[2], "w");
    if (!out) return std::perror(argv[2]), 1;
    for (size_t r = 0; r < matrix.rows(); ++r) {
        std::fprintf(out, "%d", matrix.labels[r] > 0);
        for (int64_t k = matrix.pointers[r]; k < matrix.pointers[r + 1]; ++k)
            std::fprintf(out, " %u:%.9g", matrix.indices[k] + 1, static_cast<double>(matrix.values[k]));
        std::fputc('\n', out);
    }
    return std::fclose(out) != 0;
}
