// libchafa: pictures for terminals.
#ifndef COURIER_CCHAFA_SHIM_H
#define COURIER_CCHAFA_SHIM_H

#include <chafa.h>
#endif
