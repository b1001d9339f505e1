/* A driver's management library with the answers that are asked for by -D; built for the tests.

   CARDS       braces of {name, major, minor, bytes, model}, model as in nvml.h: 0 WDDM, 1 TCC, 2 MCDM
   VERSION     of the driver;  CUDA  of the driver, as 1000 * major + 10 * minor
   INIT        what initialising returns, instead of success
   ON_INIT     a statement that runs then, as abort() or for (;;);
   OLD         leaves out what drivers before the branch 570 lack: the driver model, second version */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifndef VERSION
#define VERSION "580.88"
#endif
#ifndef CUDA
#define CUDA 13000
#endif
#ifndef INIT
#define INIT 0
#endif
#ifndef ON_INIT
#define ON_INIT
#endif

enum { SUCCESS = 0, NOT_SUPPORTED = 3 };

typedef struct {
  const char *name;
  int major, minor;
  unsigned long long bytes;
  int model;
} Card;

static Card cards[] = {CARDS};

EXPORT int nvmlInitWithFlags(unsigned flags) { ON_INIT; return INIT; }
EXPORT int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
EXPORT int nvmlShutdown(void) { return SUCCESS; }
EXPORT const char *nvmlErrorString(int result) { return "as the test wants it"; }

EXPORT int nvmlSystemGetDriverVersion(char *version, unsigned length) {
  snprintf(version, length, "%s", VERSION);
  return SUCCESS;
}

EXPORT int nvmlSystemGetCudaDriverVersion(int *version) { *version = CUDA; return SUCCESS; }
EXPORT int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = CUDA; return SUCCESS; }

EXPORT int nvmlDeviceGetCount_v2(unsigned *count) {
  *count = sizeof cards / sizeof *cards;
  return SUCCESS;
}

EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, Card **card) {
  *card = &cards[index];
  return SUCCESS;
}

EXPORT int nvmlDeviceGetName(Card *card, char *name, unsigned length) {
  snprintf(name, length, "%s", card->name);
  return SUCCESS;
}

EXPORT int nvmlDeviceGetCudaComputeCapability(Card *card, int *major, int *minor) {
  *major = card->major;
  *minor = card->minor;
  return SUCCESS;
}

EXPORT int nvmlDeviceGetMemoryInfo(Card *card, unsigned long long *total_free_used) {
  memset(total_free_used, 0, 3 * sizeof *total_free_used);
  *total_free_used = card->bytes;
  return card->bytes ? SUCCESS : NOT_SUPPORTED;
}

EXPORT int nvmlDeviceGetDisplayActive(Card *card, int *active) { *active = card->model == 0; return SUCCESS; }

EXPORT int nvmlDeviceGetDriverModel(Card *card, int *current, int *pending) {
  *current = *pending = card->model;
  return card->model < 0 ? NOT_SUPPORTED : SUCCESS;
}

#ifndef OLD
EXPORT int nvmlDeviceGetDriverModel_v2(Card *card, int *current, int *pending) {
  return nvmlDeviceGetDriverModel(card, current, pending);
}
#endif
