// libjpeg-turbo's own interface, which returns its errors in place of jumping.
#ifndef COURIER_CTURBOJPEG_SHIM_H
#define COURIER_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>
#endif
