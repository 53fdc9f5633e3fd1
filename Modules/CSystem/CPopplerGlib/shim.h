// poppler-glib and cairo in one module, so that each of their headers has one home.
#ifndef COURIER_CPOPPLERGLIB_SHIM_H
#define COURIER_CPOPPLERGLIB_SHIM_H

#include <cairo.h>
#include <poppler.h>

// The fields that tell where an outline entry leads; the unions are awkward to reach from Swift.
// Returns the 1-based page number, or 0 when the action leads to no page of this document.
static inline int cpoppler_action_page(
    PopplerDocument *_Nonnull document, const PopplerAction *_Nonnull action) {
  if (action->type != POPPLER_ACTION_GOTO_DEST || action->goto_dest.dest == NULL) return 0;
  PopplerDest *dest = action->goto_dest.dest;
  if (dest->type != POPPLER_DEST_NAMED) return dest->page_num;
  if (dest->named_dest == NULL) return 0;
  PopplerDest *found = poppler_document_find_dest(document, dest->named_dest);
  if (found == NULL) return 0;
  int page = found->page_num;
  poppler_dest_free(found);
  return page;
}

// The title every action carries, or NULL.
static inline const char *_Nullable cpoppler_action_title(const PopplerAction *_Nonnull action) {
  return action->any.title;
}
#endif
