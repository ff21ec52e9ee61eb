/* What the program (cli/) uses of the library beyond the public headers: failing and warning, texts, atomic output,
 * JSON, names and words of a hip, scenes of the force loop. It is not installed. The functions are declared
 * SYN_PROGRAM_API in the header of their module; the rest of these headers is not exported by a shared library, with
 * which the test build/shared_program links the program. */
#ifndef SYN_PROGRAM_H
#define SYN_PROGRAM_H

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/status.h"
#include "base/text.h"
#include "clinic/hip.h"
#include "clinic/joint_open.h"
#include "clinic/surgery_rows.h"
#include "joint/joint_store.h"
#include "motion/recording.h"
#include "motion/rom/limit_text.h"
#include "result/record_json.h"
#include "shape/shape_maker.h"
#include "tissue/haptics/haptics_scene.h"

#endif
