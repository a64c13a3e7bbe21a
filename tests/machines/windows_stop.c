/* windows_stop PROGRAM WORD...: runs the program with this one's standard streams, in a console that the two have for themselves, and has
   Windows send Ctrl-C once it has said on standard error how much it learned. Passes on what is said, and ends with the program's exit
   code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static BOOL WINAPI ignore(DWORD event) {
    (void)event;
    return TRUE;
}

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
    for (int k = 1; k < count; ++k) snprintf(line + strlen(line), sizeof line - strlen(line), "\"%s\" ", words[k]);
    const HANDLE input = GetStdHandle(STD_INPUT_HANDLE), output = GetStdHandle(STD_OUTPUT_HANDLE);
    FreeConsole(); /* which may be none that events can be sent in */
    if (!AllocConsole()) return fail("AllocConsole");
    if (!CreatePipe(&hear, &say, &inherited, 0)) return fail("CreatePipe");
    memset(&start, 0, sizeof start);
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdInput = input;
    start.hStdOutput = output;
    start.hStdError = say;
    if (!CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return fail("CreateProcess");
    CloseHandle(say);
    SetConsoleCtrlHandler(ignore, TRUE);
    while (ReadFile(hear, heard, sizeof heard - 1, &got, NULL) && got > 0) {
        heard[got] = 0;
        fputs(heard, stderr);
        if (sent || !strstr(heard, " examples, mean loss ")) continue;
        sent = 1;
        if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return fail("GenerateConsoleCtrlEvent");
    }
    WaitForSingleObject(process.hProcess, INFINITE);
    if (!GetExitCodeProcess(process.hProcess, &code)) return fail("GetExitCodeProcess");
    return (int)code;
}
