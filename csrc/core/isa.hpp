// Code compiled for more than one instruction set lives in an inline namespace named after it,
// so that the linker can never merge a BMI2 function into the portable build of the same header.
#pragma once

#ifndef HENRO_ISA
#define HENRO_ISA base
#endif

#define HENRO_BEGIN   \
    namespace henro { \
    inline namespace HENRO_ISA {
#define HENRO_END \
    }             \
    }

#if defined(HENRO_DEBUG)
#include <cassert>
#define HENRO_ASSERT(condition) assert(condition)
#else
#define HENRO_ASSERT(condition) ((void)0)
#endif
