/* Synovia: the version, for programs that are compiled against several. The build takes it from here. */
#ifndef SYNOVIA_VERSION_H
#define SYNOVIA_VERSION_H

#define SYN_VERSION_MAJOR 0
#define SYN_VERSION_MINOR 1
#define SYN_VERSION_PATCH 0
/* 100 for 0.1.0, 10203 for 1.2.3: `#if SYN_VERSION_NUMBER >= 10000`. */
#define SYN_VERSION_NUMBER (SYN_VERSION_MAJOR * 10000 + SYN_VERSION_MINOR * 100 + SYN_VERSION_PATCH)

#endif
