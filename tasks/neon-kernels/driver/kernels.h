#ifndef KERNELS_H
#define KERNELS_H
#include <stddef.h>
#include <stdint.h>

uint32_t nk_sad16(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride);
uint32_t nk_satd8(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride);
void nk_filter8(uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride, const int8_t taps[8], size_t height);
void nk_add4(uint8_t *out, ptrdiff_t out_stride, const int16_t coefficients[16]);
void nk_average16(uint8_t *out, ptrdiff_t out_stride, const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride, size_t height);

#endif
