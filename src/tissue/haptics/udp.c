/* A device behind UDP on the loopback interface. A driver sends positions and receives forces; docs/haptics.md has
 * the packets. Neither direction blocks: the loop uses the packets that have arrived, and drops those that cannot be
 * sent. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/platform.h"
#include "base/vec.h"
#include "tissue/haptics/haptics.h"

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
