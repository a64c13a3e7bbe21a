/* api_save for Windows: saving is whole or not at all, whoever is killed or reads meanwhile, and names of files are UTF-8. The program
   starts itself, with the path that is to be written and the size of a model, for a process to kill. */
#include <windows.h>

#include <sddl.h>
#undef near

#include "../keeping.h"

static char program[MAX_PATH];

/* Saves the one model and the other in turn until it is killed; the exit code is the first failure. */
static int save_forever(const char* path, const char* size) {
    sl_model* models[2] = {new_of_size((uint32_t)atoi(size), "0"), new_of_size(2000, "1")};
    for (int i = 0;; ++i) {
        const sl_status status = sl_model_save(models[i % 2], SL_KEEP_EVERYTHING, path, &error);
        if (status != SL_OK) {
            fprintf(stderr, "%s\n", error.message);
            return (int)status;
        }
    }
}

/* What is started ends with this process, whatever becomes of it. */
static void end_together(HANDLE process) {
    static HANDLE job;
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    if (!job) {
        memset(&limits, 0, sizeof limits);
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        job = CreateJobObjectA(NULL, NULL);
        assert_true(SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits));
    }
    assert_true(AssignProcessToJobObject(job, process));
}

static HANDLE start_saver(const char* path, const char* size) {
    char line[2 * MAX_PATH];
    STARTUPINFOA start;
    PROCESS_INFORMATION process;
    memset(&start, 0, sizeof start);
    start.cb = sizeof start;
    snprintf(line, sizeof line, "\"%s\" %s %s", program, path, size);
    assert_true(CreateProcessA(program, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process));
    CloseHandle(process.hThread);
    end_together(process.hProcess);
    return process.hProcess;
}

static void kill_saver(HANDLE saver) {
    enum { KILLED = 99 };
    DWORD code = 0;
    assert_true(TerminateProcess(saver, KILLED));
    assert_int_equal(WaitForSingleObject(saver, INFINITE), WAIT_OBJECT_0);
    assert_true(GetExitCodeProcess(saver, &code));
    assert_int_equal(code, KILLED);
    CloseHandle(saver);
}

/* Of 16 MB nearly all of the time goes into writing and flushing them. */
static void killed_before_it_is_whole_it_leaves_nothing(void** state) {
    const folder f = new_folder();
    int nothing = 0;
    (void)state;
    for (int round = 0; round < 5; ++round) {
        const HANDLE saver = start_saver(path_in(&f, "model"), "1000000");
        while (count_files(&f, 0) == 0) assert_int_equal(WaitForSingleObject(saver, 0), WAIT_TIMEOUT);
        kill_saver(saver);
        nothing += count_files(&f, 1) == 0;
    }
    print_message("%d of 5 times nothing was left\n", nothing);
    assert_true(nothing > 2);
    remove_folder(&f);
}

static void killed_at_any_moment_the_old_or_the_new_model_is_there(void** state) {
    const folder f = new_folder();
    sl_model* models[2] = {new_of_size(20000, "0"), new_of_size(2000, "1")};
    bytes expected[2];
    uint64_t random = 4;
    int found[2] = {0, 0}, left = 0;
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    for (int i = 0; i < 2; ++i) expected[i] = bytes_of(models[i], SL_KEEP_EVERYTHING);
    for (int round = 0; round < 25; ++round) {
        HANDLE savers[2];
        sl_model* loaded = NULL;
        for (int i = 0; i < 2; ++i) savers[i] = start_saver(path, "20000");
        while (GetFileAttributesA(path) == INVALID_FILE_ATTRIBUTES) {
            assert_int_equal(WaitForSingleObject(savers[0], 0), WAIT_TIMEOUT);
            Sleep(1);
        }
        Sleep((DWORD)(next_random(&random) % 200));
        assert_ok(sl_model_load(path, &loaded, &error)); /* which a saver may be about to replace */
        sl_model_free(loaded);
        for (int i = 0; i < 2; ++i) kill_saver(savers[i]);
        assert_ok(sl_model_load(path, &loaded, &error));
        sl_model_free(loaded);
        const bytes held = read_bytes(path);
        const int which = held.size == expected[0].size ? 0 : 1;
        assert_same_bytes(held, expected[which]);
        ++found[which];
        free(held.data);
        left += count_files(&f, 0) - 1;
        assert_ok(sl_model_save(models[1], SL_KEEP_EVERYTHING, path, &error)); /* what the dead left is in nobody's way, and goes */
        const bytes replaced = read_bytes(path);
        assert_same_bytes(replaced, expected[1]);
        free(replaced.data);
        assert_int_equal(count_files(&f, 0), 1);
        if (round % 4 == 3) count_files(&f, 1);
    }
    print_message("found the one %d times, the other %d times; %d files were left\n", found[0], found[1], left);
    for (int i = 0; i < 2; ++i) {
        free(expected[i].data);
        sl_model_free(models[i]);
    }
    remove_folder(&f);
}

static void touch(const char* path) { write_bytes(path, (bytes){(unsigned char*)"x", 1}); }

static void what_the_dead_have_left_goes_and_the_files_of_the_living_stay(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    (void)state;
    touch(path_in(&f, "model.sparselin-77.tmp"));
    touch(path_in(&f, "model.sparselin-78.tmp"));
    touch(path_in(&f, "other.sparselin-79.tmp"));
    const HANDLE living = CreateFileA(path_in(&f, "model.sparselin-78.tmp"), GENERIC_WRITE | DELETE, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(living != INVALID_HANDLE_VALUE);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "model"), &error));
    assert_int_equal(GetFileAttributesA(path_in(&f, "model.sparselin-77.tmp")), INVALID_FILE_ATTRIBUTES);
    assert_int_equal(count_files(&f, 0), 3);
    CloseHandle(living);
    remove_folder(&f);
    sl_model_free(model);
}

static void names_are_utf_8(void** state) {
    static const char* const names[] = {
        "m\xc3\xb6"
        "dell",
        "\xd0\xbc\xd0\xbe\xd0\xb4\xd0\xb5\xd0\xbb\xd1\x8c", "\xe6\xa8\xa1\xe5\x9e\x8b", "\xf0\x9f\x8c\xb2"};
    static const wchar_t* const wide[] = {L"m\u00f6dell", L"\u043c\u043e\u0434\u0435\u043b\u044c", L"\u6a21\u578b", L"\U0001f332"};
    const folder f = new_folder();
    sl_model* model = new_of_size(10, "0");
    (void)state;
    for (int i = 0; i < 4; ++i) {
        wchar_t path[128];
        sl_model* loaded = NULL;
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, names[i]), &error));
        assert_ok(sl_model_load(path_in(&f, names[i]), &loaded, &error));
        assert_same_models(model, loaded);
        sl_model_free(loaded);
        swprintf(path, 128, L"%hs/%ls", f.path, wide[i]);
        assert_true(DeleteFileW(path));
        assert_status(SL_ERROR_IO, sl_model_load(path_in(&f, names[i]), &loaded, &error));
        assert_message("No such file or directory");
        assert_message(names[i]);
    }
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "\xff"), &error)); /* which is none */
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
    sl_model_free(model);
}

static void places_that_take_no_file(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    (void)state;
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path_in(&f, "none/model"), &error));
    assert_message("No such file or directory");
    assert_message(path_in(&f, "none/model"));
    snprintf(path, sizeof path, "%s", path_in(&f, "folder"));
    assert_int_equal(mkdir(path), 0);
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_message(path);
    assert_status(SL_ERROR_IO, sl_model_load(path, &(sl_model*){NULL}, &error));
    assert_int_equal(rmdir(path), 0);
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, "", &error));
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, "NUL", &error));
    assert_message("not a regular file");
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
    sl_model_free(model);
}

static void a_file_that_may_not_be_written_is_not_replaced(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    touch(path);
    assert_true(SetFileAttributesA(path, FILE_ATTRIBUTE_READONLY));
    assert_status(SL_ERROR_IO, sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    assert_message("Permission denied");
    assert_message(path);
    const bytes held = read_bytes(path);
    assert_int_equal(held.size, 1);
    free(held.data);
    assert_int_equal(count_files(&f, 0), 1);
    assert_true(SetFileAttributesA(path, FILE_ATTRIBUTE_NORMAL));
    remove_folder(&f);
    sl_model_free(model);
}

/* Who may do what with the file, as text to be freed by LocalFree. */
static char* permissions_of(const char* path) {
    char room[4096], *text = NULL;
    DWORD size = 0;
    assert_true(GetFileSecurityA(path, DACL_SECURITY_INFORMATION, room, sizeof room, &size));
    assert_true(ConvertSecurityDescriptorToStringSecurityDescriptorA(room, SDDL_REVISION_1, DACL_SECURITY_INFORMATION, &text, NULL));
    return text;
}

static void what_is_replaced_keeps_its_permissions(void** state) {
    const folder f = new_folder();
    sl_model* model = new_model(NULL);
    char path[128];
    void* all_may = NULL;
    (void)state;
    snprintf(path, sizeof path, "%s", path_in(&f, "model"));
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    char* const usual = permissions_of(path);
    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorA("D:P(A;;FA;;;WD)", SDDL_REVISION_1, &all_may, NULL));
    assert_true(SetFileSecurityA(path, DACL_SECURITY_INFORMATION, all_may));
    char* const given = permissions_of(path);
    assert_string_not_equal(usual, given);
    assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, path, &error));
    char* const kept = permissions_of(path);
    assert_string_equal(given, kept);
    LocalFree(usual);
    LocalFree(given);
    LocalFree(kept);
    LocalFree(all_may);
    remove_folder(&f);
    sl_model_free(model);
}

static void a_path_may_be_written_in_any_way(void** state) {
    const folder f = new_folder();
    sl_model *model = new_model(NULL), *loaded = NULL;
    char whole[MAX_PATH], verbatim[MAX_PATH + 8], name[201], here[MAX_PATH];
    (void)state;
    assert_true(GetFullPathNameA(path_in(&f, "model"), MAX_PATH, whole, NULL));
    snprintf(verbatim, sizeof verbatim, "\\\\?\\%s", whole);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_true(GetCurrentDirectoryA(MAX_PATH, here));
    assert_true(SetCurrentDirectoryA(f.path));
    const char* const paths[] = {"model", ".\\model", "./model", whole, verbatim, name};
    for (int i = 0; i < 6; ++i) {
        assert_ok(sl_model_save(model, SL_KEEP_EVERYTHING, paths[i], &error));
        assert_ok(sl_model_load(paths[i], &loaded, &error));
        sl_model_free(loaded);
        assert_int_equal(remove(i < 5 ? "model" : name), 0);
    }
    assert_true(SetCurrentDirectoryA(here));
    assert_int_equal(count_files(&f, 0), 0);
    remove_folder(&f);
    sl_model_free(model);
}

int main(int count, char** words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_before_it_is_whole_it_leaves_nothing),
        cmocka_unit_test(killed_at_any_moment_the_old_or_the_new_model_is_there),
        cmocka_unit_test(what_the_dead_have_left_goes_and_the_files_of_the_living_stay),
        cmocka_unit_test(names_are_utf_8),
        cmocka_unit_test(places_that_take_no_file),
        cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
        cmocka_unit_test(what_is_replaced_keeps_its_permissions),
        cmocka_unit_test(a_path_may_be_written_in_any_way),
    };
    if (count == 3) return save_forever(words[1], words[2]);
    GetModuleFileNameA(NULL, program, sizeof program);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
