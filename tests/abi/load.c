/*
 * load STATIC_PLUGIN SHARED_PLUGIN: both live in one process, each with its own copy of the library, and give the same bytes. Either is
 * loaded and unloaded a thousand times: nothing stays behind.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

#define CHECK(holds, what)                                            \
    if (!(holds)) {                                                   \
        fprintf(stderr, "line %d: %s: %s\n", __LINE__, #holds, what); \
        exit(1);                                                      \
    }

static void* open_plugin(const char* path) {
    void* plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    CHECK(plugin, dlerror());
    return plugin;
}

static void run(void* plugin, plugin_result* result) {
    void* const found = dlsym(plugin, "plugin_run");
    plugin_run_fn* function;
    CHECK(found, "no plugin_run");
    memcpy(&function, &found, sizeof function);
    CHECK(function(result) == 0, "the library failed");
}

static int mappings(void) {
    FILE* file = fopen("/proc/self/maps", "r");
    int count = 0, c;
    CHECK(file, "no /proc/self/maps");
    while ((c = getc(file)) != EOF) count += c == '\n';
    fclose(file);
    return count;
}

static void load_often(const char* path) {
    static plugin_result result;
    size_t bytes = 0;
    int mapped = 0;
    for (int k = 0; k < 1000; ++k) {
        void* plugin = open_plugin(path);
        run(plugin, &result);
        CHECK(dlclose(plugin) == 0, dlerror());
        CHECK(!dlopen(path, RTLD_NOW | RTLD_NOLOAD), "still there after it was unloaded");
        CHECK(!dlopen("libsparselin.so.1", RTLD_NOW | RTLD_NOLOAD), "the library is still there after it was unloaded");
        if (k == 300) {          /* what the dynamic linker keeps of its own has come to its end */
            mapped = mappings(); /* first, since the allocator counts what closing a file leaves in its cache */
            bytes = mallinfo2().uordblks;
        }
    }
    const int mapped_at_last = mappings();
    const size_t bytes_at_last = mallinfo2().uordblks;
    printf("%s, loaded 1,000 times: %zu bytes and %d mappings after 300, %zu and %d at last\n", strrchr(path, '/') + 1, bytes, mapped,
           bytes_at_last, mapped_at_last);
    CHECK(bytes_at_last <= bytes + 1000 && mapped_at_last <= mapped + 2, "it leaks");
}

int main(int argc, char** argv) {
    static plugin_result of_static, of_shared;
    void* plugins[2];
    CHECK(argc == 3, "two plugins");
    setvbuf(stdout, NULL, _IONBF, 0); /* no memory of its own */
    load_often(argv[1]);
    load_often(argv[2]);
    plugins[0] = open_plugin(argv[1]);
    plugins[1] = open_plugin(argv[2]);
    run(plugins[0], &of_static);
    run(plugins[1], &of_shared);
    CHECK(of_static.address != of_shared.address, "there is only one copy");
    CHECK(of_static.length == of_shared.length && memcmp(of_static.bytes, of_shared.bytes, of_static.length) == 0, "other bytes");
    dlclose(plugins[0]);
    run(plugins[1], &of_shared);
    dlclose(plugins[1]);
    return 0;
}
