// The finished linear predictor for raw examples: all that predicting needs, laid out for it.
#pragma once
#include <cstdint>

#include "feature_store.h"

namespace sparselin {

struct Predictor {
    // Where there is no training state beside it, an array may take 64 bytes for each weight that is not 0.
    static FeatureStore<double> loaded(Storage storage) { return FeatureStore<double>(storage, 0, false, 8); }

    FeatureStore<double> weights;
    double bias;
    uint64_t dimension, steps;
    double mean_loss;

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.bias, self.dimension, self.steps, self.mean_loss);
        FeatureStore<double>::fields(self.weights, archive);
    }
};

}  // namespace sparselin
