// qpdf's C interface: the raw objects of a document.
#ifndef COURIER_CQPDF_SHIM_H
#define COURIER_CQPDF_SHIM_H

#include <qpdf/qpdf-c.h>
#endif
