// Copies and their masters: each kernel goes over pairs, in which every copy that has arcs occurs once. The module prints
// ReflectArgs.
#include "program.cuh"

DEVICE Value& value_of(void* array, u32 v) { return static_cast<Value*>(array)[v]; }
