/* What the RP2350's ROM wants to find in the first 4 KB of the flash, else it does not start a program [5.9.5]: a loop of one
 * block that says "an executable of this chip's Arm processors in secure state".
 */
#include <stdint.h>

#define BLOCK_BEGIN 0xFFFFDED3u
#define IMAGE_TYPE 0x42u
#define ONE_WORD (1u << 8)
#define EXECUTABLE_SECURE_ARM_RP2350 (0x1021u << 16)
#define LAST_ITEM 0xFFu
#define NEXT_BLOCK_IS_THIS 0u
#define BLOCK_END 0xAB123579u

__attribute__((used, section(".image_block"))) static const uint32_t image_block[] = {
    BLOCK_BEGIN, IMAGE_TYPE | ONE_WORD | EXECUTABLE_SECURE_ARM_RP2350, LAST_ITEM | ONE_WORD, NEXT_BLOCK_IS_THIS, BLOCK_END,
};
