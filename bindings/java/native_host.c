/* native_host.c: a host for a native library of the jar where there is no JVM to be had: native_host LIBRARY VERSION loads it with all its
   symbols bound, and calls it with as much of a JVM's table of functions as it takes to answer which version it is. */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>
#include <string.h>

static const char* text;

static jstring keep(JNIEnv* env, const char* bytes) {
    (void)env;
    text = bytes;
    return NULL;
}

int main(int argc, char** argv) {
    struct JNINativeInterface_ functions = {0};
    JNIEnv env = &functions;
    functions.NewStringUTF = keep;
    void* library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) {
        fprintf(stderr, "%s\n", argc == 3 ? dlerror() : "native_host LIBRARY VERSION");
        return 1;
    }
    jstring (*version)(JNIEnv*, jclass) = (jstring(*)(JNIEnv*, jclass))dlsym(library, "Java_org_sparselin_NativeCalls_version");
    jlong (*count)(JNIEnv*, jclass) = (jlong(*)(JNIEnv*, jclass))dlsym(library, "Java_org_sparselin_NativeCalls_optionCount");
    if (!version || !count) {
        fprintf(stderr, "%s has no native methods\n", argv[1]);
        return 1;
    }
    version(&env, NULL);
    if (!text || strcmp(text, argv[2]) != 0 || count(&env, NULL) < 1) {
        fprintf(stderr, "%s is version %s, not %s\n", argv[1], text ? text : "(none)", argv[2]);
        return 1;
    }
    return 0;
}
