// The finished linear predictor for raw examples: all that predicting needs, laid out for it.
#pragma once
#include <cstdint>
#include <vector>

#include "block_store.h"
#include "feature_store.h"

namespace sparselin {

struct Predictor {
    Predictor(Storage storage, size_t classes) : weights(storage), blocks(storage, 0, classes), biases(classes) {}

    size_t classes() const { return biases.size(); }
    uint64_t bytes() const { return sizeof *this + weights.bytes() + blocks.bytes() + biases.size() * sizeof(double); }

    FeatureStore<double> weights;  // of one class
    BlockStore blocks;             // of several: a weight each
    std::vector<double> biases;
    uint64_t dimension = 0, steps = 0;
    double mean_loss = 0;

    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        for (auto& bias : self.biases) archive(bias);
        archive(self.dimension, self.steps, self.mean_loss);
        if (self.classes() > 1)
            BlockStore::fields(self.blocks, archive);
        else
            FeatureStore<double>::fields(self.weights, archive);
    }
};

}  // namespace sparselin
