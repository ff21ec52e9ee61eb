/* Two bodies: where they collide, how far they are apart, how far one turns; and the methods for it. */
#include "result/value.h"

/* ---- methods ------------------------------------------------------------------------------------------------------
 */

static syn_value method_name(const void *none, size_t i) { return (void)none, value_text(syn_method_at(i).name); }
static syn_value method_summary(const void *none, size_t i) { return (void)none, value_text(syn_method_at(i).summary); }
static syn_value needs_volume(const void *none, size_t i) {
  return (void)none, value_boolean(syn_method_at(i).needs_volume);
}
static syn_value tells_depth(const void *none, size_t i) {
  return (void)none, value_boolean(syn_method_at(i).tells_depth);
}
static syn_value tells_field(const void *none, size_t i) {
  return (void)none, value_boolean(syn_method_at(i).tells_field);
}
static syn_value method_published(const void *none, size_t i) {
  return (void)none, value_boolean(syn_method_at(i).published);
}
static const syn_result_field method_fields[] = {
    FIELD(TEXT, "name", "Method", "", FILE_ONLY, method_name),
    FIELD(TEXT, "summary", "Summary", "", FILE_ONLY, method_summary),
    FIELD(BOOLEAN, "needs_volume", "Needs tetrahedra", "", FILE_ONLY, needs_volume),
    FIELD(BOOLEAN, "tells_depth", "Gives depths", "", FILE_ONLY, tells_depth),
    FIELD(BOOLEAN, "tells_field", "Gives a depth at every vertex", "", FILE_ONLY, tells_field),
    FIELD(BOOLEAN, "published", "Kept for comparison with its publication", "", FILE_ONLY, method_published)};
const syn_record syn_method_record =
    RECORD_IN_WORDS("method", method_fields, "{name:-14} {summary}{?published} (as published){/}\n");

/* ---- a collision --------------------------------------------------------------------------------------------------
 */

GET(contact_of, syn_contact, value_text(syn_contact_of_name(at->of)))
GET(contact_fixed, syn_contact, value_count(at->fixed_element))
GET(contact_mobile, syn_contact, value_count(at->mobile_element))
GET(contact_depth, syn_contact, value_real(at->depth_mm))
GET(contact_point, syn_contact, value_point(at->point))
GET(contact_direction, syn_contact, value_point(at->direction))
static const syn_result_field contact_fields[] = {
    FIELD(TEXT, "of", "Of", "", FILE_ONLY, contact_of),
    FIELD(INTEGER, "fixed_element", "Fixed element", "", FILE_ONLY, contact_fixed),
    FIELD(INTEGER, "mobile_element", "Mobile element", "", FILE_ONLY, contact_mobile),
    FIELD(REAL, "depth_mm", "Depth", "mm", FILE_ONLY, contact_depth),
    FIELD(POINT, "point", "Point", "mm", FILE_ONLY, contact_point),
    FIELD(POINT, "direction", "Way out", "", FILE_ONLY, contact_direction)};
static const syn_record contact_record = RECORD("contact", contact_fields);

GET(table_side, syn_sliding_counts, value_count(at->side))
GET(table_empty, syn_sliding_counts, value_count(at->empty))
GET(table_overwritten, syn_sliding_counts, value_count(at->overwritten))
GET(table_tests, syn_sliding_counts, value_count(at->tests))
static const syn_result_field table_fields[] = {
    FIELD(INTEGER, "side", "Cells on a side", "", FILE_ONLY, table_side),
    FIELD(INTEGER, "empty", "Empty cells", "", FILE_ONLY, table_empty),
    FIELD(INTEGER, "overwritten", "Overwritten triangles", "", FILE_ONLY, table_overwritten),
    FIELD(INTEGER, "tests", "Distance tests", "", FILE_ONLY, table_tests)};
static const syn_record table_record = RECORD("table", table_fields);

static size_t listed(const syn_contacts *c) { return c->count < c->capacity ? c->count : c->capacity; }

GET(collision_method, syn_collision, value_text(at->method.name))
GET(is_self, syn_collision, value_boolean(at->self))
GET(penetrating, syn_collision, value_boolean(at->contacts.penetrating))
GET(max_depth, syn_collision, value_real(at->contacts.max_depth_mm))
GET(max_vertex, syn_collision,
    at->contacts.max_vertex != SYN_NONE ? value_count(at->contacts.max_vertex) : value_none())
GET(max_point, syn_collision, at->contacts.max_vertex != SYN_NONE ? value_point(at->contacts.max_point) : value_none())
GET(contact_count, syn_collision, value_count(at->contacts.count))
GET(sliding_table, syn_collision, at->sliding.side ? value_record(&at->sliding, 0) : value_none())
GET(contacts, syn_collision, value_list(at->contacts.contacts, listed(&at->contacts)))
static const syn_result_field collision_fields[] = {
    FIELD(TEXT, "method", "Method", "", FILE_ONLY, collision_method),
    FIELD(BOOLEAN, "self", "With itself", "", FILE_ONLY, is_self),
    FIELD(BOOLEAN, "penetrating", "Penetrating", "", FILE_ONLY, penetrating),
    FIELD(REAL, "max_depth_mm", "Deepest", "mm", FILE_ONLY, max_depth),
    FIELD(INTEGER, "max_vertex", "Mobile element", "", FILE_ONLY, max_vertex),
    FIELD(POINT, "max_point", "At", "mm", FILE_ONLY, max_point),
    FIELD(INTEGER, "contact_count", "Contacts", "", FILE_ONLY, contact_count),
    FIELD_OF(RECORD, table_record, "table", "Table", FILE_ONLY | SYN_OPTIONAL, sliding_table),
    FIELD_OF(LIST, contact_record, "contacts", "Contacts", FILE_ONLY, contacts)};
static const char collision_words[] =
    "{method}: {?penetrating}penetrating{:}apart{/}, {contact_count:,} contacts\n"
    "{?max_depth_mm}  {?max_depth_mm>0}deepest{:}nearest{/}          {max_depth_mm:.6a} mm\n{/}"
    "{?max_point}  mobile element   {max_vertex} at {max_point:.4} mm\n{/}"
    "{#table}  table            {side} × {side} cells, {empty:,} of them empty; {overwritten:,} triangles overwritten; "
    "{tests:,} distance tests\n{/}";
const syn_record syn_collision_record = RECORD_IN_WORDS("collision", collision_fields, collision_words);

/* ---- a clearance --------------------------------------------------------------------------------------------------
 */

GET(distance, syn_clearance, value_real(at->distance_mm))
GET(point_a, syn_clearance, value_point(at->point_fixed))
GET(point_b, syn_clearance, value_point(at->point_mobile))
GET(triangle_a, syn_clearance, value_count(at->fixed_triangle))
GET(triangle_b, syn_clearance, value_count(at->mobile_triangle))
GET(crossing, syn_clearance, value_boolean(at->crossing))
static const syn_result_field clearance_fields[] = {
    FIELD(REAL, "distance_mm", "Distance", "mm", FILE_ONLY, distance),
    FIELD(POINT, "point_a", "Point of A", "mm", FILE_ONLY, point_a),
    FIELD(POINT, "point_b", "Point of B", "mm", FILE_ONLY, point_b),
    FIELD(INTEGER, "triangle_a", "Triangle of A", "", FILE_ONLY, triangle_a),
    FIELD(INTEGER, "triangle_b", "Triangle of B", "", FILE_ONLY, triangle_b),
    FIELD(BOOLEAN, "crossing", "The surfaces meet", "", FILE_ONLY, crossing)};
static const char clearance_words[] =
    "{distance_mm:.6a} mm {?distance_mm>0}apart{:}{?distance_mm<0}deep in each other{:}"
    "apart: the surfaces meet{/}{/}\n"
    "  A  {point_a:.4} (triangle {triangle_a})\n  B  {point_b:.4} (triangle {triangle_b})\n";
const syn_record syn_clearance_record = RECORD_IN_WORDS("clearance", clearance_fields, clearance_words);

/* ---- a turn -------------------------------------------------------------------------------------------------------
 */

/* No turn at all where the bodies overlap, and no limit where nothing is in the way. */
static syn_value turn_deg(const syn_turn_range *range, const syn_event *event) {
  if (range->overlap.found) return value_real(0);
  return event->kind == SYN_EVENT_NONE ? value_none() : value_degrees(event->angle);
}
static syn_value turn_contact(const syn_event *event) {
  return event->kind == SYN_EVENT_NONE ? value_none() : value_record(event, 0);
}
GET(turn_overlap, syn_turn_range, at->overlap.found ? value_record(&at->overlap, 0) : value_none())
GET(positive_deg, syn_turn_range, turn_deg(at, &at->positive))
GET(positive_contact, syn_turn_range, turn_contact(&at->positive))
GET(negative_deg, syn_turn_range, turn_deg(at, &at->negative))
GET(negative_contact, syn_turn_range, turn_contact(&at->negative))
static const syn_result_field turn_fields[] = {
    FIELD_OF(RECORD, syn_penetration_record, "overlap", "Overlap", FILE_ONLY, turn_overlap),
    FIELD(REAL, "positive_deg", "Right-handed", "deg", FILE_ONLY, positive_deg),
    FIELD_OF(RECORD, syn_event_record, "positive_contact", "Contact", FILE_ONLY, positive_contact),
    FIELD(REAL, "negative_deg", "Left-handed", "deg", FILE_ONLY, negative_deg),
    FIELD_OF(RECORD, syn_event_record, "negative_contact", "Contact", FILE_ONLY, negative_contact)};
#define TURN_WORDS(SIGN, WAY)                                                                                          \
  "{?" WAY "_contact}" SIGN " {" WAY "_deg:8.4}°  {#" WAY "_contact}{kind} at {point:.4} mm (fixed {fixed_element}, "  \
  "mobile {mobile_element}){/}{:}" SIGN "  free all the way round{/}\n"

static const char turn_words[] =
    "{#overlap}The bodies overlap before they turn, at {point:.4} mm{?depth_mm}, {depth_mm:.4} mm deep{/}.\n"
    "{:}" TURN_WORDS("+", "positive") TURN_WORDS("-", "negative") "{/}";
const syn_record syn_turn_range_record = RECORD_IN_WORDS("turn", turn_fields, turn_words);
