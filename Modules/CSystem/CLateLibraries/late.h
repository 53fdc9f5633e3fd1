// Libraries that are opened when first needed and not linked, as each costs every start of a program, and most runs need
// none.
#ifndef COURIER_CLATELIBRARIES_LATE_H
#define COURIER_CLATELIBRARIES_LATE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define CLATE_FIELD(name) __typeof__(&name) _Nullable name;

#define CLATE_FIND(name) \
  *(void **)&calls->name = dlsym(library, #name); \
  if (calls->name == NULL) return false;

// Declares `struct clate_NAME`, the calls of an opened library with the types that its headers give them, and
// `clate_NAME_open`, which opens it for the rest of the process and returns false when it, or one of the calls, is
// not there.
#define CLATE_LIBRARY(name, file, calls_of) \
  struct clate_##name { \
    calls_of(CLATE_FIELD) \
  }; \
  static inline bool clate_##name##_open(struct clate_##name *_Nonnull calls) { \
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL); \
    if (library == NULL) return false; \
    calls_of(CLATE_FIND) return true; \
  }
#endif
