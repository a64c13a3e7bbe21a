/* What jni.h asks of the machine, on Windows; the JDK of another system has its own alone. */
#ifndef SPARSELIN_JNI_MD_H
#define SPARSELIN_JNI_MD_H
#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall
typedef long jint;
typedef long long jlong;
typedef signed char jbyte;
#endif
