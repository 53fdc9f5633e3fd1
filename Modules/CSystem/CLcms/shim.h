// Little CMS: from the colours of an ICC profile to sRGB, as poppler does it.
#ifndef COURIER_CLCMS_SHIM_H
#define COURIER_CLCMS_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include <lcms2.h>

// A transform from 8-bit gray (1 part) or RGB (3 parts) of a profile to 8-bit sRGB, or NULL.
static inline void *_Nullable clcms_open(
    const uint8_t *_Nullable profile, uint32_t count, int parts) {
  cmsHPROFILE input = cmsOpenProfileFromMem(profile, count);
  if (input == NULL) return NULL;
  cmsHTRANSFORM transform = NULL;
  cmsColorSpaceSignature wanted = parts == 1 ? cmsSigGrayData : cmsSigRgbData;
  cmsHPROFILE output = cmsCreate_sRGBProfile();
  if (output != NULL && cmsGetColorSpace(input) == wanted) {
    transform = cmsCreateTransform(
        input, parts == 1 ? TYPE_GRAY_8 : TYPE_RGB_8, output, TYPE_RGB_8,
        INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION);
  }
  if (output != NULL) cmsCloseProfile(output);
  cmsCloseProfile(input);
  return transform;
}
#endif
