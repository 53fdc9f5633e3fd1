// libwebp: encoding alone.
#ifndef COURIER_CWEBP_SHIM_H
#define COURIER_CWEBP_SHIM_H

#include <webp/encode.h>
#endif
