// libbz2: what the tests hold our own bzip2 decoder against.
#ifndef COURIER_CBZIP2_SHIM_H
#define COURIER_CBZIP2_SHIM_H

#include <bzlib.h>
#endif
