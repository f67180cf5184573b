/* The kernel's own chance: xoroshiro128+ (Blackman, Vigna 2018), seeded by splitmix64. Not the chance of real games (R3.4). */
#ifndef CF_CHANCE_H
#define CF_CHANCE_H
#include <stdint.h>

static inline uint64_t cf_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void cf_seed(uint64_t rng[2], uint64_t seed)
{
    rng[0] = cf_mix(&seed);
    rng[1] = cf_mix(&seed);
}

static inline uint64_t cf_random(uint64_t rng[2])
{
    const uint64_t a = rng[0], sum = a + rng[1], b = rng[1] ^ a;
    rng[0] = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    rng[1] = (b << 37) | (b >> 27);
    return sum;
}

/* One of 0 ... n - 1. The bias is below n in four thousand million. */
static inline int cf_below(uint64_t rng[2], int n)
{
    return (int)(((cf_random(rng) >> 32) * (uint64_t)n) >> 32);
}

/* A number of 0 <= x < 1. */
static inline float cf_uniform(uint64_t rng[2])
{
    return (float)(cf_random(rng) >> 40) * 0x1p-24f;
}

#endif
