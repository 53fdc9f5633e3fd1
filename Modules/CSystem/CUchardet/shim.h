// uchardet: guesses the charset of bytes.
#ifndef COURIER_CUCHARDET_SHIM_H
#define COURIER_CUCHARDET_SHIM_H

#include <uchardet/uchardet.h>
#endif
