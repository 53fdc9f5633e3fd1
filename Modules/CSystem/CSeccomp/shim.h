// libseccomp: filters of system calls (seccomp.h), with plain functions for its macros.
#ifndef COURIER_CSECCOMP_SHIM_H
#define COURIER_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>
#include <stdint.h>

static inline uint32_t cseccomp_kill_process(void) { return SCMP_ACT_KILL_PROCESS; }
static inline uint32_t cseccomp_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t cseccomp_errno(uint16_t number) { return SCMP_ACT_ERRNO(number); }

// seccomp_rule_add(3) is variadic; this is the form without conditions.
static inline int cseccomp_rule(scmp_filter_ctx _Nonnull filter, uint32_t action, int call) {
  return seccomp_rule_add_array(filter, action, call, 0, 0);
}

// The rule holds where `argument & mask == value`.
static inline int cseccomp_rule_masked(
    scmp_filter_ctx _Nonnull filter, uint32_t action, int call, unsigned argument, uint64_t mask,
    uint64_t value) {
  struct scmp_arg_cmp condition = {argument, SCMP_CMP_MASKED_EQ, mask, value};
  return seccomp_rule_add_array(filter, action, call, 1, &condition);
}
#endif
