// The options as the dense twin reads them: SPEC's names, defaults, presets and exclusions, written down a second time so that the
// library's table is checked against something.
#pragma once
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dense_twin {

using Setting = std::pair<std::string, std::string>;  // an option's name and value, as given to sl_options_set

// What is set, in order: a later setting of the same name wins, and a preset stands for the settings it is made of.
class Settings {
  public:
    explicit Settings(const std::vector<Setting>& given) {
        for (const Setting& s : given) {
            if (s.first == "preset") expand(s.second);
            if (!same(text(s.first), s.second)) asked_.push_back(s);
            set_.push_back(s);
        }
    }

    std::string text(const std::string& name) const {
        if (const std::string* value = find(name)) return *value;
        return standard(name);
    }

    bool is(const std::string& name, const char* value) const { return text(name) == value; }
    double number(const std::string& name) const { return std::strtod(text(name).c_str(), nullptr); }
    bool boolean(const std::string& name) const { return is(name, "true") || is(name, "1"); }

    bool two_labels() const { return is("loss", "log") || is("loss", "hinge") || is("loss", "squared_hinge"); }
    // Scores a row: one a class, of three and more.
    size_t scores() const { return two_labels() && number("classes") > 2 ? static_cast<size_t>(number("classes")) : 1; }
    bool softmax() const { return scores() > 1 && is("loss", "log") && !is("multiclass", "one_vs_rest"); }
    bool penalized() const { return is("update", "sgd") || is("update", "fobos"); }

    // A penalty as it counts: where it does not belong it is 0 whatever its default.
    double penalty(const std::string& name) const {
        if (!penalized()) return 0;
        if (name != "l2" || !is("l2", "auto")) return number(name);
        const bool steep = two_labels() || is("loss", "squared");
        return steep ? 1e-6 : 0;
    }
    double noise() const {
        if (!is("schedule", "adaptive")) return 0;
        if (!is("noise", "auto")) return number("noise");
        return is("loss", "log") ? 1.0 / 256 : two_labels() ? 1.0 / 4096 : 0;
    }
    bool noise_depends_on_features() const { return is("schedule", "adaptive") && is("noise", "auto") && two_labels(); }
    double power() const { return is("power", "auto") ? (is("loss", "squared") ? 2.0 / 3 : 0.75) : number("power"); }
    double decay() const {
        if (!is("decay", "auto")) return number("decay");
        const double gravity = is("update", "truncated_gradient") ? number("gravity") : 0;
        return is("schedule", "adaptive") ? penalty("l1") + penalty("l2") + gravity : penalty("l2");
    }
    bool sparse_average() const {
        return boolean("sparse_average") && (penalty("l1") > 0 || number("gravity") > 0 || is("update", "rounding"));
    }
    bool automatic_rate() const { return is("eta0", "auto") && !is("schedule", "inverse_lambda"); }
    bool needs_statistics() const { return boolean("center") || is("scale", "rms") || is("scale", "max_abs"); }
    bool takes_statistics() const { return boolean("center") || !is("scale", "none"); }

    // The pairs of options that SPEC forbids together; none for settings of which a model can be made.
    std::vector<Setting> conflicts() const {
        std::vector<Setting> found;
        const auto forbid = [&](bool broken, const char* a, const char* b) {
            if (broken) found.emplace_back(a, b);
        };
        const auto useless = [&](const char* a, const char* b, std::initializer_list<const char*> readers) {
            bool read = false;
            for (const char* reader : readers) read = read || is(b, reader);
            forbid(asked_for(a) && !read, a, b);
        };
        useless("huber_delta", "loss", {"huber"});
        useless("epsilon", "loss", {"epsilon_insensitive"});
        useless("quantile", "loss", {"quantile"});
        for (const char* several : {"classes", "multiclass", "balance", "positive_weight"})
            forbid(asked_for(several) && !two_labels(), several, "loss");
        forbid(is("classes", "2") && !is("multiclass", "auto"), "multiclass", "classes");
        forbid(!is("loss", "log") && is("multiclass", "softmax"), "multiclass", "loss");
        forbid(number("classes") > 2 && number("positive_weight") != 1, "positive_weight", "classes");
        forbid(boolean("balance") && number("positive_weight") != 1, "positive_weight", "balance");
        for (const char* penalty : {"l1", "l2"}) useless(penalty, "update", {"sgd", "fobos"});
        useless("gravity", "update", {"truncated_gradient"});
        for (const char* truncation : {"theta", "period"}) useless(truncation, "update", {"truncated_gradient", "rounding"});
        useless("eta0", "schedule", {"adaptive", "xu", "constant", "inverse_scaling"});
        useless("power", "schedule", {"adaptive", "xu", "inverse_scaling"});
        useless("decay", "schedule", {"adaptive", "xu"});
        useless("noise", "schedule", {"adaptive"});
        useless("average_start", "average", {"polynomial", "uniform"});
        useless("sparse_average", "average", {"polynomial", "uniform"});
        useless("average_power", "average", {"polynomial"});
        if (!boolean("bias")) forbid(asked_for("bias_regularized"), "bias_regularized", "bias");
        forbid(is("update", "rounding") && !std::isfinite(number("theta")), "update", "theta");
        const bool without_l2 = is("schedule", "inverse_lambda") && !(penalty("l2") > 0);
        forbid(without_l2, "schedule", "l2");
        forbid(without_l2 && !penalized(), "schedule", "update");
        forbid(kills_everything(), "eta0", "l2");
        forbid(boolean("center") && penalty("l1") > 0, "center", "l1");
        forbid(boolean("center") && !penalized(), "center", "update");
        forbid(boolean("center") && boolean("nonnegative"), "center", "nonnegative");
        forbid(boolean("center") && boolean("sparse_average"), "center", "sparse_average");
        forbid(number("clip_min") > number("clip_max"), "clip_min", "clip_max");
        return found;
    }

  private:
    // Whether the caller wants something of this option: neither what a preset brings nor a default asks for anything, nor l2 and noise of
    // 0.
    bool asked_for(const std::string& name) const {
        const bool nothing = (name == "l2" || name == "noise") && !is(name, "auto") && number(name) == 0;
        for (const Setting& s : asked_)
            if (s.first == name) return !nothing && !same(text(name), standard(name));
        return false;
    }

    static bool same(const std::string& a, const std::string& b) {
        char* end;
        const double x = std::strtod(a.c_str(), &end), y = std::strtod(b.c_str(), nullptr);
        return a == b || (*end == 0 && x == y && b != "auto");
    }

    static const char* standard(const std::string& name) {
        for (const auto& row : kDefaults)
            if (name == row[0]) return row[1];
        throw std::runtime_error("the dense twin does not know the option " + name);
    }

    const std::string* find(const std::string& name) const {
        for (size_t i = set_.size(); i-- > 0;)
            if (set_[i].first == name) return &set_[i].second;
        return nullptr;
    }

    // A fixed schedule whose factor 1 - eta l2 is still 0 at step 2, the largest of the later ones.
    bool kills_everything() const {
        if (!is("update", "sgd") || is("schedule", "inverse_lambda") || is("eta0", "auto")) return false;
        double eta = number("eta0");
        if (is("schedule", "inverse_scaling")) eta *= std::pow(2, -power());
        if (is("schedule", "xu") || is("schedule", "adaptive")) eta *= std::pow(1 + decay() * eta * 2, -power());
        return eta * penalty("l2") >= 1;
    }

    void expand(const std::string& preset) {
        const auto add = [&](std::initializer_list<Setting> settings) { set_.insert(set_.end(), settings); };
        if (preset == "none") return;
        add({{"scale", "none"}});
        if (preset.rfind("dekel-", 0) == 0) {
            add({{"update", "sgd"}, {"schedule", "inverse_lambda"}, {"bias_regularized", "true"}});
            if (preset == "dekel-sgd") return add({{"average", "none"}});
            add({{"average", "uniform"}, {"average_start", "0"}});
            if (preset == "dekel-asgd") return;
            if (preset == "dekel-casgd") return add({{"center", "true"}});
        }
        if (preset == "xu-asgd")
            return add({{"update", "sgd"}, {"schedule", "xu"}, {"eta0", "auto"}, {"average", "uniform"}, {"average_start", "auto"}});
        add({{"average", "none"}});
        if (preset == "lipton-sgd" || preset == "lipton-fobos")
            return add({{"update", preset.substr(7)}, {"schedule", "inverse_scaling"}, {"power", "0.5"}});
        add({{"schedule", "constant"}, {"period", "10"}, {"storage", "hash"}});
        if (preset == "langford-tg") return add({{"update", "truncated_gradient"}});
        if (preset == "langford-rounding") return add({{"update", "rounding"}});
        throw std::runtime_error("the dense twin does not know the preset " + preset);
    }

    static constexpr const char* kDefaults[][2] = {{"loss", "log"},
                                                   {"huber_delta", "1"},
                                                   {"epsilon", "0.1"},
                                                   {"quantile", "0.5"},
                                                   {"classes", "auto"},
                                                   {"multiclass", "auto"},
                                                   {"balance", "false"},
                                                   {"positive_weight", "1"},
                                                   {"update", "sgd"},
                                                   {"l1", "0"},
                                                   {"l2", "auto"},
                                                   {"gravity", "0"},
                                                   {"theta", "inf"},
                                                   {"period", "1"},
                                                   {"nonnegative", "false"},
                                                   {"schedule", "adaptive"},
                                                   {"eta0", "auto"},
                                                   {"power", "auto"},
                                                   {"decay", "auto"},
                                                   {"noise", "auto"},
                                                   {"average", "polynomial"},
                                                   {"average_start", "0"},
                                                   {"average_power", "3"},
                                                   {"sparse_average", "false"},
                                                   {"bias", "true"},
                                                   {"bias_regularized", "false"},
                                                   {"normalize", "none"},
                                                   {"scale", "auto"},
                                                   {"center", "false"},
                                                   {"clip_min", "-inf"},
                                                   {"clip_max", "inf"},
                                                   {"storage", "auto"},
                                                   {"dimension", "0"},
                                                   {"epochs", "1"},
                                                   {"sampling", "shuffle"},
                                                   {"seed", "0"},
                                                   {"index_base", "one"},
                                                   {"threads", "1"},
                                                   {"preset", "none"}};

    std::vector<Setting> set_, asked_;  // all, and those that were given, not brought by a preset
};

}  // namespace dense_twin
