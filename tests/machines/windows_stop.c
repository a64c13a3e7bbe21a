/* windows_stop EVENT PROGRAM WORD...: runs the program with this one's standard streams, in one console with it, and once it has said
   something of its progress on standard error, has Windows send it EVENT, `c` for Ctrl-C or `break` for Ctrl-Break. Passes that on, and
   ends with the program's exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int fail(const char* what) {
    fprintf(stderr, "windows_stop: %s: error %lu\n", what, GetLastError());
    return 200;
}

int main(int count, char** words) {
    char line[8192] = "", heard[4096];
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOA start;
    PROCESS_INFORMATION process;
    HANDLE hear, say;
    DWORD got = 0, code = 0;
    int sent = 0;
    const int c = count > 2 && strcmp(words[1], "c") == 0;
    for (int k = 2; k < count; ++k) snprintf(line + strlen(line), sizeof line - strlen(line), "\"%s\" ", words[k]);
    if (!GetConsoleCP() && !AllocConsole()) return fail("AllocConsole");
    if (!CreatePipe(&hear, &say, &inherited, 0)) return fail("CreatePipe");
    memset(&start, 0, sizeof start);
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    start.hStdError = say;
    /* Ctrl-C goes to all programs of a console, and a group of its own would not hear it. */
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, c ? 0 : CREATE_NEW_PROCESS_GROUP, NULL, NULL, &start, &process))
        return fail("CreateProcess");
    CloseHandle(say);
    if (c) SetConsoleCtrlHandler(NULL, TRUE);
    while (ReadFile(hear, heard, sizeof heard, &got, NULL) && got > 0) {
        fwrite(heard, 1, got, stderr);
        if (sent++) continue;
        if (!GenerateConsoleCtrlEvent(c ? CTRL_C_EVENT : CTRL_BREAK_EVENT, c ? 0 : process.dwProcessId))
            return fail("GenerateConsoleCtrlEvent");
    }
    WaitForSingleObject(process.hProcess, INFINITE);
    if (!GetExitCodeProcess(process.hProcess, &code)) return fail("GetExitCodeProcess");
    return (int)code;
}
