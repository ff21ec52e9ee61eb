/* Result fields of two bodies: contacts, distances and ranges of rotation; and of the list of methods. */
#include <synovia/collide.h>

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
const syn_record syn_method_record = RECORD("method", method_fields);

/* ---- a collision --------------------------------------------------------------------------------------------------
 */

static const syn_result_field contact_fields[] = {
    NAMED(syn_contact, of, syn_contact_of_name, "of", "Of", FILE_ONLY),
    MEMBER(syn_contact, fixed_element, "fixed_element", "Fixed element", "", FILE_ONLY),
    MEMBER(syn_contact, mobile_element, "mobile_element", "Mobile element", "", FILE_ONLY),
    MEMBER(syn_contact, depth_mm, "depth_mm", "Depth", "mm", FILE_ONLY),
    MEMBER(syn_contact, point, "point", "Point", "mm", FILE_ONLY),
    MEMBER(syn_contact, direction, "direction", "Way out", "", FILE_ONLY)};
static const syn_record contact_record = RECORD_OF(syn_contact, "contact", contact_fields);

static const syn_result_field table_fields[] = {
    MEMBER(syn_sliding_counts, side, "side", "Cells on a side", "", FILE_ONLY),
    MEMBER(syn_sliding_counts, empty, "empty", "Empty cells", "", FILE_ONLY),
    MEMBER(syn_sliding_counts, overwritten, "overwritten", "Overwritten triangles", "", FILE_ONLY),
    MEMBER(syn_sliding_counts, tests, "tests", "Distance tests", "", FILE_ONLY)};
static const syn_record table_record = RECORD_OF(syn_sliding_counts, "table", table_fields);

static size_t listed(const syn_contacts *c) { return c->count < c->capacity ? c->count : c->capacity; }

GET(max_vertex, syn_collision,
    at->contacts.max_vertex != SYN_NONE ? value_count(at->contacts.max_vertex) : value_none())
GET(max_point, syn_collision, at->contacts.max_vertex != SYN_NONE ? value_point(at->contacts.max_point) : value_none())
GET(contacts, syn_collision, value_list(at->contacts.contacts, listed(&at->contacts)))
static const syn_result_field collision_fields[] = {
    MEMBER(syn_collision, method.name, "method", "Method", "", FILE_ONLY),
    MEMBER(syn_collision, self, "self", "With itself", "", FILE_ONLY),
    MEMBER(syn_collision, contacts.penetrating, "penetrating", "Penetrating", "", FILE_ONLY),
    MEMBER(syn_collision, contacts.max_depth_mm, "max_depth_mm", "Deepest", "mm", FILE_ONLY),
    FIELD(INTEGER, "max_vertex", "Mobile element", "", FILE_ONLY, max_vertex),
    FIELD(POINT, "max_point", "At", "mm", FILE_ONLY, max_point),
    MEMBER(syn_collision, contacts.count, "contact_count", "Contacts", "", FILE_ONLY),
    PART(syn_collision, sliding, table_record, "table", "Table", FILE_ONLY | SYN_OPTIONAL,
         KNOWN_IF(syn_collision, sliding.side)),
    FIELD_OF(LIST, contact_record, "contacts", "Contacts", FILE_ONLY, contacts)};
const syn_record syn_collision_record = RECORD_OF(syn_collision, "collision", collision_fields);

/* ---- a clearance --------------------------------------------------------------------------------------------------
 */

static const syn_result_field clearance_fields[] = {
    MEMBER(syn_clearance, distance_mm, "distance_mm", "Distance", "mm", FILE_ONLY),
    MEMBER(syn_clearance, point_fixed, "point_a", "Point of A", "mm", FILE_ONLY),
    MEMBER(syn_clearance, point_mobile, "point_b", "Point of B", "mm", FILE_ONLY),
    MEMBER(syn_clearance, fixed_triangle, "triangle_a", "Triangle of A", "", FILE_ONLY),
    MEMBER(syn_clearance, mobile_triangle, "triangle_b", "Triangle of B", "", FILE_ONLY),
    MEMBER(syn_clearance, crossing, "crossing", "The surfaces meet", "", FILE_ONLY)};
const syn_record syn_clearance_record = RECORD_OF(syn_clearance, "clearance", clearance_fields);

/* ---- where a rotation ends, and an overlap -------------------------------------------------------------------------
 */

static const syn_result_field event_fields[] = {
    MEMBER(syn_event, point, "point", "Contact", "mm", FILE_ONLY),
    NAMED(syn_event, kind, syn_event_kind_name, "kind", "Kind", FILE_ONLY),
    MEMBER(syn_event, fixed_element, "fixed_element", "Fixed element", "", FILE_ONLY),
    MEMBER(syn_event, mobile_element, "mobile_element", "Mobile element", "", FILE_ONLY)};
const syn_record syn_event_record = RECORD_OF(syn_event, "contact", event_fields);

static const syn_result_field penetration_fields[] = {
    MEMBER(syn_penetration, depth_mm, "depth_mm", "Overlap as they lie", "mm", SHOWN),
    MEMBER(syn_penetration, point, "point", "Overlap as they lie", "mm", COLUMN)};
const syn_record syn_penetration_record = RECORD_OF(syn_penetration, "overlap", penetration_fields);

/* ---- a turn -------------------------------------------------------------------------------------------------------
 */

/* Returns the angle: 0 where the bodies overlap, unknown where nothing limits the rotation. */
static syn_value turn_deg(const syn_turn_range *range, const syn_event *event) {
  if (range->overlap.found) return value_real(0);
  return event->kind == SYN_EVENT_NONE ? value_none() : value_degrees(event->angle);
}
static syn_value turn_contact(const syn_event *event) {
  return event->kind == SYN_EVENT_NONE ? value_none() : value_record(event, 0);
}
GET(positive_deg, syn_turn_range, turn_deg(at, &at->positive))
GET(positive_contact, syn_turn_range, turn_contact(&at->positive))
GET(negative_deg, syn_turn_range, turn_deg(at, &at->negative))
GET(negative_contact, syn_turn_range, turn_contact(&at->negative))
static const syn_result_field turn_fields[] = {
    PART(syn_turn_range, overlap, syn_penetration_record, "overlap", "Overlap", FILE_ONLY,
         KNOWN_IF(syn_turn_range, overlap.found)),
    FIELD(REAL, "positive_deg", "Right-handed", "deg", FILE_ONLY, positive_deg),
    FIELD_OF(RECORD, syn_event_record, "positive_contact", "Contact", FILE_ONLY, positive_contact),
    FIELD(REAL, "negative_deg", "Left-handed", "deg", FILE_ONLY, negative_deg),
    FIELD_OF(RECORD, syn_event_record, "negative_contact", "Contact", FILE_ONLY, negative_contact)};

const syn_record syn_turn_range_record = RECORD_OF(syn_turn_range, "turn", turn_fields);
