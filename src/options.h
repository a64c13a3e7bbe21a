// Settings by name, as text: setters, reading back, help texts and the model file all go through the one table of options.
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "encoder_settings.h"
#include "option_table.h"
#include "settings.h"

namespace sparselin {

class Options {
  public:
    // All throw SL_ERROR_INVALID_OPTION naming the option and the value.
    void set(std::string_view name, std::string_view text);
    void set_number(std::string_view name, double value);
    std::string_view get(std::string_view name) const;

    // Whether it was set by name since these options were made, be it to what it was before. Bytes do not tell.
    bool was_named(std::string_view name) const;

    // Both throw for options that exclude each other, and for one that was set and only the other reads.
    Settings settings() const;
    EncoderSettings encoder_settings() const;

    static uint32_t users(std::string_view name);  // as in the table

    // The first option of models by the table that has another value in `other`, but for how many threads there are; "" if none has.
    std::string_view first_other(const Options& other) const;

    uint64_t bytes() const { return changed_.capacity() * sizeof(Changed); }  // short texts take no more

    // Every option that `user` reads by name, with its value and whether it was set: a default that a later version changes stays what it
    // was. How many threads there are is up to the machine, and not kept.
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive, OptionUser user) {
        const auto is_kept = [=](std::string_view name) { return (users(name) & user) && name != "threads"; };
        uint32_t rows = 0;
        for (const OptionRow& row : kOptions) rows += is_kept(row.text.name);
        archive(rows);
        if constexpr (Archive::reads) {
            for (std::string name, value; rows > 0; --rows) {
                bool set = false;
                archive(name, value, set);
                archive.check(is_kept(name), "an option does not belong there");
                self.restore(name, value, set);
            }
        } else {
            for (size_t i = 0; i < kOptionCount; ++i)
                if (const std::string name = kOptions[i].text.name; is_kept(name))
                    archive(name, std::string(self.value(i)), self.was_set(i));
        }
    }

  private:
    void restore(std::string_view name, std::string_view value, bool set);
    // What is not as it is by default: its row of the table, its value in the form that get() gives.
    struct Changed {
        size_t row;
        bool set;
        std::string value;
    };

    const Changed* changed(size_t i) const;
    std::string_view value(size_t i) const;
    std::string_view value(std::string_view name) const { return get(name); }
    bool was_set(size_t i) const;
    void change(size_t i, std::string value, bool set);
    double number(std::string_view name) const;
    uint64_t integer(std::string_view name) const;
    bool boolean(std::string_view name) const { return value(name) == "true"; }
    bool has_been_asked_for(size_t i) const;
    bool is_read(std::string_view name) const;
    void exclude(bool excluded, std::string_view a, std::string_view b, std::string_view why) const;
    void refuse_without_effect(OptionUser user) const;

    std::vector<Changed> changed_;
    std::bitset<kOptionCount> named_;
};

}  // namespace sparselin
