// fontconfig, for the places where fonts and their configuration lie.
#ifndef COURIER_CFONTCONFIG_SHIM_H
#define COURIER_CFONTCONFIG_SHIM_H
#include <fontconfig/fontconfig.h>
#endif
