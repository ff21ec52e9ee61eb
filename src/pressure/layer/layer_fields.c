/* Layers of soft tissue on bones: how they were made, and how good their meshes are. */
#include <synovia/pressure.h>

#include "result/value.h"

static const syn_result_field quality_fields[] = {
    MEMBER(syn_layer_quality, inverted, "inverted", "Inverted", "", FILE_ONLY),
    MEMBER(syn_layer_quality, least_jacobian, "least_jacobian", "Least scaled Jacobian", "", FILE_ONLY),
    MEMBER(syn_layer_quality, worst_aspect, "worst_aspect", "Worst aspect", "", FILE_ONLY),
    MEMBER(syn_layer_quality, area_mm2, "area_mm2", "Area", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[0], "cartilage_area_mm2", "Area of the cartilage", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[1], "zone_area_mm2", "Area of the transition zone", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[2], "labrum_area_mm2", "Area of the labrum", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, rigid_area_mm2, "rigid_area_mm2", "Area of bare bone", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, volume_mm3, "volume_mm3", "Volume", "mm³", FILE_ONLY),
    MEMBER(syn_layer_quality, least_thickness_mm, "least_thickness_mm", "Least thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer_quality, thickness_mm, "thickness_mm", "Mean thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer_quality, greatest_thickness_mm, "greatest_thickness_mm", "Greatest thickness", "mm", FILE_ONLY)};
static const syn_record quality_record = RECORD_OF(syn_layer_quality, "quality", quality_fields);

static const syn_result_field layer_fields[] = {
    MEMBER(syn_layer, moves, "moves", "Moves with the femur", "", FILE_ONLY),
    MEMBER(syn_layer, assumed, "assumed", "Assumed", "", FILE_ONLY),
    MEMBER(syn_layer, note, "note", "How it was made", "", FILE_ONLY),
    MEMBER(syn_layer, node_count, "nodes", "Nodes", "", FILE_ONLY),
    MEMBER(syn_layer, element_count, "elements", "Hexahedra", "", FILE_ONLY),
    MEMBER(syn_layer, face_count, "faces", "Faces", "", FILE_ONLY),
    MEMBER(syn_layer, filled, "filled", "Columns filled from neighbours", "", FILE_ONLY),
    MEMBER(syn_layer, thickened, "thickened", "Columns made as thick as the least thickness", "", FILE_ONLY),
    MEMBER(syn_layer, thickest_added_mm, "thickest_added_mm", "Most that was added", "mm", FILE_ONLY),
    MEMBER(syn_layer, parted, "parted", "Columns parted where cartilages overlap", "", FILE_ONLY),
    MEMBER(syn_layer, overlap_mm, "overlap_mm", "Deepest overlap", "mm", FILE_ONLY),
    MEMBER(syn_layer, smoothed_mm, "smoothed_mm", "Bone moved by smoothing", "mm", FILE_ONLY),
    PART(syn_layer, quality, quality_record, "quality", "Mesh", FILE_ONLY)};
const syn_record syn_layer_record = RECORD_OF(syn_layer, "layer", layer_fields);
