#include "joint/complaint.h"

syn_status syn_complain(const syn_complaint *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(to->error, to->code, to->file, 0, -1, format, arguments);
  va_end(arguments);
  return status;
}
