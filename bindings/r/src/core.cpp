#include "core/src/all.cpp"
