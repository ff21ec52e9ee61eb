/* Layers of soft tissue on bones: how they were made, and how good their meshes are. */
#include "result/value.h"

GET(inverted, syn_layer_quality, value_count(at->inverted))
GET(least_jacobian, syn_layer_quality, value_real(at->least_jacobian))
GET(worst_aspect, syn_layer_quality, value_real(at->worst_aspect))
GET(area, syn_layer_quality, value_real(at->area_mm2))
GET(cartilage_area, syn_layer_quality, value_real(at->region_area_mm2[0]))
GET(zone_area, syn_layer_quality, value_real(at->region_area_mm2[1]))
GET(labrum_area, syn_layer_quality, value_real(at->region_area_mm2[2]))
GET(rigid_area, syn_layer_quality, value_real(at->rigid_area_mm2))
GET(volume, syn_layer_quality, value_real(at->volume_mm3))
GET(least_thickness, syn_layer_quality, value_real(at->least_thickness_mm))
GET(mean_thickness, syn_layer_quality, value_real(at->thickness_mm))
GET(greatest_thickness, syn_layer_quality, value_real(at->greatest_thickness_mm))
static const syn_result_field quality_fields[] = {
    FIELD(INTEGER, "inverted", "Inverted", "", FILE_ONLY, inverted),
    FIELD(REAL, "least_jacobian", "Least scaled Jacobian", "", FILE_ONLY, least_jacobian),
    FIELD(REAL, "worst_aspect", "Worst aspect", "", FILE_ONLY, worst_aspect),
    FIELD(REAL, "area_mm2", "Area", "mm²", FILE_ONLY, area),
    FIELD(REAL, "cartilage_area_mm2", "Area of the cartilage", "mm²", FILE_ONLY, cartilage_area),
    FIELD(REAL, "zone_area_mm2", "Area of the transition zone", "mm²", FILE_ONLY, zone_area),
    FIELD(REAL, "labrum_area_mm2", "Area of the labrum", "mm²", FILE_ONLY, labrum_area),
    FIELD(REAL, "rigid_area_mm2", "Area of bare bone", "mm²", FILE_ONLY, rigid_area),
    FIELD(REAL, "volume_mm3", "Volume", "mm³", FILE_ONLY, volume),
    FIELD(REAL, "least_thickness_mm", "Least thickness", "mm", FILE_ONLY, least_thickness),
    FIELD(REAL, "thickness_mm", "Mean thickness", "mm", FILE_ONLY, mean_thickness),
    FIELD(REAL, "greatest_thickness_mm", "Greatest thickness", "mm", FILE_ONLY, greatest_thickness)};
static const syn_record quality_record = RECORD("quality", quality_fields);

GET(moves, syn_layer, value_boolean(at->moves))
GET(assumed, syn_layer, value_boolean(at->assumed))
GET(note, syn_layer, value_text(at->note))
GET(nodes, syn_layer, value_count(at->node_count))
GET(elements, syn_layer, value_count(at->element_count))
GET(faces, syn_layer, value_count(at->face_count))
GET(filled, syn_layer, value_count(at->filled))
GET(thickened, syn_layer, value_count(at->thickened))
GET(thickest_added, syn_layer, value_real(at->thickest_added_mm))
GET(parted, syn_layer, value_count(at->parted))
GET(overlap, syn_layer, value_real(at->overlap_mm))
GET(smoothed, syn_layer, value_real(at->smoothed_mm))
GET(quality, syn_layer, value_record(&at->quality, 0))
GET(regions, syn_layer, value_count(at->region_count))
static const syn_result_field layer_fields[] = {
    FIELD(INTEGER, "regions", "Regions", "", SYN_IN_WORDS, regions),
    FIELD(BOOLEAN, "moves", "Moves with the femur", "", FILE_ONLY, moves),
    FIELD(BOOLEAN, "assumed", "Assumed", "", FILE_ONLY, assumed),
    FIELD(TEXT, "note", "How it was made", "", FILE_ONLY, note),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY, nodes),
    FIELD(INTEGER, "elements", "Hexahedra", "", FILE_ONLY, elements),
    FIELD(INTEGER, "faces", "Faces", "", FILE_ONLY, faces),
    FIELD(INTEGER, "filled", "Columns filled from neighbours", "", FILE_ONLY, filled),
    FIELD(INTEGER, "thickened", "Columns made as thick as the least thickness", "", FILE_ONLY, thickened),
    FIELD(REAL, "thickest_added_mm", "Most that was added", "mm", FILE_ONLY, thickest_added),
    FIELD(INTEGER, "parted", "Columns parted where cartilages overlap", "", FILE_ONLY, parted),
    FIELD(REAL, "overlap_mm", "Deepest overlap", "mm", FILE_ONLY, overlap),
    FIELD(REAL, "smoothed_mm", "Bone moved by smoothing", "mm", FILE_ONLY, smoothed),
    FIELD_OF(RECORD, quality_record, "quality", "Mesh", FILE_ONLY, quality)};
static const char layer_words[] =
    "{?moves}Head{:}Socket{/}: {elements} hexahedra, {nodes} nodes, {faces} faces\n  {note}\n"
    "{#quality}  thickness {thickness_mm:.2} mm ({least_thickness_mm:.2} to {greatest_thickness_mm:.2}), area "
    "{area_mm2:.0} mm²{?regions>1}: cartilage {cartilage_area_mm2:.0}, transition zone {zone_area_mm2:.0}, labrum "
    "{labrum_area_mm2:.0}{/}\n"
    "  least scaled Jacobian {least_jacobian:.2}, aspect up to {worst_aspect:.1}, {inverted} inverted\n{/}"
    "{?smoothed_mm>0}  smoothing moved the bone by {smoothed_mm:.2} mm (rms)\n{/}"
    "{?filled}  {filled} columns filled from their neighbours\n{/}"
    "{?thickened}  {thickened} columns made thicker, by up to {thickest_added_mm:.2} mm\n{/}"
    "{?parted}  {parted} columns parted: cartilages overlap by up to {overlap_mm:.2} mm\n{/}";
const syn_record syn_layer_record = RECORD_IN_WORDS("layer", layer_fields, layer_words);
