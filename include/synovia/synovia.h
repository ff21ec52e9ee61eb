/* Synovia: all headers. Each module of the library has one header, which is its manual. */
#ifndef SYNOVIA_H
#define SYNOVIA_H

#include <synovia/base.h>
#include <synovia/clinic.h>
#include <synovia/collide.h>
#include <synovia/congruity.h>
#include <synovia/foundation.h>
#include <synovia/graft.h>
#include <synovia/haptics.h>
#include <synovia/hip.h>
#include <synovia/io.h>
#include <synovia/joint.h>
#include <synovia/joint_analysis.h>
#include <synovia/loads.h>
#include <synovia/mesh.h>
#include <synovia/molecules.h>
#include <synovia/motion.h>
#include <synovia/osteotomy.h>
#include <synovia/outbox.h>
#include <synovia/pressure.h>
#include <synovia/pressure_run.h>
#include <synovia/program.h>
#include <synovia/result.h>
#include <synovia/shape.h>
#include <synovia/simulation.h>
#include <synovia/skeleton_analysis.h>
#include <synovia/solve.h>
#include <synovia/surgery.h>
#include <synovia/tissue.h>
#include <synovia/tissue_scene.h>
#include <synovia/vdm.h>
#include <synovia/virtual_hip.h>
#include <synovia/world.h>

/* A build without reports or without the viewer (SYN_REPORT, SYN_VIEW) installs none of these. */
#if __has_include(<synovia/report.h>)
#include <synovia/report.h>
#include <synovia/study.h>
#endif
#if __has_include(<synovia/view.h>)
#include <synovia/view.h>
#endif

#endif
