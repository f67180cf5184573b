/* Nets: a policy for every seat and table size, and a judge who sees all. Weights come from a file (docs/model-card.md). */
#ifndef CF_NET_H
#define CF_NET_H
#include <stdint.h>

#include "kernel.h"

enum { CF_SLOTS = 10, CF_PLAYER_FEATURES = 64, CF_GLOBAL_FEATURES = 112, CF_TRUTH_FEATURES = 48, CF_TRUTH_GLOBALS = 48 };

typedef struct cf_net cf_net;

/* A net's numbers are matrices in one row (net.c), so many for these widths: of a player's layer and of the two hidden
   ones, each a multiple of 16, at most 128. -1 and null where a width is not. */
int64_t cf_net_size(int truth, int w0, int w1, int w2);
cf_net *cf_net_new(int truth, int w0, int w1, int w2, const float *row);
void cf_net_free(cf_net *net);

/* Completes a public record that was put together from a view: whose hand was drawn from, what marks had allowed. */
void cf_complete(cf_public *pub);

/* What a net is shown: of the game, and by player from the one after me on, oneself last. From these two alone (R11). */
void cf_features(const cf_public *pub, const cf_private *priv, float *global, float *players);
/* Everything, by turn; `skill` by player is 0 for who plays by a net, else a script, or null: all by nets. */
void cf_truth_features(const cf_game *game, const int8_t *skill, float *global, float *players);

/* Probabilities of the 18 actions (0 where the mask is) at a temperature; gives the chance that one's own faction wins. */
float cf_policy(const cf_net *net, const cf_public *pub, const cf_private *priv, uint32_t mask, float temperature, float *prob);
/* The chance that the humans win this very game: for particles in a search. Not for a player's eyes. */
float cf_judge(const cf_net *net, const cf_game *game, const int8_t *skill);

/* The same from features that stand there already; by a player's net `logits` get 18 numbers. */
float cf_forward(const cf_net *net, int n, const float *global, const float *players, float *logits);

/* --- whole games, for training and measuring ----------------------------------------------------------------------- */

/* Who plays: 0 a net, 1 by dice, 2 skips unless forced, 3 plain's judgement, 4 plays its person or dragon card at once,
   5 likes to play blanks. `noise` is how often it does anything legal instead. */
typedef struct {
    int8_t kind;
    int8_t learns;       /* its decisions are kept */
    float temperature, noise;
    const cf_net *net;
} cf_mind;

typedef struct {         /* room for what is kept; counts are filled in */
    int64_t room, count;             /* decisions of learners */
    float *global, *players;         /* [room][...] */
    uint32_t *mask;
    int8_t *action, *seats, *faction;
    float *prob;                     /* of the action chosen */
    int32_t *at;                     /* which of the truths it was made in */
    int64_t truth_room, truths;      /* every contested decision of anybody */
    float *truth_global, *truth_players, *value;
    int8_t *truth_seats;
    int32_t *first;                  /* [games + 1]: a game's first truth */
} cf_keep;

/* Plays games: rules by game; a mind by game and turn, for a human and for a dragon there. Gives how many were played:
   fewer where the room is used up. `winner`, `reason` and `rounds` are by game; keep may be null. `judge` fills value. */
int64_t cf_play_games(int64_t games, const cf_rules *rules, const uint64_t *seed, const cf_mind *minds, const int8_t *human,
                      const int8_t *dragon, const cf_net *judge, int8_t *winner, int8_t *reason, int8_t *rounds, cf_keep *keep);

/* What a scripted mind does; an action of the mask. */
int cf_script(int kind, const cf_public *pub, const cf_private *priv, uint32_t mask, uint64_t rng[2]);

#endif
