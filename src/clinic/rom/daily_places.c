/* Poses of hips in daily life, as positions on the map of the envelope. */
#include "clinic/rom/hip_rom.h"

const syn_daily_place syn_daily_places[SYN_DAILY_PLACES] = {
    {"gait", "Gait", "OpenSim gait2354, both legs of one person", {-22, 22}, {-12, 6}},
    {"stairs",
     "Stairs",
     "the leading leg on a step of 20 cm, mean of 14 people (Physiotherapy 95, 2009)",
     {66, 66},
     {0, 0}},
    {"sitting", "Sitting", "thighs level, trunk upright", {90, 90}, {0, 0}},
    {"squat",
     "Squat",
     "the deepest point of the motion `squat` (OpenCap, Uhlrich et al. 2023)",
     {100, 100},
     {-15, -15}},
    {"fadir", "FADIR", "the start of the clinical motion `fadir`", {90, 90}, {20, 20}},
};
