#include "asm.h"

.text

// uint32_t checked_call(void *function, const uint64_t arguments[7], uint8_t *broken)
// Calls with every register that a function must keep holding a pattern, and notes in *broken which it did not keep: 1 of
// x19 to x29, 2 of d8 to d15.
FUNCTION(checked_call)
    stp     x29, x30, [sp, #-192]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    stp     x23, x24, [sp, #48]
    stp     x25, x26, [sp, #64]
    stp     x27, x28, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    str     x2, [sp, #160]
    mov     x9, x0
    mov     x10, x1
    movz    x8, #0x5eed
    movk    x8, #0xc0de, lsl #32
    add     x19, x8, #1
    add     x20, x8, #2
    add     x21, x8, #3
    add     x22, x8, #4
    add     x23, x8, #5
    add     x24, x8, #6
    add     x25, x8, #7
    add     x26, x8, #8
    add     x27, x8, #9
    add     x28, x8, #10
    fmov    d8, x19
    fmov    d9, x20
    fmov    d10, x21
    fmov    d11, x22
    fmov    d12, x23
    fmov    d13, x24
    fmov    d14, x25
    fmov    d15, x26
    ldp     x0, x1, [x10]
    ldp     x2, x3, [x10, #16]
    ldp     x4, x5, [x10, #32]
    ldr     x6, [x10, #48]
    blr     x9
    movz    x8, #0x5eed
    movk    x8, #0xc0de, lsl #32
    mov     x9, #0
    mov     x10, #0
    .macro kept register, pattern, into
    add     x11, x8, #\pattern
    eor     x11, x11, \register
    orr     \into, \into, x11
    .endm
    kept    x19, 1, x9
    kept    x20, 2, x9
    kept    x21, 3, x9
    kept    x22, 4, x9
    kept    x23, 5, x9
    kept    x24, 6, x9
    kept    x25, 7, x9
    kept    x26, 8, x9
    kept    x27, 9, x9
    kept    x28, 10, x9
    // The frame pointer is what it was when it was put on the stack.
    ldr     x11, [sp]
    eor     x11, x11, x29
    orr     x9, x9, x11
    .macro kept_low register, pattern
    fmov    x12, \register
    kept    x12, \pattern, x10
    .endm
    kept_low d8, 1
    kept_low d9, 2
    kept_low d10, 3
    kept_low d11, 4
    kept_low d12, 5
    kept_low d13, 6
    kept_low d14, 7
    kept_low d15, 8
    cmp     x9, #0
    cset    w9, ne
    cmp     x10, #0
    cset    w10, ne
    orr     w9, w9, w10, lsl #1
    ldr     x2, [sp, #160]
    strb    w9, [x2]
    ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x23, x24, [sp, #48]
    ldp     x25, x26, [sp, #64]
    ldp     x27, x28, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    ldp     x29, x30, [sp], #192
    ret
END(checked_call)
