/* One decision thought through: what a seat believes possible is played on after each legal act, and compared. */
#ifndef CF_SEARCH_H
#define CF_SEARCH_H
#include <stdint.h>

#include "belief.h"
#include "net.h"

typedef struct {         /* how much thought is given */
    int32_t games;       /* how many imagined games each legal act is tried on, at most */
    int32_t steps;       /* how many acts may be played out in all: the same work on every machine, unlike a time limit */
    int32_t rounds;      /* how many ends of rounds a play-out goes on for before the judge is asked; 0: to the end */
    float pull;          /* how much a better outcome counts against what one likes by habit */
    float heat;          /* how warm one's own habit is */
    float others_heat;   /* how warm everybody plays in the play-outs */
    float strangers;     /* how likely a side does not play by the net there, before its acts have told of it */
} cf_care;

typedef struct {
    int32_t action, games, steps, states;
    int8_t settled;      /* stopped early: one act was clearly best */
    float habit[18], value[18], error[18], chance[18]; /* by action; value: how likely one's own side wins */
} cf_thought;

/* Thinks and chooses. Nothing goes in but what this seat may know; the same seed gives the same answer, bit by bit. `net`
   NULL plays out by plain judgement and has no habit; `judge` NULL plays to the end. */
void cf_ponder(cf_filter *filter, const cf_model *model, const cf_net *net, const cf_net *judge, const cf_public *pub,
               const cf_private *mine, const cf_care *care, uint64_t seed, cf_thought *out);

#endif
