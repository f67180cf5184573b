/* The contract of the compiled kernel: the rules once more, for a million games (docs/decisions/compiled-kernel.md).

   Players are 0-based by turn order, rounds are 0-based, -1 is "none" or "not yet" everywhere. A card and the role of
   the same name have one number. A scroll's number is its place in the catalogue: R6.1 is 0, R6.10 is 9.
   Nothing here is told to a player as it is; what a seat may know is cf_public and its own cf_private, no more. */
#ifndef CF_KERNEL_H
#define CF_KERNEL_H
#include <stdint.h>

enum { CF_SAGE, CF_MYSTIC, CF_ADVENTURER, CF_RED, CF_TWO_HEADED, CF_SHADOW, CF_BLANK };
enum { CF_VOTE, CF_PASS, CF_TARGET1, CF_TARGET2, CF_ROW, CF_PLAY, CF_OVER };                        /* phases */
enum { CF_NOT_YET, CF_PLAYED, CF_SKIPPED, CF_EMPTY };                                               /* acts */
enum { CF_FREE, CF_MUST_PLAY, CF_MUST_SKIP, CF_ONLY_DRAWN, CF_MUST_PLAY_DRAWN };                    /* how */
enum { CF_HUMAN, CF_DRAGON };                                                                       /* winners */
enum { CF_SAGE_SLAIN, CF_SAGE_AND_OTHERS_ACTIVATED, CF_SLAIN, CF_SCROLLS_SPENT, CF_DOUBLE_ACTIVATED }; /* reasons */

/* Actions: 0-6 play a card of that kind, 7 skip, 8-17 choose the player (me + 1 + i) mod n, so that n - 1 is oneself.
   A vote for nobody (time alone casts it) is understood but never in the mask of what is legal. */
enum { CF_SKIP = 7, CF_CHOOSE = 8, CF_ACTIONS = 18, CF_NOBODY = 18 };

typedef struct {
    int8_t n, act_target, kill_target, sage_slain_ends, act_last_game, vote_first;
} cf_rules;

typedef struct {         /* public record of one round, also of the one that is going on */
    int8_t giver, holder, scroll;
    int8_t effect;       /* -1 while it waits for a choice, 0 where no legal choice existed (R5.4) */
    int8_t t1, t2;       /* the players chosen; of the draws (R6.3, R6.4) t1 is whose hand it is */
    int8_t order[10];    /* who, by place in the round */
    int8_t act[10];      /* what they did, by place */
    int8_t how[10];      /* what the marks allowed them when they acted, by place */
    int8_t acted;        /* how many places are done */
    int8_t count[7];     /* cards revealed at the resolution, by kind */
    int8_t open;         /* sources are open (R6.2) */
    int8_t source[10];   /* then the card revealed, by player */
} cf_round;

typedef struct {         /* what everybody sees */
    cf_rules rules;
    int8_t phase, round; /* round is the index into rounds; -1 before the first */
    int8_t holder, giver;
    int8_t fired_scroll[10], fired_round[10], hand_size[10];         /* by player */
    int8_t last[10], lasts;                                          /* who acts last to the end (R6.6), in order */
    int8_t voted[10];    /* 1 for who has voted */
    int8_t ballot[10];   /* once all are in: for whom, -2 for nobody */
    int8_t sage_activated, activated, slain, sage_slain;
    int8_t winner, reason;
    cf_round rounds[10];
} cf_public;

typedef struct {         /* the truth, or a particle that stands for it */
    int8_t role[10], hand[10][7], scroll[10];
    int8_t drawn[10];    /* the card that alone may be played, until its holder has acted */
    int8_t played[10][10];                                           /* [round][player] */
    int8_t start_hand[10][7];
    int8_t seen[10];     /* the card that a draw or a peek met, by round */
    int8_t ballot[10];   /* sealed: -1 not yet cast, -2 for nobody */
} cf_hidden;

typedef struct {         /* what one seat alone knows */
    int8_t me, role, scroll, hand[7], drawn, start_hand[7];
    int8_t plays[10];    /* own card, by round */
    int8_t night[10];    /* 1 is one of the night's set (oneself too), 0 is not, -1 unknown to this seat */
    int8_t sage, mystic; /* who they are, for a shadow dragon whose insight fired (R6.10) */
    int8_t seen_card[10], seen_of[10]; /* by round: a card drawn or peeked that this seat saw; whose it was before */
} cf_private;

typedef struct {
    cf_public pub;
    cf_hidden hid;
    cf_private priv[10];
    uint64_t rng[2];
} cf_game;

/* A game of these rules dealt from a seed alone (R3.1, R3.2), at the vote or the first pass. */
void cf_deal(cf_game *game, const cf_rules *rules, uint64_t seed);

/* A game with this deal, roles and scrolls by player; hands follow from roles. `first` holds the crystal first unless
   there is a vote. The seed serves the chance still to come. */
void cf_begin(cf_game *game, const cf_rules *rules, const int8_t *role, const int8_t *scroll, int first, uint64_t seed);

/* A game put together from a public record and a truth that fits it: private views are made anew. */
void cf_assemble(cf_game *game, const cf_public *pub, const cf_hidden *hid, uint64_t seed);

/* What a seat knows, from the public record and a truth. Equal to what a game keeps in priv. */
void cf_private_of(const cf_public *pub, const cf_hidden *hid, int me, cf_private *out);

/* Who decides now: the first who has not voted, or the one awaited; -1 when the game is over. */
int cf_awaited(const cf_public *pub);

/* Who decides next: like cf_awaited, but a row of face-down cards, a choice without information, is drawn before. */
int cf_next(cf_game *game);

/* The legal actions of the one who decides, bit by bit; 0 at a row and when it is over. Needs the seat's own cards alone. */
uint32_t cf_legal(const cf_public *pub, const cf_private *priv);

/* The same of the one awaited in this game. */
uint32_t cf_mask(const cf_game *game);

/* What the marks allow this player in this round's play, as far as it is known by now. */
int cf_how(const cf_public *pub, int who);

/* Does a legal action of the one awaited. `chance` is what chance is to bring, or -1 to draw it: at a row the kind of card
   met (the action is ignored), at the last ballot the one elected among the tied. An illegal action is not noticed. */
void cf_apply(cf_game *game, int action, int chance);

/* The same, but refuses (with -1, and nothing done) what is not legal. */
int cf_take(cf_game *game, int action, int chance);

/* Plays the game to its end by evenly drawn legal actions; gives the number of decisions, rows among them. */
int cf_finish(cf_game *game);

/* Whole random games; gives the number of decisions. */
int64_t cf_random_games(const cf_rules *rules, int64_t games, uint64_t seed, int64_t *human_wins, int64_t *reasons);

#endif
