/* Dekel's three recursions as they are defined: every weight is touched at every step. The loops over all weights are written so that a
   compiler may vectorise them, the sum in eight lanes.
       w <- (1 - 1/t) w - g (x - mean) / (l2 t),   a <- a + (w - a) / t
   g is the slope of the log loss at w.(x - mean) + b, the bias goes the same way, and a is the average. */
#include <R.h>
#include <math.h>

static double dot(int n, const double* a, const double* b) {
    double sums[8] = {0}, sum = 0;
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int lane = 0; lane < 8; ++lane) sums[lane] += a[j + lane] * b[j + lane];
    for (; j < n; ++j) sum += a[j] * b[j];
    for (int lane = 0; lane < 8; ++lane) sum += sums[lane];
    return sum;
}

/* Learns the rows in their order, once. Without `centered` the mean counts as 0 and is not read; without `averaged` the average is not
 * kept. */
void learn_dense(const int* rows, const int* features, const int* starts, const int* indices, const double* values, const double* labels,
                 const double* l2, const double* mean, const int* centered, const int* averaged, double* w, double* a, double* biases) {
    const int n = *features;
    for (int t = 1; t <= *rows; ++t) {
        const int from = starts[t - 1], to = starts[t];
        double p = biases[0] - (*centered ? dot(n, w, mean) : 0);
        for (int e = from; e < to; ++e) p += w[indices[e]] * values[e];
        const double y = labels[t - 1], g = -y / (1 + exp(p * y)), factor = 1 - 1.0 / t, step = g / (*l2 * t);
        if (*centered)
            for (int j = 0; j < n; ++j) w[j] = factor * w[j] + step * mean[j];
        else
            for (int j = 0; j < n; ++j) w[j] *= factor;
        for (int e = from; e < to; ++e) w[indices[e]] -= step * values[e];
        biases[0] = factor * biases[0] - step;
        if (*averaged) {
            const double share = 1.0 / t;
            for (int j = 0; j < n; ++j) a[j] += share * (w[j] - a[j]);
            biases[1] += share * (biases[0] - biases[1]);
        }
    }
}
