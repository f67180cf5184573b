/* What one seat, or the public, may believe: exact over roles and over where every card lies. */
#ifndef CF_BELIEF_H
#define CF_BELIEF_H
#include "kernel.h"

enum { CF_MINDS = 6, CF_SIGNS = 30, CF_DEEDS = 5 };

typedef struct {                      /* how others are thought to act; no mind at all: evenly among the legal acts */
  int32_t minds;
  float prior[10][CF_MINDS];          /* by player */
  float heat[CF_MINDS];               /* each mind's chances are raised to this power and shared out anew */
  float slip;                         /* the share of acts that follow no mind: every legal act stays possible */
  float weight[CF_MINDS][6][CF_DEEDS][CF_SIGNS]; /* by role, by deed (skip, blank, mystic or adventurer, sage, dragon) */
} cf_model;

typedef struct {
  double role[10][6];
  double dragon[10];
  double holds[10][7];                /* how many cards of each kind a hand holds now, on average */
  double played[10][7];               /* which card of each player lies face down in the middle now */
  double mind[10][CF_MINDS];          /* whose mind each player seems to have */
  double lies[4];                     /* that in the middle lies: a dragon card, a person card, the sage, another person card */
  double evidence;                    /* log of the chance of all that was seen */
  double dropped;                     /* the share of mass left out where the states were too many */
  int32_t states, deals, most;        /* states in the end, different deals of roles in them, most states at any time */
} cf_beliefs;

enum { CF_CLAIMS = 64 };
enum { CF_SAYS_ROLES, CF_SAYS_NIGHT, CF_SAYS_PLAYED };

typedef struct {                      /* something that another player has said of the hidden part */
  int8_t speaker, round;              /* round: in which it was said */
  int8_t kind, who, denied;
  int8_t of_round;                    /* CF_SAYS_PLAYED: the speaker's own card in this round was `set` */
  int16_t set;                        /* CF_SAYS_ROLES: roles, one of which `who` has; CF_SAYS_NIGHT: who were of the night */
  float weight[6][2];                 /* log of how likely it is said, by the speaker's role, where it is false and true */
} cf_claim;

typedef struct {
  int32_t count;
  cf_claim claims[CF_CLAIMS];
} cf_hearsay;

typedef struct cf_filter cf_filter;
cf_filter *cf_filter_new(int32_t most_states);
void cf_filter_free(cf_filter *);
/* Reads the whole record anew; `mine` NULL is the public. `rounds`: how many rounds are looked at (−1: all). 0 where
   nothing fits the record. */
int32_t cf_believe(cf_filter *, const cf_public *, const cf_private *mine, const cf_model *, int32_t rounds,
                   cf_beliefs *out);
/* From now on the act at this place of a round is possible or not, and tells nothing beyond: how a belief would be without
   it. A round of −1: every act tells. */
void cf_mute(cf_filter *, int32_t round, int32_t place);
/* From now on these claims are weighed; NULL: none. Whatever their weights, a claim makes nothing more than four times as
   likely beside anything else, and all that a player says in a round moves nothing by more than a factor of e^1.5 up or
   down: a lie stays possible, and so does what is denied. Of a speaker's claims on cards played, the last in a round counts. */
void cf_hear(cf_filter *, const cf_hearsay *);
/* Draws a whole game (the hidden cards and what each seat knows of them) from the belief last made. */
void cf_imagine(cf_filter *, uint64_t rng[2], cf_game *out);
/* The belief's weight on the truth as it stands now: roles and hands; and on the deal of roles alone. */
double cf_weight_of(const cf_filter *, const cf_hidden *);
double cf_weight_of_deal(const cf_filter *, const int8_t *role);
/* What the opponent model looks at, before the act at this place of a round. */
void cf_signs(const cf_public *, int32_t round, int32_t place, float out[CF_SIGNS]);
#endif
