#!/bin/sh
# alloc_scenarios.sh SOURCE: every function of the header is called in one of the tests below, or is named here as one that allocates nothing.
set -u
cd "$1/tests" || exit 2

tests="alloc_failures.c alloc_encoders.c alloc_observing.c"
allocate_nothing="
sl_dataset_shape sl_encoder_dimension sl_encoder_memory sl_encoder_set_threads sl_error_reason sl_model_bias sl_model_class_bias
sl_model_class_labels sl_model_class_weight sl_model_classes sl_model_dimension sl_model_fit_state sl_model_label
sl_model_labels sl_model_mean_loss sl_model_memory sl_model_metric sl_model_predicted_labels sl_model_probabilities sl_model_probability
sl_model_set_threads sl_model_take_indices_as_signed sl_model_weight sl_option_count sl_option_describe sl_option_is_for
sl_search_metric sl_search_model sl_search_settings sl_search_shape sl_search_splits sl_search_values sl_version
sl_version_number
"
status=0
for name in $(grep -o 'sl_[a-z0-9_]*' abi/symbols.txt); do
    if grep -q "\b$name(" $tests; then called=1; else called=0; fi
    case $(echo $allocate_nothing | tr ' ' '\n' | grep -cx "$name")$called in
        00) echo "$name: neither in a scenario of $tests nor listed in $0" && status=1 ;;
        11) echo "$name: in a scenario, and yet listed in $0" && status=1 ;;
    esac
done
exit $status
