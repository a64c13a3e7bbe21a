/* Saving is whole or not at all: killed at any moment, out of room, and beside other savers. */
#include "saving.h"

#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static int has_unnamed_files(const folder* f) {
    char file[32];
    const int unnamed = open(f->path, O_TMPFILE | O_WRONLY, 0666);
    snprintf(file, sizeof file, "/proc/self/fd/%d", unnamed);
    const int has = unnamed >= 0 && linkat(AT_FDCWD, file, AT_FDCWD, path_in(f, "linked"), AT_SYMLINK_FOLLOW) == 0;
    if (unnamed >= 0) close(unnamed);
    count_files(f, 1);
    return has;
}

/* A second file is to be seen only when it is whole, between being named and renamed. */
static void killed_before_it_is_whole_it_leaves_nothing(void** state) {
    static const struct {
        enum call call;
        int nth, saved, files;
    } deaths[] = {{WRITE, 1, 0, 1}, {WRITE, 4, 0, 1}, {FLUSH, 1, 0, 1}, {LINK, 1, 0, 1}, {RENAME, 1, 0, 2}, {FLUSH, 2, 1, 1}};
    static sample rows;
    const folder f = new_folder();
    char path[128];
    bytes expected[2];
    sl_dataset* data[2];
    (void)state;
    if (!has_unnamed_files(&f)) {
        remove_folder(&f);
        skip();
    }
    snprintf(path, sizeof path, "%s", path_in(&f, "data"));
    for (int i = 1; i >= 0; --i) {
        fill_sample(&rows, 100, 60, (uint64_t)i);
        data[i] = dataset_of(&rows);
        assert_ok(sl_dataset_save(data[i], path, &error));
        expected[i] = read_bytes(path);
    }
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; ++k) {
        assert_ok(sl_dataset_save(data[0], path, &error));
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            deadly[deaths[k].call] = deaths[k].nth;
            _exit(sl_dataset_save(data[1], path, NULL));
        }
        assert_int_equal(exit_code_of(child), 256 + SIGKILL);
        const bytes held = read_bytes(path);
        assert_same_bytes(held, expected[deaths[k].saved]);
        free(held.data);
        assert_int_equal(count_files(&f, 1), deaths[k].files);
    }
    for (int i = 0; i < 2; ++i) {
        free(expected[i].data);
        sl_dataset_free(data[i]);
    }
    remove_folder(&f);
}

/* In most rounds by the clock, wherever that finds it. In every fourth before its second or third rename: what is then there is known, the
   model saved before and the file of the dead, all others having gone with that save. */
static void killed_at_any_moment_the_old_or_the_new_model_is_there(void** state) {
    const folder f = new_folder();
    sl_model* models[2] = {new_of_size(30000, "0"), new_of_size(2000, "1")};
    bytes expected[2];
    uint64_t random = 4;
    int found[2] = {0, 0}, caught_in_the_act = 0;
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    for (int i = 0; i < 2; ++i) expected[i] = bytes_of(models[i], SL_KEEP_EVERYTHING);
    assert_ok(sl_model_save(models[0], SL_KEEP_EVERYTHING, path, &error));
    for (int round = 0; round < 200 / SL_SHARE; ++round) {
        sl_model* loaded = NULL;
        bytes held;
        int ready[2];
        char byte = 0;
        const int renames = round % 4 == 1 ? 2 + round / 4 % 2 : 0;
        assert_int_equal(pipe(ready), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            if (write(ready[1], &byte, 1) != 1) _exit(1);
            deadly[RENAME] = renames;
            for (int i = round / 2;; ++i)
                if (sl_model_save(models[i % 2], SL_KEEP_EVERYTHING, path, NULL) != SL_OK) _exit(2);
        }
        close(ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        if (!renames) {
            nanosleep(&(struct timespec){0, (long)(next_random(&random) % 8000000)}, NULL);
            assert_int_equal(kill(child, SIGKILL), 0);
        }
        assert_int_equal(exit_code_of(child), 256 + SIGKILL);

        assert_ok(sl_model_load(path, &loaded, &error));
        sl_model_free(loaded);
        held = read_bytes(path);
        const int which = held.size == expected[0].size ? 0 : 1;
        assert_same_bytes(held, expected[which]);
        ++found[which];
        free(held.data);
        const int files = count_files(&f, 0) - 1;
        caught_in_the_act += files > 0;
        if (renames) assert_true(files == 1 && which == (round / 2 + renames) % 2);
        if (round % 20 == 19) { /* what the dead left is in nobody's way */
            assert_ok(sl_model_save(models[round / 20 % 2], SL_KEEP_EVERYTHING, path, &error));
            count_files(&f, 1);
            assert_ok(sl_model_save(models[round / 20 % 2], SL_KEEP_EVERYTHING, path, &error));
        }
    }
    print_message("found the one %d times, the other %d times; killed while writing %d times\n", found[0], found[1], caught_in_the_act);
    for (int i = 0; i < 2; ++i) {
        free(expected[i].data);
        sl_model_free(models[i]);
    }
    remove_folder(&f);
}

/* Saves a small model and then one that does not fit; 0 if the second is refused for `reason`, the first is still there and nothing
   else is. */
static int fails_without_a_trace(const folder* f, const char* reason) {
    sl_model *fits = new_of_size(50, "0"), *too_large = new_of_size(20000, "1"), *loaded = NULL;
    int result = 0;
    char path[128];
    snprintf(path, sizeof path, "%s", path_in(f, "model"));
    if (sl_model_save(fits, SL_KEEP_EVERYTHING, path, &error) != SL_OK)
        result = 1;
    else if (sl_model_save(too_large, SL_KEEP_EVERYTHING, path, &error) != SL_ERROR_IO)
        result = 2;
    else if (!strstr(error.message, reason) || !strstr(error.message, path))
        result = 3;
    else if (count_files(f, 0) != 1)
        result = 4;
    else if (sl_model_load(path, &loaded, &error) != SL_OK)
        result = 5;
    else if (!same_models(loaded, fits))
        result = 6;
    else if (sl_model_save(too_large, SL_KEEP_EVERYTHING, path_in(f, "new"), &error) != SL_ERROR_IO)
        result = 7;
    else if (count_files(f, 0) != 1)
        result = 8;
    sl_model_free(loaded);
    sl_model_free(too_large);
    sl_model_free(fits);
    return result;
}

static void a_file_that_may_not_grow_so_large(void** state) {
    const folder f = new_folder();
    struct rlimit before, small;
    int result;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    result = fails_without_a_trace(&f, "File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(result, 0);
    remove_folder(&f);
}

static void write_text(const char* path, const char* text) {
    const int file = open(path, O_WRONLY);
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) _exit(41);
    close(file);
}

/* A disk of 100 KB, in a name space of the child's own, where the system lets it have one. */
static void a_full_disk(void** state) {
    enum { NOT_PERMITTED = 40 };
    const folder f = new_folder();
    (void)state;
    const uid_t user = geteuid();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0) _exit(NOT_PERMITTED);
        if (user != 0) {
            char map[32];
            snprintf(map, sizeof map, "0 %u 1", (unsigned)user);
            write_text("/proc/self/uid_map", map);
        }
        if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) != 0 || mount("none", f.path, "tmpfs", 0, "size=100k") != 0)
            _exit(NOT_PERMITTED);
        _exit(fails_without_a_trace(&f, "No space left"));
    }
    const int code = exit_code_of(child);
    remove_folder(&f);
    if (code == NOT_PERMITTED) skip();
    assert_int_equal(code, 0);
}

static void any_step_may_fail(void** state) {
    const enum call steps[] = {WRITE, FLUSH, RENAME};
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    (void)state;
    for (int i = 0; i < 3; ++i) {
        refusals[steps[i]] = EIO;
        const sl_status status = sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error);
        refusals[steps[i]] = 0;
        assert_int_equal(status, SL_ERROR_IO);
        assert_message(path_in(&f, "model: Input/output error"));
        assert_int_equal(count_files(&f, 0), 0);
    }
    remove_folder(&f);
    sl_model_free(model);
}

static void one_free_descriptor_suffices(void** state) {
    (void)state;
    if (SL_MEMCHECK) skip(); /* valgrind has descriptors of its own, and a limit of its own on those of the program */
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    struct rlimit before, few;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    const int next = dup(STDERR_FILENO);
    assert_true(next >= 0);
    close(next);
    sl_status statuses[2];
    for (int spare = 0; spare < 2; ++spare) {
        few.rlim_cur = (rlim_t)(next + spare);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        statuses[spare] = sl_model_save(model, SL_KEEP_EVERYTHING, path, &error);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
        assert_int_equal(count_files(&f, 0), spare);
    }
    assert_int_equal(statuses[0], SL_ERROR_IO);
    assert_int_equal(statuses[1], SL_OK);
    remove_folder(&f);
    sl_model_free(model);
}

static void a_name_that_is_taken_is_left_alone(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char taken[160];
    (void)state;
    snprintf(taken, sizeof taken, "%s.sparselin-0.tmp", path_in(&f, "model"));
    assert_int_equal(mkdir(taken, 0777), 0);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    assert_int_equal(rmdir(taken), 0);
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
    sl_model_free(model);
}

/* Told by their locks, which end with a process. */
static void what_the_dead_have_left_goes_and_the_files_of_the_living_stay(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    int files[4];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        deadly[RENAME] = 1;
        _exit(sl_model_save(model, SL_KEEP_EVERYTHING, path, NULL));
    }
    assert_int_equal(exit_code_of(child), 256 + SIGKILL);
    assert_int_equal(count_files(&f, 0), 1);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_int_equal(count_files(&f, 0), 1);

    for (int i = 0; i < 4; ++i) {
        char left[160];
        snprintf(left, sizeof left, "%s.sparselin-%d.tmp", path, i);
        files[i] = open(left, O_RDWR | O_CREAT | O_EXCL, 0666);
        assert_true(files[i] >= 0);
        if (i % 2 == 0) assert_int_equal(flock(files[i], LOCK_EX), 0);
    }
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    for (int i = 0; i < 4; ++i) {
        struct stat file;
        assert_int_equal(fstat(files[i], &file), 0);
        assert_int_equal(file.st_nlink, i % 2 == 0);
        close(files[i]);
    }
    assert_int_equal(count_files(&f, 0), 3);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
    sl_model_free(model);
}

/* None takes another's file for a dead one's, and whenever they are killed the next to save clears up. */
static void savers_on_one_path_are_in_nobodys_way(void** state) {
    enum { SAVERS = 4 };
    const folder f = new_folder();
    sl_model* model = new_of_size(200, "0");
    uint64_t random = 9;
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    for (int round = 0; round < 40 / SL_SHARE + 1; ++round) {
        pid_t children[SAVERS];
        for (int i = 0; i < SAVERS; ++i) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] == 0)
                for (;;)
                    if (sl_model_save(model, SL_KEEP_EVERYTHING, path, NULL) != SL_OK) _exit(1);
        }
        nanosleep(&(struct timespec){0, (long)(2000000 + next_random(&random) % 8000000)}, NULL);
        for (int i = 0; i < SAVERS; ++i) kill(children[i], SIGKILL);
        for (int i = 0; i < SAVERS; ++i) assert_int_equal(exit_code_of(children[i]), 256 + SIGKILL);
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
        assert_int_equal(count_files(&f, 0), 1);
    }
    remove_folder(&f);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest unnamed[] = {
        cmocka_unit_test(killed_before_it_is_whole_it_leaves_nothing),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_at_any_moment_the_old_or_the_new_model_is_there),
        cmocka_unit_test(a_file_that_may_not_grow_so_large),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(any_step_may_fail),
        cmocka_unit_test(one_free_descriptor_suffices),
        cmocka_unit_test(a_name_that_is_taken_is_left_alone),
        cmocka_unit_test(what_the_dead_have_left_goes_and_the_files_of_the_living_stay),
        cmocka_unit_test(savers_on_one_path_are_in_nobodys_way),
    };
    return cmocka_run_group_tests(unnamed, NULL, NULL) + run_with_and_without_unnamed_files(tests);
}
