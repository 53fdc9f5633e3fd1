// libbz2: decompression.
#ifndef COURIER_CBZIP2_SHIM_H
#define COURIER_CBZIP2_SHIM_H

#include <bzlib.h>
#endif
