#include "asm.h"

.text

// Sum of absolute differences of 16 x 16 samples.
FUNCTION(nk_sad16)
    movi    v16.8h, #0
    movi    v17.8h, #0
    mov     w8, #16
1:  ld1     {v0.16b}, [x0], x1
    ld1     {v1.16b}, [x2], x3
    subs    w8, w8, #1
    uabal   v16.8h, v0.8b, v1.8b
    uabal2  v17.8h, v0.16b, v1.16b
    b.ne    1b
    // A lane holds at most 16 * 255, two of them 8160.
    add     v16.8h, v16.8h, v17.8h
    uaddlv  s0, v16.8h
    fmov    w0, s0
    ret
END(nk_sad16)

// One butterfly: \a and \b become their sum and their difference.
.macro butterfly a, b
    add     v6.8h, \a\().8h, \b\().8h
    sub     \b\().8h, \a\().8h, \b\().8h
    mov     \a\().16b, v6.16b
.endm

// The Hadamard transform of eight values in each lane of v16 to v23. In which order they come out does not matter to a sum.
.macro hadamard8
    butterfly v16, v20
    butterfly v17, v21
    butterfly v18, v22
    butterfly v19, v23
    butterfly v16, v18
    butterfly v17, v19
    butterfly v20, v22
    butterfly v21, v23
    butterfly v16, v17
    butterfly v18, v19
    butterfly v20, v21
    butterfly v22, v23
.endm

// Transposes \a and \b, \c and \d … by lanes of the width \w.
.macro exchange a, b, w
    trn1    v6.\w, \a\().\w, \b\().\w
    trn2    \b\().\w, \a\().\w, \b\().\w
    mov     \a\().16b, v6.16b
.endm

.macro difference to
    ld1     {v0.8b}, [x0], x1
    ld1     {v1.8b}, [x2], x3
    usubl   \to\().8h, v0.8b, v1.8b
.endm

.macro magnitude of
    abs     \of\().8h, \of\().8h
    uadalp  v7.4s, \of\().8h
.endm

// Sum of the absolute values of the 8 x 8 Hadamard transform of the differences, + 2, >> 2.
FUNCTION(nk_satd8)
    difference v16
    difference v17
    difference v18
    difference v19
    difference v20
    difference v21
    difference v22
    difference v23
    hadamard8
    exchange v16, v17, 8h
    exchange v18, v19, 8h
    exchange v20, v21, 8h
    exchange v22, v23, 8h
    exchange v16, v18, 4s
    exchange v17, v19, 4s
    exchange v20, v22, 4s
    exchange v21, v23, 4s
    exchange v16, v20, 2d
    exchange v17, v21, 2d
    exchange v18, v22, 2d
    exchange v19, v23, 2d
    hadamard8
    movi    v7.4s, #0
    magnitude v16
    magnitude v17
    magnitude v18
    magnitude v19
    magnitude v20
    magnitude v21
    magnitude v22
    magnitude v23
    addv    s0, v7.4s
    fmov    w0, s0
    add     w0, w0, #2
    lsr     w0, w0, #2
    ret
END(nk_satd8)

// Adds tap \k times the window that begins \k samples to the right.
.macro tap k
    ext     v2.16b, v0.16b, v1.16b, #\k
    uxtl    v4.8h, v2.8b
    uxtl2   v5.8h, v2.16b
    mla     v16.8h, v4.8h, v3.h[\k]
    mla     v17.8h, v5.8h, v3.h[\k]
.endm

// Eight taps along rows of 16 samples, in[-3] to in[19].
FUNCTION(nk_filter8)
    ld1     {v3.8b}, [x4]
    sxtl    v3.8h, v3.8b
    sub     x2, x2, #3
1:  add     x8, x2, #15
    ld1     {v0.16b}, [x2], x3
    // The last eight samples; the first of them is already there.
    ld1     {v1.8b}, [x8]
    ext     v1.8b, v1.8b, v1.8b, #1
    movi    v16.8h, #0
    movi    v17.8h, #0
    tap     0
    tap     1
    tap     2
    tap     3
    tap     4
    tap     5
    tap     6
    tap     7
    sqrshrun  v16.8b, v16.8h, #6
    sqrshrun2 v16.16b, v17.8h, #6
    subs    x5, x5, #1
    st1     {v16.16b}, [x0], x1
    b.ne    1b
    ret
END(nk_filter8)

// The four-point transform of v0 to v3, lane by lane, into v4 to v7.
.macro inverse4
    add     v16.4h, v0.4h, v2.4h
    sub     v17.4h, v0.4h, v2.4h
    sshr    v18.4h, v1.4h, #1
    sshr    v19.4h, v3.4h, #1
    sub     v18.4h, v18.4h, v3.4h
    add     v19.4h, v1.4h, v19.4h
    add     v4.4h, v16.4h, v19.4h
    add     v5.4h, v17.4h, v18.4h
    sub     v6.4h, v17.4h, v18.4h
    sub     v7.4h, v16.4h, v19.4h
.endm

.macro add_row of
    ld1     {v16.s}[0], [x0]
    srshr   \of\().4h, \of\().4h, #6
    uaddw   v17.8h, \of\().8h, v16.8b
    sqxtun  v17.8b, v17.8h
    st1     {v17.s}[0], [x0], x1
.endm

// The inverse transform of 4 x 4 coefficients, added to what is there.
FUNCTION(nk_add4)
    // By columns: the first pass works along rows.
    ld4     {v0.4h, v1.4h, v2.4h, v3.4h}, [x2]
    inverse4
    trn1    v16.4h, v4.4h, v5.4h
    trn2    v17.4h, v4.4h, v5.4h
    trn1    v18.4h, v6.4h, v7.4h
    trn2    v19.4h, v6.4h, v7.4h
    trn1    v0.2s, v16.2s, v18.2s
    trn2    v2.2s, v16.2s, v18.2s
    trn1    v1.2s, v17.2s, v19.2s
    trn2    v3.2s, v17.2s, v19.2s
    inverse4
    add_row v4
    add_row v5
    add_row v6
    add_row v7
    ret
END(nk_add4)

// Rounded mean of two blocks of 16 samples a row.
FUNCTION(nk_average16)
1:  ld1     {v0.16b}, [x2], x3
    ld1     {v1.16b}, [x4], x5
    subs    x6, x6, #1
    uhadd   v0.16b, v0.16b, v1.16b
    st1     {v0.16b}, [x0], x1
    b.ne    1b
    ret
END(nk_average16)
