// libexpat: XML events.
#ifndef COURIER_CEXPAT_SHIM_H
#define COURIER_CEXPAT_SHIM_H

#include <expat.h>
#endif
