// libcurl's variadic calls, one typed function for each kind of argument that we pass.
#ifndef COURIER_CLIBCURL_SHIM_H
#define COURIER_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>

typedef size_t (*ccurl_data_function)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *_Nonnull easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}
static inline CURLcode ccurl_set_string(
    CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(
    CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(
    CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_data_function(
    CURL *_Nonnull easy, CURLoption option, ccurl_data_function _Nonnull function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode ccurl_set_error_buffer(CURL *_Nonnull easy, char *_Nullable buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(
    CURL *_Nonnull easy, CURLINFO info, int64_t *_Nonnull value) {
  curl_off_t offset = 0;
  CURLcode code = curl_easy_getinfo(easy, info, &offset);
  *value = offset;
  return code;
}
static inline CURLcode ccurl_get_string(
    CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
  char *text = NULL;
  CURLcode code = curl_easy_getinfo(easy, info, &text);
  *value = text;
  return code;
}
static inline CURLcode ccurl_get_pointer(
    CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
  char *pointer = NULL;
  CURLcode code = curl_easy_getinfo(easy, info, &pointer);
  *value = pointer;
  return code;
}

static inline CURLMcode ccurl_multi_set_long(
    CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode ccurl_share_cookies(CURLSH *_Nonnull share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

// The next finished transfer: its handle and its result, or NULL when there is none.
static inline CURL *_Nullable ccurl_multi_next_done(
    CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

// CURL_GLOBAL_DEFAULT is a macro with a cast that Swift does not import.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Makes OpenSSL report a connection that ends without close_notify, which libcurl asks it to hide:
// for a body that only the end of the connection ends, the difference is a whole or a cut file.
static inline CURLcode ccurl_clear_ignored_eof(
    CURL *_Nonnull easy, void *_Nonnull context, void *_Nullable user) {
  (void)easy;
  (void)user;
  SSL_CTX_clear_options((SSL_CTX *)context, SSL_OP_IGNORE_UNEXPECTED_EOF);
  return CURLE_OK;
}
static inline CURLcode ccurl_report_missing_close(CURL *_Nonnull easy) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_clear_ignored_eof);
}

// Values behind macros with casts.
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t ccurl_write_error(void) { return CURL_WRITEFUNC_ERROR; }
static inline unsigned long ccurl_auth_any(void) { return CURLAUTH_ANY; }
static inline unsigned long ccurl_auth_basic(void) { return CURLAUTH_BASIC; }

#endif
