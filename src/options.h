// Settings by name, as text: setters, reading back, help texts and the model file all go through the one table of options.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "option_table.h"
#include "settings.h"

namespace sparselin {

class Options {
  public:
    Options();

    // All throw SL_ERROR_INVALID_OPTION naming the option and the value.
    void set(std::string_view name, std::string_view value);
    void set_number(std::string_view name, double value);
    const std::string& get(std::string_view name) const;

    // Throws for options that exclude each other.
    Settings settings() const;

    uint64_t bytes() const { return values_.capacity() * sizeof(std::string) + set_.capacity(); }  // short texts take no more

    // Every option by name, with its value and whether it was set: a default that a later version changes stays what it was. How many
    // threads read text is up to the machine, not to the model: of that option the model has what version 1.0 wrote.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        uint32_t rows = static_cast<uint32_t>(kOptionCount);
        archive(rows);
        for (uint32_t i = 0; i < rows; ++i) {
            std::string name, value;
            bool set = false;
            if constexpr (Archive::reads) {
                archive(name, value, set);
                if (name != "threads") self.restore(name, value, set);
            } else {
                name = kOptions[i].text.name;
                const bool kept = name != "threads";
                archive(name, kept ? self.values_[i] : std::string("0"), kept && self.set_[i]);
            }
        }
    }

  private:
    void restore(std::string_view name, std::string_view value, bool set);
    std::string_view value(std::string_view name) const;
    double number(std::string_view name) const;
    uint64_t integer(std::string_view name) const;
    bool boolean(std::string_view name) const { return value(name) == "true"; }
    bool has_been_asked_for(size_t i) const;

    std::vector<std::string> values_;  // one a row of the table, in the form that get() gives
    std::vector<char> set_;
};

}  // namespace sparselin
