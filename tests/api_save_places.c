/* Where models are saved to: folders, names, links, and what becomes of permissions and owners. */
#include "saving.h"

#include <sys/stat.h>

/* For root every folder is writable, so root tries as somebody else. */
static void a_folder_that_may_not_be_written(void** state) {
    const folder f = new_folder();
    (void)state;
    assert_int_equal(chmod(f.path, 0555), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sl_model* model = new_model(NULL);
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(1);
        const sl_status status = sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error);
        sl_model_free(model);
        _exit(status != SL_ERROR_IO ? 2 : !strstr(error.message, "Permission denied") ? 3 : !strstr(error.message, f.path) ? 4 : 0);
    }
    assert_int_equal(exit_code_of(child), 0);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
}

static void places_that_take_no_file(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    struct stat device;
    (void)state;
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "none/model"), &error));
    assert_message("No such file or directory");
    assert_message(f.path);
    snprintf(path, sizeof path, "%s", path_in(&f, "folder"));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_message(path);
    assert_int_equal(rmdir(path), 0);
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, "", &error));
    snprintf(path, sizeof path, "%s", path_in(&f, "null")); /* not the device itself, in case that root runs this and it fails */
    assert_int_equal(symlink("/dev/null", path), 0);
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_message(path);
    assert_int_equal(stat(path, &device), 0);
    assert_true(S_ISCHR(device.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
    sl_model_free(model);
}

static void permissions_are_what_umask_leaves(void** state) {
    const mode_t masks[] = {022, 077, 002, 0};
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    (void)state;
    for (int i = 0; i < 4; ++i) {
        struct stat file;
        const mode_t before = umask(masks[i]);
        const sl_status status = sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error);
        umask(before);
        assert_int_equal(status, SL_OK);
        assert_int_equal(stat(path_in(&f, "model"), &file), 0);
        assert_int_equal(file.st_mode & 07777, 0666 & ~masks[i]);
        count_files(&f, 1);
    }
    remove_folder(&f);
    sl_model_free(model);
}

/* What is replaced keeps its permissions, and a link to it stays one. */
static void permissions_and_links_are_kept(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    struct stat file;
    (void)state;
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    assert_int_equal(chmod(path_in(&f, "model"), 0600), 0);
    assert_int_equal(symlink("model", path_in(&f, "link")), 0);
    const uint32_t index = 3;
    assert_ok(sl_model_feed(model, &index, NULL, 1, 1, 1, &error));
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "link"), &error));
    assert_int_equal(lstat(path_in(&f, "link"), &file), 0);
    assert_true(S_ISLNK(file.st_mode));
    assert_int_equal(lstat(path_in(&f, "model"), &file), 0);
    assert_true(S_ISREG(file.st_mode));
    assert_int_equal(file.st_mode & 07777, 0600);
    sl_model* loaded = NULL;
    uint64_t steps = 0;
    assert_ok(sl_model_load(path_in(&f, "model"), &loaded, &error));
    assert_ok(sl_model_steps(loaded, &steps, &error));
    assert_int_equal(steps, 1);
    sl_model_free(loaded);
    count_files(&f, 2);
    remove_folder(&f);
    sl_model_free(model);
}

static void a_path_may_be_relative(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    (void)state;
    assert_true(here >= 0);
    assert_int_equal(chdir(f.path), 0);
    const sl_status status = sl_model_save(model, SL_KEEP_PREDICTOR, "model", &error);
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_int_equal(status, SL_OK);
    assert_int_equal(access(path_in(&f, "model"), R_OK), 0);
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
    sl_model_free(model);
}

/* As long as a file's name may be, of characters of one byte and of three. */
static void names_may_be_as_long_as_any(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    (void)state;
    for (int length = 230; length <= 255; ++length) {
        char path[512], name[256] = {0};
        sl_model* loaded = NULL;
        for (int at = 0; at + 3 <= length && length % 2; at += 3) memcpy(name + at, "\xe2\x82\xac", 3);
        while (strlen(name) < (size_t)length) strcat(name, "m");
        snprintf(path, sizeof path, "%s/%s", f.path, name);
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
        assert_ok(sl_model_load(path, &loaded, &error));
        sl_model_free(loaded);
        assert_int_equal(count_files(&f, 1), 1);
    }
    remove_folder(&f);
    sl_model_free(model);
}

static void a_file_that_may_not_be_written_is_not_replaced(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    (void)state;
    assert_int_equal(chmod(f.path, 0777), 0);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    assert_int_equal(chmod(path_in(&f, "model"), 0444), 0);
    bytes before = read_bytes(path_in(&f, "model"));
    const uint32_t index = 3;
    assert_ok(sl_model_feed(model, &index, NULL, 1, 1, 1, &error));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        free(before.data); /* valgrind looks for leaks here too */
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(1);
        const sl_status status = sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error);
        _exit(status != SL_ERROR_IO ? 2 : !strstr(error.message, "Permission denied") ? 3 : !strstr(error.message, f.path) ? 4 : 0);
    }
    assert_int_equal(exit_code_of(child), 0);
    bytes after = read_bytes(path_in(&f, "model"));
    assert_same_bytes(before, after);
    free(before.data);
    free(after.data);
    assert_int_equal(count_files(&f, 0), 1);
    remove_folder(&f);
    sl_model_free(model);
}

/* Root may give files away; others keep the group at most. */
static void owner_and_group_are_kept(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    struct stat file;
    (void)state;
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    if (chown(path_in(&f, "model"), 12345, 54321) != 0) {
        sl_model_free(model);
        remove_folder(&f);
        skip();
    }
    assert_int_equal(chmod(path_in(&f, "model"), 0640), 0);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    assert_int_equal(stat(path_in(&f, "model"), &file), 0);
    assert_int_equal(file.st_uid, 12345);
    assert_int_equal(file.st_gid, 54321);
    assert_int_equal(file.st_mode & 07777, 0640);
    remove_folder(&f);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_that_may_not_be_written),
        cmocka_unit_test(places_that_take_no_file),
        cmocka_unit_test(permissions_are_what_umask_leaves),
        cmocka_unit_test(permissions_and_links_are_kept),
        cmocka_unit_test(a_path_may_be_relative),
        cmocka_unit_test(names_may_be_as_long_as_any),
        cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
        cmocka_unit_test(owner_and_group_are_kept),
    };
    return run_with_and_without_unnamed_files(tests);
}
