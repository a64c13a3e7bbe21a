#include <sparselin.h>
#include <stdio.h>

int main(void)
{
    const uint32_t indices[] = {7, 1000000};
    sl_model *model = NULL;
    sl_error error;
    double score = 0;
    if (sl_model_create(NULL, &model, &error) != SL_OK || sl_model_feed(model, indices, NULL, 2, 1, 1, &error) != SL_OK ||
        sl_model_predict(model, indices, NULL, 2, &score, &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    sl_model_free(model);
    return score > 0 ? 0 : 1;
}
