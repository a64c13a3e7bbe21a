/* The header in a strict C99 program of two files and one of C++: it stands alone, defines nothing twice, and means the same in each. */
#include <sparselin.h>

#include <stdio.h>
#include <string.h>

size_t error_size_in_c(void);
size_t error_size_in_cpp(void);
int version_in_cpp(void);

/* The same numbers under -fshort-enums, with which these files are compiled once more. */
typedef char status_is_4_bytes[sizeof(sl_status) == 4 ? 1 : -1];
typedef char keep_is_4_bytes[sizeof(sl_keep) == 4 ? 1 : -1];

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SL_VERSION_MAJOR, SL_VERSION_MINOR, SL_VERSION_PATCH);
    if (strcmp(version, sl_version()) != 0 || sl_version_number() != version_in_cpp()) {
        fprintf(stderr, "header %s, library %s (%d)\n", version, sl_version(), sl_version_number());
        return 1;
    }
    if (sizeof(sl_error) != error_size_in_c() || sizeof(sl_error) != error_size_in_cpp()) {
        fprintf(stderr, "sl_error differs between C and C++\n");
        return 1;
    }
    return 0;
}
