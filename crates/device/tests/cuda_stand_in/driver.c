// A stand-in for the parts of the NVIDIA driver and NVRTC that src/cuda calls: memory is host memory, copies happen at once,
// and kernels do what their names say. main.rs builds it as libcuda.so. It counts calls and live objects.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int Code;
enum { OK = 0, INVALID = 1, NO_MEMORY = 2, UNAVAILABLE = 46, NO_DEVICE = 100, BAD_IMAGE = 200, NOT_FOUND = 500, NOT_READY = 600, REGISTERED = 712, TOO_LARGE = 720, TRAPPED = 719 };
enum { LIVE = 4096, NAMES = 64 };

static Code sticky;
static _Thread_local void* current; // one per thread
static const volatile uint32_t* busy_until; // a kernel runs until this word is set
static int is_deaf;                         // a kernel runs for good
static uint64_t used;
static struct { void* at; size_t bytes; const char* kind; } live[LIVE];
static struct { char name[64]; uint64_t count; } calls[NAMES];

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; // NVRTC is called from several threads at once
static int compiling, most_compiling;

static long setting(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text ? atol(text) : otherwise;
}

uint64_t stand_in_calls(const char* name) {
    for (int i = 0; i < NAMES; i++) if (!strcmp(calls[i].name, name)) return calls[i].count;
    return 0;
}

// How many modules were compiled at the same time at most.
uint64_t stand_in_most(const char* of) { (void)of; return (uint64_t)most_compiling; }

uint64_t stand_in_alive(const char* kind) {
    uint64_t count = 0;
    for (int i = 0; i < LIVE; i++) count += live[i].at && !strcmp(live[i].kind, kind);
    return count;
}

static void called(const char* name) {
    pthread_mutex_lock(&counting);
    int i = 0;
    while (i < NAMES && calls[i].name[0] && strcmp(calls[i].name, name)) i++;
    if (i == NAMES) abort();
    snprintf(calls[i].name, sizeof calls[i].name, "%s", name);
    calls[i].count++;
    pthread_mutex_unlock(&counting);
}

#define IN_CONTEXT called(__func__); if (!current) return 201; if (sticky) return sticky

static void* born(const char* kind, size_t bytes) {
    pthread_mutex_lock(&counting);
    for (int i = 0; i < LIVE; i++) if (!live[i].at) {
        live[i].at = malloc(bytes ? bytes : 1);
        memset(live[i].at, 0xa5, bytes);
        live[i].bytes = bytes;
        live[i].kind = kind;
        pthread_mutex_unlock(&counting);
        return live[i].at;
    }
    abort();
}

static int is_registered(int i) { return live[i].at && !strcmp(live[i].kind, "registered"); }

static Code joined(const char* kind, void* at, size_t bytes) {
    char* from = at;
    pthread_mutex_lock(&counting);
    for (int i = 0; i < LIVE; i++) if (is_registered(i) && from < (char*)live[i].at + live[i].bytes && (char*)live[i].at < from + bytes) {
        pthread_mutex_unlock(&counting);
        return REGISTERED;
    }
    for (int i = 0; i < LIVE; i++) if (!live[i].at) {
        live[i].at = at;
        live[i].bytes = bytes;
        live[i].kind = kind;
        pthread_mutex_unlock(&counting);
        return OK;
    }
    abort();
}

static Code dead_alone(const char* kind, void* at) {
    for (int i = 0; i < LIVE; i++) if (live[i].at == at && at) {
        if (strcmp(live[i].kind, kind)) abort();
        if (!strcmp(kind, "device") || !strcmp(kind, "managed")) used -= live[i].bytes;
        if (strcmp(kind, "registered")) free(at);
        live[i].at = 0;
        return OK;
    }
    fprintf(stderr, "%s %p is not alive\n", kind, at);
    abort();
}

static Code dead(const char* kind, void* at) {
    pthread_mutex_lock(&counting);
    Code code = dead_alone(kind, at);
    pthread_mutex_unlock(&counting);
    return code;
}

static int is_busy(void) {
    if (busy_until && *busy_until) busy_until = 0;
    return is_deaf || busy_until;
}
static uint64_t memory(void) { return (uint64_t)setting("STAND_IN_MEMORY", 64 << 20); }

Code cuInit(unsigned flags) { (void)flags; return setting("STAND_IN_INIT", 0); }
Code cuDriverGetVersion(int* version) { *version = setting("STAND_IN_VERSION", 13000); return OK; }
Code cuGetErrorString(Code code, const char** text) { (void)code; *text = "in words"; return OK; }
Code cuGetErrorName(Code code, const char** text) { (void)code; *text = "NAME"; return OK; }
Code cuDeviceGetCount(int* count) { *count = setting("STAND_IN_COUNT", 1); return OK; }
Code cuDeviceGet(int* device, int index) { *device = index; return OK; }
Code cuDeviceGetName(char* name, int bytes, int device) { snprintf(name, bytes, "Stand-in %d", device); return OK; }
Code cuDeviceTotalMem_v2(size_t* bytes, int device) { (void)device; *bytes = memory(); return OK; }
Code cuDeviceGetAttribute(int* value, int attribute, int device) {
    (void)device;
    switch (attribute) {
        case 16: *value = 4; return OK;         // multiprocessors
        case 89: *value = setting("STAND_IN_CONCURRENT", 1); return OK;
        case 75: *value = setting("STAND_IN_CAPABILITY", 90) / 10; return OK;
        case 76: *value = setting("STAND_IN_CAPABILITY", 90) % 10; return OK;
    }
    return INVALID;
}
Code cuDevicePrimaryCtxRetain(void** context, int device) {
    (void)device;
    called(__func__);
    long code = setting("STAND_IN_RETAIN", 0);
    if (!code) *context = born("context", 8);
    return code;
}
Code cuDevicePrimaryCtxRelease_v2(int device) {
    (void)device;
    called(__func__);
    sticky = 0;
    for (int i = 0; i < LIVE; i++) if (live[i].at && !strcmp(live[i].kind, "context")) return dead("context", live[i].at);
    return INVALID;
}
Code cuCtxSetCurrent(void* context) { current = context; return OK; }

Code cuMemGetInfo_v2(size_t* free, size_t* total) { IN_CONTEXT; *free = memory() - used; *total = memory(); return OK; }
static Code take(uint64_t* at, size_t bytes, const char* kind) {
    if (!bytes) return INVALID;
    if (used + bytes > memory()) return NO_MEMORY;
    used += bytes;
    *at = (uint64_t)born(kind, bytes);
    return OK;
}
Code cuMemAlloc_v2(uint64_t* at, size_t bytes) { IN_CONTEXT; return take(at, bytes, "device"); }
Code cuMemAllocManaged(uint64_t* at, size_t bytes, unsigned flags) { IN_CONTEXT; return flags == 1 ? take(at, bytes, "managed") : INVALID; }
Code cuMemFree_v2(uint64_t at) {
    IN_CONTEXT;
    for (int i = 0; i < LIVE; i++) if (live[i].at == (void*)at) return dead(live[i].kind, (void*)at);
    abort();
}
Code cuMemHostAlloc(void** at, size_t bytes, unsigned flags) { IN_CONTEXT; if (flags != 3) return INVALID; *at = born("pinned", bytes); return OK; }
Code cuMemHostGetDevicePointer_v2(uint64_t* at, void* host, unsigned flags) { (void)flags; IN_CONTEXT; *at = (uint64_t)host; return OK; }
Code cuMemHostRegister_v2(void* at, size_t bytes, unsigned flags) {
    IN_CONTEXT;
    if ((flags != 3 && flags != 11) || !bytes) return INVALID;
    if (setting("STAND_IN_NO_PINNING", 0)) return 801;
    if (flags == 11 && (setting("STAND_IN_NO_READ_ONLY", 0) || (uint64_t)at % 4096 || bytes % 4096)) return 801;
    if (stand_in_calls(__func__) <= (uint64_t)setting("STAND_IN_REFUSED", 0)) return NO_MEMORY;
    return joined("registered", at, bytes);
}
// Whether memory is registered in part, which a copy must not be.
static int is_torn(const void* at, size_t bytes) {
    const char* from = at;
    for (int i = 0; i < LIVE; i++) if (is_registered(i)) {
        const char *begin = live[i].at, *end = begin + live[i].bytes;
        if (from < end && begin < from + bytes && (from < begin || end < from + bytes)) return 1;
    }
    return 0;
}
Code cuMemAdvise(uint64_t at, size_t bytes, int advice, int device) {
    IN_CONTEXT;
    if (setting("STAND_IN_NO_ADVICE", 0)) return 801;
    return at && bytes && (advice == 1 || advice == 2) && device == 0 ? OK : INVALID;
}
Code cuMemPrefetchAsync(uint64_t at, size_t bytes, int device, void* stream) {
    IN_CONTEXT;
    if (setting("STAND_IN_NO_PREFETCH", 0)) return 101;
    return at && bytes && (device == 0 || device == -1) && stream ? OK : INVALID;
}
Code cuMemHostUnregister(void* at) { IN_CONTEXT; return dead("registered", at); }
Code cuMemFreeHost(void* at) { IN_CONTEXT; return dead("pinned", at); }
Code cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) { (void)stream; IN_CONTEXT; if (is_torn(from, bytes)) return INVALID; memcpy((void*)to, from, bytes); return OK; }
Code cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) { (void)stream; IN_CONTEXT; memcpy(to, (void*)from, bytes); return OK; }
Code cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) { (void)stream; IN_CONTEXT; memcpy((void*)to, (void*)from, bytes); return OK; }
Code cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void* stream) { (void)stream; IN_CONTEXT; memset((void*)to, byte, bytes); return OK; }

Code cuStreamCreate(void** stream, unsigned flags) { IN_CONTEXT; if (flags != 1) return INVALID; *stream = born("stream", 8); return OK; }
Code cuStreamDestroy_v2(void* stream) { IN_CONTEXT; return dead("stream", stream); }
Code cuStreamSynchronize(void* stream) { (void)stream; IN_CONTEXT; return OK; }
Code cuStreamQuery(void* stream) { (void)stream; IN_CONTEXT; return is_busy() ? NOT_READY : OK; }
Code cuStreamWaitEvent(void* stream, void* event, unsigned flags) { (void)stream; (void)event; IN_CONTEXT; return flags ? INVALID : OK; }
Code cuEventCreate(void** event, unsigned flags) { IN_CONTEXT; if (flags) return INVALID; *event = born("event", 8); return OK; }
Code cuEventRecord(void* event, void* stream) { (void)event; (void)stream; IN_CONTEXT; return OK; }
Code cuEventQuery(void* event) { (void)event; IN_CONTEXT; return is_busy() ? NOT_READY : OK; }
Code cuEventElapsedTime(float* milliseconds, void* from, void* to) { (void)from; (void)to; IN_CONTEXT; *milliseconds = 1500; return OK; }
Code cuEventDestroy_v2(void* event) { IN_CONTEXT; return dead("event", event); }

Code cuModuleLoadData(void** module, const void* image) {
    IN_CONTEXT;
    if (strncmp(image, "cubin", 5)) return BAD_IMAGE;
    *module = born("module", 8);
    return OK;
}
Code cuModuleUnload(void* module) { IN_CONTEXT; return dead("module", module); }
static const char* const KERNELS[] = {"count_up", "trap", "endless", "deaf"};
static int shared_limit[4] = {48 << 10, 48 << 10, 48 << 10, 48 << 10};
Code cuModuleGetFunction(void** function, void* module, const char* name) {
    (void)module;
    IN_CONTEXT;
    for (int i = 0; i < 4; i++) if (!strcmp(name, KERNELS[i])) { *function = (void*)&KERNELS[i]; return OK; }
    return NOT_FOUND;
}
static int number(void* function) { return (const char* const*)function - KERNELS; }
Code cuFuncGetAttribute(int* value, int attribute, void* function) { IN_CONTEXT; if (attribute != 8) return INVALID; *value = shared_limit[number(function)]; return OK; }
Code cuFuncSetAttribute(void* function, int attribute, int value) {
    IN_CONTEXT;
    if (attribute != 8 || value > 227 << 10) return INVALID;
    shared_limit[number(function)] = value;
    return OK;
}
Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) {
    IN_CONTEXT;
    *blocks = threads < 1 || threads > 1024 || (int)shared > shared_limit[number(function)] ? 0 : 2048 / threads;
    return OK;
}
static Code start(void* function, unsigned grid, unsigned block, unsigned shared, void** parameters) {
    if (!grid || !block || block > 1024 || (int)shared > shared_limit[number(function)]) return INVALID;
    uint64_t word = *(uint64_t*)parameters[0];
    switch (number(function)) {
        case 0: ++*(uint32_t*)word; break;
        case 1: sticky = TRAPPED; break;
        case 2: busy_until = (uint32_t*)word; break;
        case 3: is_deaf = 1; break;
    }
    return OK;
}
Code cuLaunchKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void* stream, void** parameters, void** extra) {
    (void)stream;
    IN_CONTEXT;
    return gy != 1 || gz != 1 || by != 1 || bz != 1 || extra ? INVALID : start(f, gx, bx, shared, parameters);
}
Code cuLaunchCooperativeKernel(void* f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void* stream, void** parameters) {
    (void)stream;
    IN_CONTEXT;
    if (bx && gx > 4 * (2048 / bx)) return TOO_LARGE;
    return gy != 1 || gz != 1 || by != 1 || bz != 1 ? INVALID : start(f, gx, bx, shared, parameters);
}

Code nvrtcVersion(int* major, int* minor) { called(__func__); *major = 13; *minor = 0; return OK; }
Code nvrtcGetNumSupportedArchs(int* count) { *count = 3; return OK; }
Code nvrtcGetSupportedArchs(int* list) { list[0] = 75; list[1] = 80; list[2] = 90; return OK; }
Code nvrtcCreateProgram(void** program, const char* text, const char* name, int n, const char* const* headers, const char* const* names) {
    (void)text; (void)name; (void)n; (void)headers; (void)names;
    *program = born("program", 8);
    return OK;
}
Code nvrtcCompileProgram(void* program, int count, const char* const* options) {
    (void)program;
    called(__func__);
    pthread_mutex_lock(&counting);
    if (++compiling > most_compiling) most_compiling = compiling;
    pthread_mutex_unlock(&counting);
    struct timespec pause = {0, setting("STAND_IN_COMPILE_MS", 0) * 1000000};
    nanosleep(&pause, 0);
    pthread_mutex_lock(&counting);
    compiling--;
    pthread_mutex_unlock(&counting);
    for (int i = 0; i < count; i++) if (!strcmp(options[i], "--gpu-architecture=sm_90")) return OK;
    return 5;
}
Code nvrtcGetCUBINSize(void* program, size_t* bytes) { (void)program; *bytes = 16; return OK; }
Code nvrtcGetCUBIN(void* program, char* bytes) { (void)program; strcpy(bytes, setting("STAND_IN_BAD_CUBIN", 0) ? "spoilt" : "cubin"); return OK; }
Code nvrtcGetProgramLogSize(void* program, size_t* bytes) { (void)program; *bytes = 1; return OK; }
Code nvrtcGetProgramLog(void* program, char* text) { (void)program; *text = 0; return OK; }
Code nvrtcDestroyProgram(void** program) { return dead("program", *program); }
