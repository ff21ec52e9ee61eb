/* Devices: a recorded trajectory, a push, and any device behind UDP. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <synovia/motion.h>

#include "base/files/file.h"
#include "base/platform.h"
#include "base/vec.h"
#include "tissue/haptics/haptics.h"

/* ==== trajectory and push ========================================================================================= */

void syn_haptics_device_release(syn_haptics_device *device) {
  if (device->destroy) device->destroy(device->user);
  *device = (syn_haptics_device){0};
}

/* ---- trajectory -----------------------------------------------------------------------------------------------------
 */

typedef struct trajectory {
  const syn_context *context;
  size_t count, next; /* next: the first row after the last requested time */
  double *times_s;
  syn_vec3 *tips;
} trajectory;

static void trajectory_destroy(void *user) {
  trajectory *t = user;
  syn_free(t->context, t->times_s);
  syn_free(t->context, t->tips);
  syn_free(t->context, t);
}

static bool trajectory_read(void *user, double time_s, syn_vec3 *tip) {
  trajectory *t = user;
  const double time = time_s + t->times_s[0];
  while (t->next > 0 && t->times_s[t->next - 1] > time) --t->next;
  while (t->next < t->count && t->times_s[t->next] <= time) ++t->next;
  if (t->next == t->count) {
    *tip = t->tips[t->count - 1];
    return time <= t->times_s[t->count - 1];
  }
  const double from = t->times_s[t->next - 1], to = t->times_s[t->next];
  *tip = vec3_lerp(t->tips[t->next - 1], t->tips[t->next], (time - from) / (to - from));
  return true;
}

static syn_status take_rows(const syn_recording *recording, const char *path, trajectory *t, syn_error *error) {
  static const char *const names[] = {"x", "y", "z"};
  size_t columns[3];
  for (int c = 0; c < 3; ++c) {
    columns[c] = syn_recording_column_named(recording, names[c]);
    if (columns[c] == SIZE_MAX)
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                         "a trajectory needs the columns time, x, y and z; %s is missing", names[c]);
  }
  if (!recording->has_times)
    return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "a trajectory needs a first column named time, in s");
  if (recording->row_count == 0) return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "the trajectory has no rows");
  SYN_TRY(SYN_NEW(t->context, &t->times_s, recording->row_count, error));
  SYN_TRY(SYN_NEW(t->context, &t->tips, recording->row_count, error));
  memcpy(t->times_s, recording->times_s, recording->row_count * sizeof *t->times_s);
  t->count = recording->row_count;
  for (size_t i = 0; i < t->count; ++i) {
    const double *row = recording->values + i * recording->column_count;
    t->tips[i] = vec3(row[columns[0]], row[columns[1]], row[columns[2]]);
    if (!vec3_finite(t->tips[i]) || !isfinite(t->times_s[i]))
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "row %zu of the trajectory is not finite", i + 1);
  }
  return SYN_OK;
}

syn_status syn_haptics_trajectory_device(const syn_context *context, const char *path, syn_haptics_device *device,
                                         syn_error *error) {
  *device = (syn_haptics_device){0};
  syn_recording *recording;
  SYN_TRY(syn_recording_read(context, path, &recording, error));
  trajectory *made = NULL;
  syn_status status = SYN_NEW_ZEROED(context, &made, 1, error);
  if (!status) {
    made->context = context;
    status = take_rows(recording, path, made, error);
    if (status) trajectory_destroy(made);
  }
  syn_recording_destroy(recording);
  if (!status) *device = (syn_haptics_device){trajectory_read, NULL, trajectory_destroy, made};
  return status;
}

/* ---- push -----------------------------------------------------------------------------------------------------------
 */

typedef struct push_state {
  const syn_context *context;
  syn_haptics_push push; /* its direction has length 1 */
} push_state;

syn_haptics_push syn_default_haptics_push(void) {
  return (syn_haptics_push){.way = {0, 0, -1}, .depth_mm = 10, .period_s = 2, .variation = 0.3, .cookie = SYN_COOKIE};
}

static bool push_read(void *user, double time_s, syn_vec3 *tip) {
  const syn_haptics_push *p = &((const push_state *)user)->push;
  const double periods = time_s / p->period_s, whole = floor(periods);
  const double part = 1 - p->variation * fmod(whole * 7, 5) / 4;
  *tip = vec3_madd(p->from, p->depth_mm * part * (1 - cos(2 * SYN_PI * (periods - whole))) / 2, p->way);
  return true;
}

static void push_destroy(void *user) { syn_free(((push_state *)user)->context, user); }

syn_status syn_haptics_push_device(const syn_context *context, const syn_haptics_push *push, syn_haptics_device *device,
                                   syn_error *error) {
  *device = (syn_haptics_device){0};
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(push, syn_default_haptics_push, error));
  if (!vec3_finite(push->from) || !vec3_finite(push->way) || !(vec3_length(push->way) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a push needs a place (from) and a direction (way)");
  if (!isfinite(push->depth_mm)) return syn_fail(error, SYN_BAD_ARGUMENT, "the depth of a push must be finite");
  if (!(push->period_s > 0) || isinf(push->period_s))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the period of a push must be above 0 s");
  if (!(push->variation >= 0 && push->variation <= 1))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the variation of a push must be 0 to 1");
  push_state *made;
  SYN_TRY(SYN_NEW(context, &made, 1, error));
  *made = (push_state){context, *push};
  made->push.way = vec3_unit(push->way);
  *device = (syn_haptics_device){push_read, NULL, push_destroy, made};
  return SYN_OK;
}

/* ==== a device behind UDP ========================================================================================= */

/* A device behind UDP on the loopback interface. A driver sends positions and receives forces; docs/haptics.md has
 * the packets. Neither direction blocks: the loop uses the packets that have arrived, and drops those that cannot be
 * sent. */

#if SYN_HAS_THREADS
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PACKET_BYTES = 32 };
static const char position_mark[4] = "SYNP", force_mark[4] = "SYNF";

typedef struct udp {
  const syn_context *context;
  int socket;
  uint32_t number; /* of the last accepted packet */
  bool has_peer;
  struct sockaddr_in peer; /* sender */
  syn_vec3 tip;
} udp;

static double little_double(const unsigned char *bytes) {
  uint64_t bits;
  double value;
  memcpy(&bits, bytes, sizeof bits);
  bits = little64(bits);
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void put_little_double(unsigned char *bytes, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = little64(bits);
  memcpy(bytes, &bits, sizeof bits);
}

/* Accepts a packet unless it is malformed or older than the last. */
static void take_packet(udp *u, const unsigned char *bytes, ssize_t size, const struct sockaddr_in *from) {
  if (size != PACKET_BYTES || memcmp(bytes, position_mark, sizeof position_mark) != 0) return;
  uint32_t number;
  memcpy(&number, bytes + 4, sizeof number);
  number = little32(number);
  const bool same_peer = u->has_peer && from->sin_port == u->peer.sin_port;
  if (same_peer && (int32_t)(number - u->number) <= 0) return;
  const syn_vec3 tip = vec3(little_double(bytes + 8), little_double(bytes + 16), little_double(bytes + 24));
  if (!vec3_finite(tip)) return;
  u->number = number;
  u->has_peer = true;
  u->peer = *from;
  u->tip = tip;
}

static bool udp_read(void *user, double time_s, syn_vec3 *tip) {
  (void)time_s;
  enum { AT_ONCE = 64 }; /* limits the time in the loop if a driver sends without pause */
  udp *u = user;
  unsigned char bytes[PACKET_BYTES + 1]; /* one byte more, to detect longer packets */
  for (int i = 0; i < AT_ONCE; ++i) {
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    const ssize_t size = recvfrom(u->socket, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &length);
    if (size < 0) break;
    take_packet(u, bytes, size, &from);
  }
  *tip = u->tip;
  return true;
}

static void udp_write(void *user, double time_s, syn_vec3 force) {
  (void)time_s;
  udp *u = user;
  if (!u->has_peer) return;
  unsigned char bytes[PACKET_BYTES];
  const uint32_t number = little32(u->number);
  memcpy(bytes, force_mark, sizeof force_mark);
  memcpy(bytes + 4, &number, sizeof number);
  put_little_double(bytes + 8, force.x);
  put_little_double(bytes + 16, force.y);
  put_little_double(bytes + 24, force.z);
  sendto(u->socket, bytes, sizeof bytes, MSG_DONTWAIT, (const struct sockaddr *)&u->peer, sizeof u->peer);
}

static void udp_destroy(void *user) {
  udp *u = user;
  if (u->socket >= 0) close(u->socket);
  syn_free(u->context, u);
}

static syn_status bind_loopback(udp *u, uint16_t port, uint16_t *bound, syn_error *error) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  u->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (u->socket < 0) return syn_fail_errno(error, SYN_IO_ERROR, NULL, "no UDP socket");
  if (bind(u->socket, (const struct sockaddr *)&address, sizeof address) != 0 ||
      getsockname(u->socket, (struct sockaddr *)&address, &length) != 0)
    return syn_fail_errno(error, SYN_IO_ERROR, NULL, "the UDP port on 127.0.0.1 cannot be used; name another one");
  *bound = ntohs(address.sin_port);
  return SYN_OK;
}

syn_status syn_haptics_udp_device(const syn_context *context, uint16_t port, syn_vec3 start, uint16_t *bound,
                                  syn_haptics_device *device, syn_error *error) {
  *device = (syn_haptics_device){0};
  *bound = 0;
  SYN_TRY(syn_check_context(context, error));
  if (!vec3_finite(start)) return syn_fail(error, SYN_BAD_ARGUMENT, "the probe does not start at a finite place");
  udp *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (udp){.context = context, .socket = -1, .tip = start};
  const syn_status status = bind_loopback(made, port, bound, error);
  if (status) {
    udp_destroy(made);
    return status;
  }
  *device = (syn_haptics_device){udp_read, udp_write, udp_destroy, made};
  return SYN_OK;
}
#else
syn_status syn_haptics_udp_device(const syn_context *context, uint16_t port, syn_vec3 start, uint16_t *bound,
                                  syn_haptics_device *device, syn_error *error) {
  (void)context, (void)port, (void)start;
  *bound = 0;
  *device = (syn_haptics_device){0};
  return syn_fail(error, SYN_IO_ERROR, "there is no UDP on this system");
}
#endif
