/* The options that every command takes; the benchmark program takes them as well. */
#include "command.h"

const cli_option cli_common_options[] = {
    {.name = "json", .kind = CLI_FLAG, .help = "print one JSON object instead of text"},
    {.name = "threads",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 1,
     .max = 1024,
     .standard = "all",
     .help = "threads to use; results are the same for any number"},
    {.name = "units",
     .kind = CLI_CHOICE,
     .value = "mm|m",
     .choices = "mm|m",
     .standard = "mm",
     .help = "the unit of lengths in mesh files that are read"},
    {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "print nothing but errors (and the JSON object)"},
    {.name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "print this and stop"},
};
const size_t cli_common_option_count = sizeof cli_common_options / sizeof *cli_common_options;
