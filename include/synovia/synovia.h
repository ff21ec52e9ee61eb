/* Synovia: all headers. Each module of the library has one header, which is its manual. */
#ifndef SYNOVIA_H
#define SYNOVIA_H

#include <synovia/base.h>
#include <synovia/clinic.h>
#include <synovia/collide.h>
#include <synovia/image.h>
#include <synovia/joint.h>
#include <synovia/mesh.h>
#include <synovia/motion.h>
#include <synovia/pressure.h>
#include <synovia/result.h>
#include <synovia/shape.h>
#include <synovia/solve.h>
#include <synovia/surgery.h>
#include <synovia/tissue.h>

/* A build without reports or without the viewer (SYN_REPORT, SYN_VIEW) installs none of these. */
#if __has_include(<synovia/report.h>)
#include <synovia/report.h>
#include <synovia/study.h>
#endif
#if __has_include(<synovia/view.h>)
#include <synovia/view.h>
#endif

#endif
