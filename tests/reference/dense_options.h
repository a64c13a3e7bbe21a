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
            set_.push_back(s);
        }
    }

    bool has(const std::string& name) const { return find(name) != nullptr; }

    std::string text(const std::string& name) const {
        if (const std::string* value = find(name)) return *value;
        for (const auto& row : kDefaults)
            if (name == row[0]) return row[1];
        throw std::runtime_error("the dense twin does not know the option " + name);
    }

    bool is(const std::string& name, const char* value) const { return text(name) == value; }
    double number(const std::string& name) const { return std::strtod(text(name).c_str(), nullptr); }
    bool boolean(const std::string& name) const { return is(name, "true") || is(name, "1"); }

    bool two_labels() const { return is("loss", "log") || is("loss", "hinge") || is("loss", "squared_hinge"); }
    bool penalized() const { return is("update", "sgd") || is("update", "fobos"); }

    // A penalty as it counts: left out where it does not belong, it is 0 whatever its default.
    double penalty(const std::string& name) const { return penalized() || has(name) ? number(name) : 0; }
    double power() const { return is("power", "auto") ? (is("loss", "squared") ? 2.0 / 3 : 0.75) : number("power"); }
    double decay() const { return is("decay", "auto") ? penalty("l2") : number("decay"); }
    bool automatic_rate() const { return is("eta0", "auto") && !is("schedule", "inverse_lambda"); }
    bool needs_statistics() const { return boolean("center") || is("scale", "rms") || is("scale", "max_abs"); }
    bool takes_statistics() const { return boolean("center") || !is("scale", "none"); }

    // The pairs of options that SPEC forbids together; none for settings of which a model can be made.
    std::vector<Setting> conflicts() const {
        std::vector<Setting> found;
        const auto forbid = [&](bool broken, const char* a, const char* b) {
            if (broken) found.emplace_back(a, b);
        };
        const bool truncated = is("update", "truncated_gradient"), rounding = is("update", "rounding");
        forbid(penalty("l1") > 0 && !penalized(), "l1", "update");
        forbid(penalty("l2") > 0 && !penalized(), "l2", "update");
        forbid(number("gravity") > 0 && !truncated, "gravity", "update");
        forbid(has("theta") && penalized(), "theta", "update");
        forbid(has("period") && penalized(), "period", "update");
        forbid(rounding && !std::isfinite(number("theta")), "update", "theta");
        const bool without_l2 = is("schedule", "inverse_lambda") && !(penalty("l2") > 0);
        forbid(without_l2, "schedule", "l2");
        forbid(without_l2 && !penalized(), "schedule", "update");
        forbid(kills_everything(), "eta0", "l2");
        forbid(boolean("center") && penalty("l1") > 0, "center", "l1");
        forbid(boolean("center") && !penalized(), "center", "update");
        forbid(number("clip_min") > number("clip_max"), "clip_min", "clip_max");
        return found;
    }

  private:
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
        if (is("schedule", "xu")) eta *= std::pow(1 + decay() * eta * 2, -power());
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
                                                   {"update", "sgd"},
                                                   {"l1", "0"},
                                                   {"l2", "1e-6"},
                                                   {"gravity", "0"},
                                                   {"theta", "inf"},
                                                   {"period", "1"},
                                                   {"schedule", "xu"},
                                                   {"eta0", "auto"},
                                                   {"power", "auto"},
                                                   {"decay", "auto"},
                                                   {"average", "polynomial"},
                                                   {"average_start", "0"},
                                                   {"average_power", "3"},
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

    std::vector<Setting> set_;
};

}  // namespace dense_twin
