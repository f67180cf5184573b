/* A rough guess at who is what, from cards shown and who had played; between C files. */
#ifndef CF_SUSPICION_H
#define CF_SUSPICION_H
#include "kernel.h"

typedef struct {
    float role[10][6];       /* by player and role */
    float dragon[10];
    float holds_dragon[10], holds_sage[10], holds_person[10]; /* such a card still in hand; person: mystic, adventurer */
    int8_t shown[7];         /* cards shown so far, by kind */
} cf_suspicion;

/* As one seat sees it; with no seat, as everybody does. */
void cf_suspect(const cf_public *pub, const cf_private *priv, cf_suspicion *out);
#endif
