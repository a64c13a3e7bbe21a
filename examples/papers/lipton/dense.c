/* The elastic net as it is defined: every weight is touched at every step. The loops over all weights are written so that a compiler
   may vectorise them, the sum in eight lanes.
       sgd:    w <- S(w) - eta g x,   S(v) = sgn(v) max(0, (1 - eta l2) |v| - eta l1)
       fobos:  w <- S(w - eta g x),   S(v) = sgn(v) max(0, |v| - eta l1) / (1 + eta l2)
   with eta = eta0 / sqrt(t), and g the slope of the log loss. The bias is not shrunk. */
#include <math.h>
#include <stdlib.h>

static double dot(int n, const double* a, const double* b) {
    double sums[8] = {0}, sum = 0;
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int lane = 0; lane < 8; ++lane) sums[lane] += a[j + lane] * b[j + lane];
    for (; j < n; ++j) sum += a[j] * b[j];
    for (int lane = 0; lane < 8; ++lane) sum += sums[lane];
    return sum;
}

static double shrunk(double v, double factor, double amount) {
    const double rest = factor * fabs(v) - amount;
    return copysign(rest > 0 ? rest : 0, v);
}

/* Learns the rows in their order, once. With sparse_predictions the row's nonzeros are used where they are all that counts; otherwise the
   row is written out, and the prediction and the gradient run over all features. */
void learn_dense(const int* rows, const int* features, const int* starts, const int* indices, const double* values, const double* labels,
                 const double* eta0, const double* l1, const double* l2, const int* fobos, const int* sparse_predictions, double* w,
                 double* bias) {
    const int n = *features;
    double* x = calloc(n, sizeof(double));
    if (!x) return;
    for (int t = 1; t <= *rows; ++t) {
        const int from = starts[t - 1], to = starts[t];
        double p = *bias;
        if (*sparse_predictions) {
            for (int e = from; e < to; ++e) p += w[indices[e]] * values[e];
        } else {
            for (int e = from; e < to; ++e) x[indices[e]] = values[e];
            p += dot(n, w, x);
        }
        const double y = labels[t - 1], g = -y / (1 + exp(p * y)), eta = *eta0 / sqrt(t), step = eta * g;
        const double factor = *fobos ? 1 / (1 + eta * *l2) : 1 - eta * *l2;
        const double amount = *fobos ? factor * eta * *l1 : eta * *l1;
        if (*sparse_predictions) {
            if (*fobos)
                for (int e = from; e < to; ++e) w[indices[e]] -= step * values[e];
            for (int j = 0; j < n; ++j) w[j] = shrunk(w[j], factor, amount);
            if (!*fobos)
                for (int e = from; e < to; ++e) w[indices[e]] -= step * values[e];
        } else {
            if (*fobos)
                for (int j = 0; j < n; ++j) w[j] = shrunk(w[j] - step * x[j], factor, amount);
            else
                for (int j = 0; j < n; ++j) w[j] = shrunk(w[j], factor, amount) - step * x[j];
            for (int e = from; e < to; ++e) x[indices[e]] = 0;
        }
        *bias -= step;
    }
    free(x);
}
