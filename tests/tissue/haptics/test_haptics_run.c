/* Devices, and both threads together. Nothing here depends on how fast the machine is. */
#include "spring_body.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/vec.h"
#include "tissue/haptics/haptics.h"

/* ---- scripted devices -----------------------------------------------------------------------------------------------
 */

static void a_trajectory_is_straight_between_its_rows(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_device device;
  const char *path = temporary_path("path.csv");
  write_text_file(path, "time,x,y,z\n1,0,0,20\n1.5,1,0,10\n3,1,3,10\n");
  ASSERT_OK(syn_haptics_trajectory_device(NULL, path, &device, &error));
  syn_vec3 tip;
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(0, 0, 20)));
  assert_true(device.read(device.user, 0.25, &tip));
  ASSERT_NEAR(vec3_distance(tip, vec3(0.5, 0, 15)), 0, 1e-12);
  assert_true(device.read(device.user, 1.25, &tip));
  ASSERT_NEAR(vec3_distance(tip, vec3(1, 1.5, 10)), 0, 1e-12);
  assert_true(device.read(device.user, 0.25, &tip)); /* back in time */
  ASSERT_NEAR(vec3_distance(tip, vec3(0.5, 0, 15)), 0, 1e-12);
  assert_true(device.read(device.user, 2, &tip) && vec3_equal(tip, vec3(1, 3, 10)));
  assert_false(device.read(device.user, 2.001, &tip));
  syn_haptics_device_release(&device);
}

static void bad_trajectories_are_explained(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_device device;
  static const struct {
    const char *text, *part;
  } bad[] = {{"time,x,y\n0,1,2\n", "z is missing"},     {"x,y,z\n0,1,2\n", "time"},
             {"time,x,y,z\n0,1,2,nan\n", "not finite"}, {"time,x,y,z\n0,1,2,three\n", NULL},
             {"time,x,y,z\n1,1,2,3\n0,1,2,3\n", NULL},  {"time,x,y,z\n", NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const char *path = temporary_path("bad.csv");
    write_text_file(path, bad[i].text);
    ASSERT_FAILS(syn_haptics_trajectory_device(NULL, path, &device, &error), SYN_BAD_FORMAT, bad[i].part);
    assert_null(device.read);
  }
  ASSERT_FAILS(syn_haptics_trajectory_device(NULL, "no/such.csv", &device, &error), SYN_NOT_FOUND, NULL);
}

static void a_push_comes_back_in_every_period(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_device device;
  syn_haptics_push push = syn_default_haptics_push();
  push.from = vec3(1, 2, 3);
  push.way = vec3(0, 4, 0);
  ASSERT_OK(syn_haptics_push_device(NULL, &push, &device, &error));
  double deepest[6] = {0};
  for (int i = 0; i <= 12000; ++i) {
    syn_vec3 tip;
    assert_true(device.read(device.user, i * 1e-3, &tip));
    assert_true(tip.x == 1 && tip.z == 3 && tip.y >= 2 - 1e-12 && tip.y <= 12 + 1e-12);
    if (i % 2000 == 0) ASSERT_NEAR(tip.y, 2, 1e-9);
    if (i < 12000) deepest[i / 2000] = fmax(deepest[i / 2000], tip.y - 2);
  }
  for (int k = 0; k < 6; ++k) ASSERT_NEAR(deepest[k], 10 * (1 - 0.3 * (k * 7 % 5) / 4), 1e-9);
  syn_haptics_device_release(&device);
  push.period_s = 0;
  ASSERT_FAILS(syn_haptics_push_device(NULL, &push, &device, &error), SYN_BAD_ARGUMENT, "period");
  push = syn_default_haptics_push();
  push.way = vec3(0, 0, 0);
  ASSERT_FAILS(syn_haptics_push_device(NULL, &push, &device, &error), SYN_BAD_ARGUMENT, "direction");
}

/* ---- UDP ------------------------------------------------------------------------------------------------------------
 */

typedef struct client {
  int socket;
  struct sockaddr_in server;
} client;

static client make_client(uint16_t port) {
  client c = {.socket = socket(AF_INET, SOCK_DGRAM, 0)};
  c.server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
  c.server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert_true(c.socket >= 0);
  return c;
}

/* The packet as docs/haptics.md has it, on a little-endian machine. */
static void send_position(const client *c, uint32_t number, const double tip[3], size_t bytes) {
  unsigned char packet[40] = "SYNP";
  memcpy(packet + 4, &number, 4);
  memcpy(packet + 8, tip, 24);
  assert_int_equal(sendto(c->socket, packet, bytes, 0, (const struct sockaddr *)&c->server, sizeof c->server), bytes);
}

static void packets_go_both_ways(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_device device, second;
  uint16_t port, other;
  ASSERT_OK(syn_haptics_udp_device(NULL, 0, vec3(1, 2, 3), &port, &device, &error));
  assert_true(port > 0);
  ASSERT_FAILS(syn_haptics_udp_device(NULL, port, vec3(0, 0, 0), &other, &second, &error), SYN_IO_ERROR, "port");
  client c = make_client(port);
  syn_vec3 tip;
  device.write(device.user, 0, vec3(9, 9, 9)); /* nobody to send it to */
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(1, 2, 3)));
  send_position(&c, 7, (const double[3]){4, 5, 6}, 32);
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(4, 5, 6)));
  device.write(device.user, 0, vec3(0.5, -1.5, 2.25));
  unsigned char answer[64];
  assert_int_equal(recv(c.socket, answer, sizeof answer, 0), 32);
  double force[3];
  uint32_t number;
  memcpy(&number, answer + 4, 4);
  memcpy(force, answer + 8, 24);
  assert_memory_equal(answer, "SYNF", 4);
  assert_int_equal(number, 7);
  assert_true(force[0] == 0.5 && force[1] == -1.5 && force[2] == 2.25);
  close(c.socket);
  syn_haptics_device_release(&device);
}

static void packets_that_are_not_ours_are_dropped(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_device device;
  uint16_t port;
  ASSERT_OK(syn_haptics_udp_device(NULL, 0, vec3(0, 0, 0), &port, &device, &error));
  client c = make_client(port);
  syn_vec3 tip;
  send_position(&c, 5, (const double[3]){1, 1, 1}, 32);
  send_position(&c, 4, (const double[3]){2, 2, 2}, 32);   /* older */
  send_position(&c, 6, (const double[3]){3, 3, 3}, 31);   /* short */
  send_position(&c, 6, (const double[3]){3, 3, 3}, 40);   /* long */
  send_position(&c, 6, (const double[3]){3, NAN, 3}, 32); /* nowhere */
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(1, 1, 1)));
  send_position(&c, UINT32_MAX, (const double[3]){4, 4, 4}, 32); /* older by six: numbers wrap around */
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(1, 1, 1)));
  client restarted = make_client(port);
  send_position(&restarted, 0, (const double[3]){5, 5, 5}, 32); /* another sender begins again */
  assert_true(device.read(device.user, 0, &tip) && vec3_equal(tip, vec3(5, 5, 5)));
  close(c.socket);
  close(restarted.socket);
  syn_haptics_device_release(&device);
}

/* ---- times ----------------------------------------------------------------------------------------------------------
 */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void quantiles_are_right_to_two_per_cent(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  static syn_times times;
  double *all = malloc(COUNT * sizeof *all);
  test_random random = {5};
  for (int i = 0; i < COUNT; ++i) syn_times_add(&times, all[i] = exp(random_between(&random, -1, 9)));
  qsort(all, COUNT, sizeof *all, ascending);
  const syn_haptics_times found = syn_times_report(&times);
  const double expected[4] = {all[COUNT / 2 - 1], all[COUNT * 99 / 100 - 1], all[COUNT * 999 / 1000 - 1],
                              all[COUNT - 1]};
  const double got[4] = {found.p50_us, found.p99_us, found.p999_us, found.max_us};
  for (int i = 0; i < 4; ++i) assert_true(got[i] >= expected[i] * (1 - 1e-9) && got[i] <= expected[i] * 1.0201);
  static syn_times none, one;
  assert_true(syn_times_report(&none).max_us == 0 && syn_times_report(&none).p999_us == 0);
  syn_times_add(&one, 3);
  assert_true(syn_times_report(&one).p50_us == 3 && syn_times_report(&one).max_us == 3);
  free(all);
}

/* ---- both threads ---------------------------------------------------------------------------------------------------
 */

typedef struct scene {
  syn_soft *soft;
  syn_simulation *simulation;
  syn_haptics *haptics;
} scene;

static scene make_scene(const syn_context *context) {
  syn_error error;
  scene s;
  s.soft = make_spring_block(NULL, (const uint32_t[3]){4, 4, 3}, 5, vec3(0, 0, 0), 2);
  syn_simulation_options how = syn_default_simulation_options();
  how.integrator = SYN_INTEGRATOR_STATIC;
  ASSERT_OK(syn_simulation_create(NULL, &how, &s.simulation, &error));
  uint32_t body;
  ASSERT_OK(syn_simulation_add_soft(s.simulation, s.soft, NULL, &body, &error));
  for (uint32_t i = 0; i < s.soft->node_count; ++i)
    if (s.soft->rest[i].z == 0) ASSERT_OK(syn_simulation_prescribe(s.simulation, body, i, 7, SYN_NONE, &error));
  syn_haptics_options options = syn_default_haptics_options();
  options.probe_radius_mm = 6;
  ASSERT_OK(syn_haptics_create(context, s.simulation, body, &options, &s.haptics, &error));
  return s;
}

static void drop(scene *s) {
  syn_haptics_destroy(s->haptics);
  syn_simulation_destroy(s->simulation);
  syn_soft_destroy(s->soft);
}

static syn_haptics_device make_push(void) {
  syn_error error;
  syn_haptics_push push = syn_default_haptics_push();
  push.from = vec3(10, 10, 15.5);
  push.depth_mm = 2;
  push.period_s = 0.1;
  syn_haptics_device device;
  ASSERT_OK(syn_haptics_push_device(NULL, &push, &device, &error));
  return device;
}

static void both_threads_run(void **state) {
  (void)state;
  syn_error error;
  scene s = make_scene(NULL);
  syn_haptics_device device = make_push();
  syn_haptics_report report;
  ASSERT_OK(syn_haptics_run(s.haptics, &device, 0.3, &report, &error));
  assert_int_equal(report.periods, report.sample_count);
  assert_true(report.periods >= 1 && report.periods + report.late >= 300 && report.periods <= 300);
  assert_true(report.frames >= 1 && report.computing.max_us > 0 && report.rate_hz > 0);
  double most = 0;
  for (size_t i = 0; i < report.sample_count; ++i) {
    const syn_haptics_sample *sample = &report.samples[i];
    assert_true(i == 0 || sample->time_s > report.samples[i - 1].time_s);
    assert_true(vec3_finite(sample->force));
    if (sample->tip.z > 15.2) assert_true(vec3_length(sample->force) < 1);
    most = fmax(most, vec3_length(sample->force));
  }
  assert_true(most == report.force_n);
  print_message("%llu periods, %llu late, %llu frames, up to %.3f N\n", (unsigned long long)report.periods,
                (unsigned long long)report.late, (unsigned long long)report.frames, report.force_n);
  ASSERT_FAILS(syn_haptics_run(s.haptics, &device, 0, &report, &error), SYN_BAD_ARGUMENT, "3600");
  syn_haptics_device_release(&device);
  drop(&s);
}

static bool read_twice(void *user, double time_s, syn_vec3 *tip) {
  int *left = user;
  (void)time_s;
  *tip = vec3(10, 10, 15);
  return (*left)-- > 0;
}

static void a_device_that_ends_ends_the_run(void **state) {
  (void)state;
  syn_error error;
  scene s = make_scene(NULL);
  int left = 6;
  const syn_haptics_device device = {.read = read_twice, .user = &left};
  syn_haptics_report report;
  ASSERT_OK(syn_haptics_run(s.haptics, &device, 100, &report, &error));
  assert_int_equal(report.periods, 5); /* one was read for the first frame */
  left = 0;
  ASSERT_FAILS(syn_haptics_run(s.haptics, &device, 100, &report, &error), SYN_BAD_ARGUMENT, "before it began");
  drop(&s);
}

static bool read_nowhere(void *user, double time_s, syn_vec3 *tip) {
  (void)user;
  *tip = vec3(10, 10, time_s > 0.02 ? (double)NAN : 15);
  return true;
}

/* A frame that fails stops both threads. */
static void a_failure_of_the_simulation_is_reported(void **state) {
  (void)state;
  syn_error error;
  scene s = make_scene(NULL);
  const syn_haptics_device device = {.read = read_nowhere};
  syn_haptics_report report;
  ASSERT_FAILS(syn_haptics_run(s.haptics, &device, 100, &report, &error), SYN_BAD_ARGUMENT, "finite");
  drop(&s);
}

static bool stop_at_once(void *user, const char *what, double fraction) {
  (void)user, (void)what, (void)fraction;
  return false;
}

static void progress_may_stop_it(void **state) {
  (void)state;
  syn_error error;
  syn_context context = syn_default_context();
  context.progress = stop_at_once;
  scene s = make_scene(&context);
  syn_haptics_device device = make_push();
  syn_haptics_report report;
  ASSERT_FAILS(syn_haptics_run(s.haptics, &device, 100, &report, &error), SYN_CANCELLED, "stopped");
  syn_haptics_device_release(&device);
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trajectory_is_straight_between_its_rows),
      cmocka_unit_test(bad_trajectories_are_explained),
      cmocka_unit_test(a_push_comes_back_in_every_period),
      cmocka_unit_test(packets_go_both_ways),
      cmocka_unit_test(packets_that_are_not_ours_are_dropped),
      cmocka_unit_test(quantiles_are_right_to_two_per_cent),
      cmocka_unit_test(both_threads_run),
      cmocka_unit_test(a_device_that_ends_ends_the_run),
      cmocka_unit_test(a_failure_of_the_simulation_is_reported),
      cmocka_unit_test(progress_may_stop_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
