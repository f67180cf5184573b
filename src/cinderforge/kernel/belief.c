/* The exact belief: a weighted list of (roles, hands), carried through the record round by round.

   One state is sixteen bits a player: role (3), sage (1), mystic (1), adventurers (3), red (1), two-headed (2),
   shadow (1), drawn this round (3: kind + 1). Blanks follow from the public sizes of the hands. Within a round the
   acts so far are independent of one another given the state, so the round that goes on multiplies weights and
   branches nothing. Each state keeps how it came about, so that whole games can be drawn backwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "belief.h"
#include "chance.h"
#include "suspicion.h"

enum { DRAW_NEXT = 2, DRAW_PREVIOUS = 3, GIFT = 6, PEEK = 8 };
enum { HANDS = 512, KEYS = 4096, MOST_KINDS = 256, MOST_STEPS = 21 };

static const uint16_t ONE[7] = {1 << 3, 1 << 4, 1 << 5, 1 << 8, 1 << 9, 1 << 11, 0};
#define ROLE(p) ((p) & 7)
#define HAND(p) (((p) >> 3) & 511)
#define KEY(p) ((p) & 4095)
#define DRAWN(p) (((p) >> 12) - 1)
#define WITH_DRAWN(p, f) ((uint16_t)(((p) & 4095) | ((f) + 1) << 12))

typedef struct { uint16_t p[10]; int32_t edge; double w; } state;
typedef struct { int32_t from, next; double w; uint32_t plays; int32_t spare; } edge; /* plays: 3 bits a turn, 7 none */

typedef struct {
    state *states; int32_t count, room;
    edge *edges; int32_t edge_count, edge_room;
    int8_t round, is_draw;
} layer;

typedef struct {                       /* what the acts of one place of a round say of a hand */
    int8_t who, act, how, round, known; /* known: the card that must have been it, −1 */
    int8_t silent;                     /* the act tells nothing: it is my own */
    int8_t mute;                       /* the act tells only what was possible */
    float signs[CF_SIGNS];
    double mind[CF_MINDS];
    int16_t at[KEYS * 8];              /* key (with the drawn card only where it matters) → row of `chance`, −1 */
    int32_t rows;
    double chance[MOST_KINDS][8];
    double unheard[MOST_KINDS][8];     /* `chance` without what was said of it */
    double by_mind[MOST_KINDS][CF_MINDS][8];
    double mass[MOST_KINDS][8];
} place;

struct cf_filter {
    layer layers[MOST_STEPS]; int32_t used;
    int32_t *table; int32_t table_size;
    int32_t most_states, mute_round, mute_place;
    place places[10];
    int8_t size[10];                   /* sizes of hands at the moment that is reached */
    int8_t now_places;                 /* how many acts of the round that goes on are weighed in */
    double mind[10][CF_MINDS];
    double evidence, dropped;
    int32_t most;
    double *sums; int32_t sums_room, summed;
    cf_public pub; cf_private mine; int8_t has_mine;
    cf_hearsay heard;
};

static uint8_t CARDS[HANDS][7];      /* by hand: how many of each kind; [6] = how many in all */
static uint8_t KINDS[HANDS];         /* by hand: bits of the kinds present, blanks apart */
static int8_t READY;

static const int8_t ROLES_FOR[11][6] = {
    [5] = {1, 1, 1, 0, 1, 1}, [6] = {1, 1, 2, 0, 1, 1}, [7] = {1, 1, 2, 1, 1, 1},
    [8] = {1, 1, 3, 1, 1, 1}, [9] = {1, 1, 4, 1, 1, 1}, [10] = {1, 1, 5, 1, 1, 1},
};

static void make_ready(void)
{
    if (READY) return;
    for (int h = 0; h < HANDS; h++) {
        uint8_t *c = CARDS[h];
        c[0] = h & 1, c[1] = h >> 1 & 1, c[2] = h >> 2 & 7, c[3] = h >> 5 & 1, c[4] = h >> 6 & 3, c[5] = h >> 8 & 1;
        c[6] = (uint8_t)(c[0] + c[1] + c[2] + c[3] + c[4] + c[5]);
        for (int f = 0; f < 6; f++) KINDS[h] |= (uint8_t)((c[f] > 0) << f);
    }
    READY = 1;
}

static inline int holds(uint16_t p, int size, int card)
{
    return card == CF_BLANK ? size - CARDS[HAND(p)][6] : CARDS[HAND(p)][card];
}

/* ---- room ---------------------------------------------------------------------------------------------------- */

cf_filter *cf_filter_new(int32_t most_states)
{
    make_ready();
    cf_filter *f = calloc(1, sizeof *f);
    f->most_states = most_states > 0 ? most_states : 1 << 20;
    f->mute_round = -1;
    return f;
}

void cf_filter_free(cf_filter *f)
{
    if (!f) return;
    for (int i = 0; i < MOST_STEPS; i++) free(f->layers[i].states), free(f->layers[i].edges);
    free(f->table);
    free(f->sums);
    free(f);
}

void cf_mute(cf_filter *f, int32_t round, int32_t place)
{
    f->mute_round = round;
    f->mute_place = place;
}

/* ---- what is said -------------------------------------------------------------------------------------------- */

static const float MOST_OF_A_CLAIM = 0.6931472f; /* up and down from even: a ratio of four from end to end */
static const double MOST_OF_A_ROUND = 1.5;

static void clip(float weight[6][2])
{
    float top = -1e30f;
    for (int role = 0; role < 6; role++)
        for (int so = 0; so < 2; so++)
            if (weight[role][so] > top) top = weight[role][so];
    for (int role = 0; role < 6; role++)
        for (int so = 0; so < 2; so++) {
            const float moved = weight[role][so] - top + MOST_OF_A_CLAIM;
            weight[role][so] = moved > -MOST_OF_A_CLAIM ? moved : -MOST_OF_A_CLAIM;
        }
}

void cf_hear(cf_filter *f, const cf_hearsay *heard)
{
    f->heard.count = 0;
    for (int32_t i = 0; heard && i < heard->count && i < CF_CLAIMS; i++) {
        const cf_claim *said = &heard->claims[i];
        int32_t at = f->heard.count;
        for (int32_t k = 0; k < f->heard.count && said->kind == CF_SAYS_PLAYED; k++) {
            const cf_claim *one = &f->heard.claims[k];
            if (one->kind == CF_SAYS_PLAYED && one->speaker == said->speaker && one->round == said->round) at = k;
        }
        f->heard.claims[at] = *said;
        clip(f->heard.claims[at].weight);
        f->heard.count += at == f->heard.count;
    }
}

static int is_of_night(int role) { return role != CF_ADVENTURER && role != CF_SHADOW; }

static int is_so(const cf_claim *said, const uint16_t p[10])
{
    int so = 1;
    if (said->kind == CF_SAYS_ROLES) so = said->set >> ROLE(p[said->who]) & 1;
    else
        for (int t = 0; t < 10; t++) so &= !(said->set >> t & 1) || is_of_night(ROLE(p[t]));
    return said->denied ? !so : so;
}

/* How much all that was said of roles speaks for these, as a factor. */
static double spoken_for(const cf_filter *f, const uint16_t p[10])
{
    double whole = 0, of_one[10][11] = {{0}}, room[10][11];
    for (int32_t i = 0; i < f->heard.count; i++)
        room[f->heard.claims[i].speaker][f->heard.claims[i].round] = MOST_OF_A_ROUND;
    for (int32_t i = 0; i < f->heard.count; i++) {
        const cf_claim *said = &f->heard.claims[i];
        if (said->kind == CF_SAYS_PLAYED) room[said->speaker][said->round] -= MOST_OF_A_CLAIM;
        else of_one[said->speaker][said->round] += said->weight[ROLE(p[said->speaker])][is_so(said, p)];
    }
    for (int32_t i = 0; i < f->heard.count; i++) {
        const cf_claim *said = &f->heard.claims[i];
        const double most = room[said->speaker][said->round], all = of_one[said->speaker][said->round];
        whole += all > most ? most : all < -most ? -most : all;
        of_one[said->speaker][said->round] = 0;
    }
    return exp(whole);
}

/* What a player has said of the card that they played in a round weighs each card that it may have been. */
static void weigh_own_word(const cf_filter *f, int who, int round, int role, double chance[8])
{
    for (int32_t i = 0; i < f->heard.count; i++) {
        const cf_claim *said = &f->heard.claims[i];
        if (said->kind != CF_SAYS_PLAYED || said->speaker != who || said->of_round != round) continue;
        for (int card = 0; card < 7; card++) chance[card] *= exp(said->weight[role][(card == said->set) != said->denied]);
    }
}

static void heard(cf_filter *f, layer *l)
{
    double factor = 1;
    uint16_t before[10] = {7};
    for (int32_t i = 0; i < l->count; i++) {
        state *s = &l->states[i];
        int same = 1;
        for (int t = 0; t < 10; t++) {
            same &= before[t] == ROLE(s->p[t]);
            before[t] = ROLE(s->p[t]);
        }
        if (!same) factor = spoken_for(f, s->p);
        s->w *= factor;
    }
}

static layer *next_layer(cf_filter *f, int round, int is_draw)
{
    layer *l = &f->layers[f->used++];
    l->count = l->edge_count = 0;
    l->round = (int8_t)round;
    l->is_draw = (int8_t)is_draw;
    return l;
}

static state *add_state(layer *l, const uint16_t p[10], double w)
{
    if (l->count == l->room) {
        l->room = l->room ? l->room * 2 : 1024;
        l->states = realloc(l->states, (size_t)l->room * sizeof *l->states);
    }
    state *s = &l->states[l->count++];
    memcpy(s->p, p, sizeof s->p);
    s->edge = -1;
    s->w = w;
    return s;
}

static void add_edge(layer *l, int32_t to, int32_t from, double w, uint32_t plays)
{
    if (l->edge_count == l->edge_room) {
        l->edge_room = l->edge_room ? l->edge_room * 2 : 1024;
        l->edges = realloc(l->edges, (size_t)l->edge_room * sizeof *l->edges);
    }
    l->edges[l->edge_count] = (edge){from, l->states[to].edge, w, plays, 0};
    l->states[to].edge = l->edge_count++;
}

static inline uint32_t digest(const uint16_t p[10])
{
    uint64_t a, b;
    uint32_t c;
    memcpy(&a, p, 8), memcpy(&b, p + 4, 8), memcpy(&c, p + 8, 4);
    uint64_t h = a * 0x9E3779B97F4A7C15u ^ (b + 0x7F4A7C15u) * 0xC2B2AE3D27D4EB4Fu ^ c * 0x165667B19E3779F9u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return (uint32_t)(h >> 32);
}

static void empty_table(cf_filter *f, int32_t at_least)
{
    int32_t size = 2048;
    while (size < at_least * 2) size *= 2;
    if (size > f->table_size) {
        free(f->table);
        f->table = malloc((size_t)size * sizeof *f->table);
    }
    f->table_size = size;
    memset(f->table, 0xff, (size_t)size * sizeof *f->table);
}

static void grow_table(cf_filter *f, const layer *l)
{
    int32_t size = f->table_size * 2;
    free(f->table);
    f->table = malloc((size_t)size * sizeof *f->table);
    f->table_size = size;
    memset(f->table, 0xff, (size_t)size * sizeof *f->table);
    for (int32_t i = 0; i < l->count; i++) {
        uint32_t at = digest(l->states[i].p) & (uint32_t)(size - 1);
        while (f->table[at] >= 0) at = (at + 1) & (uint32_t)(size - 1);
        f->table[at] = i;
    }
}

static int32_t merged(cf_filter *f, layer *l, const uint16_t p[10], double w)
{
    uint32_t mask = (uint32_t)f->table_size - 1, at = digest(p) & mask;
    while (f->table[at] >= 0) {
        state *s = &l->states[f->table[at]];
        if (!memcmp(s->p, p, sizeof s->p)) {
            s->w += w;
            return f->table[at];
        }
        at = (at + 1) & mask;
    }
    f->table[at] = l->count;
    add_state(l, p, w);
    int32_t index = l->count - 1;
    if (l->count * 2 > f->table_size) grow_table(f, l);
    return index;
}

/* ---- the deal ------------------------------------------------------------------------------------------------ */

static uint16_t start_of(int role)
{
    uint16_t p = (uint16_t)role;
    return (uint16_t)(role == CF_TWO_HEADED ? p + 2 * ONE[CF_TWO_HEADED] + ONE[CF_ADVENTURER] : p + ONE[role]);
}

static void deal(cf_filter *f, layer *l, uint16_t p[10], int turn, int8_t left[6])
{
    if (turn == f->pub.rules.n) {
        add_state(l, p, 1);
        return;
    }
    const cf_private *me = f->has_mine ? &f->mine : NULL;
    for (int role = 0; role < 6; role++) {
        if (!left[role]) continue;
        if (me) {
            if (turn == me->me && role != me->role) continue;
            if (me->night[turn] >= 0 && me->night[turn] != is_of_night(role)) continue;
            if (me->sage >= 0 && (turn == me->sage) != (role == CF_SAGE)) continue;
            if (me->mystic >= 0 && (turn == me->mystic) != (role == CF_MYSTIC)) continue;
        }
        left[role]--;
        p[turn] = start_of(role);
        deal(f, l, p, turn + 1, left);
        left[role]++;
    }
}

static double settled(cf_filter *f, layer *l)
{
    double all = 0;
    for (int32_t i = 0; i < l->count; i++) all += l->states[i].w;
    if (!(all > 0)) {
        l->count = 0;
        return 0;
    }
    if (l->count > f->most) f->most = l->count;
    for (int32_t i = 0; i < l->count; i++) l->states[i].w /= all;
    return all;
}

/* Leaves out the lightest states where there are more than the bound; what they weighed is reported. */
static void trimmed(cf_filter *f, layer *l)
{
    double least = 1e-7;
    while (l->count > f->most_states) {
        int32_t kept = 0;
        double lost = 0;
        for (int32_t i = 0; i < l->count; i++)
            if (l->states[i].w >= least) l->states[kept++] = l->states[i];
            else lost += l->states[i].w;
        l->count = kept;
        f->dropped += (1 - f->dropped) * lost;
        for (int32_t i = 0; i < kept; i++) l->states[i].w /= 1 - lost;
        least *= 4;
    }
}

/* ---- minds --------------------------------------------------------------------------------------------------- */

static int is_dragon_card(int card) { return card == CF_RED || card == CF_TWO_HEADED || card == CF_SHADOW; }
static int deed_of(int act)
{
    return act == CF_SKIP ? 0 : act == CF_BLANK ? 1 : act == CF_SAGE ? 3 : is_dragon_card(act) ? 4 : 2;
}

void cf_signs(const cf_public *pub, int32_t round, int32_t at, float out[CF_SIGNS])
{
    const cf_round *r = &pub->rounds[round];
    int n = pub->rules.n, who = r->order[at], acted = 0, dragons = 0;
    cf_public then = *pub;
    then.phase = CF_PLAY;
    then.round = (int8_t)round;
    then.activated = then.slain = then.sage_activated = then.sage_slain = 0;
    for (int t = 0; t < n; t++) then.hand_size[t] = 3;
    for (int i = 0; i <= round; i++) {
        const cf_round *past = &pub->rounds[i];
        if (past->effect == 1) {
            if (past->scroll == GIFT) then.hand_size[past->t1]++;
            if (past->scroll == DRAW_NEXT || past->scroll == DRAW_PREVIOUS)
                then.hand_size[past->holder]++, then.hand_size[past->t1]--;
        }
        for (int k = 0; k < (i < round ? n : at); k++)
            if (past->act[k] == CF_PLAYED) then.hand_size[past->order[k]]--;
        if (i == round) break;
        int here = past->count[CF_RED] + past->count[CF_TWO_HEADED] + past->count[CF_SHADOW];
        int others = past->count[CF_MYSTIC] + past->count[CF_ADVENTURER];
        dragons += here;
        if (here) then.slain = (int8_t)(then.slain + others);
        else then.activated = (int8_t)(then.activated + others);
        if (past->count[CF_SAGE]) *(here ? &then.sage_slain : &then.sage_activated) = 1;
        for (int k = 0; k < n; k++)
            if (past->order[k] == who && past->act[k] == CF_PLAYED) acted++;
    }
    then.rounds[round].acted = (int8_t)at;
    memset(then.rounds[round].count, 0, sizeof r->count);
    cf_suspicion s;
    cf_suspect(&then, NULL, &s);
    int played = 0, skipped = 0;
    float safe = 1, coming = 1, sages = 0, persons = 0;
    for (int k = 0; k < n; k++) {
        int t = r->order[k];
        float dragon = s.holds_dragon[t] > 0.98f ? 0.98f : s.holds_dragon[t];
        if (k == at) continue;
        if (k > at) {
            if (then.hand_size[t]) coming *= 1 - 0.5f * dragon;
        } else if (r->act[k] == CF_PLAYED) {
            played++;
            safe *= 1 - dragon;
            sages += s.holds_sage[t];
            persons += s.holds_person[t];
        } else {
            skipped++;
        }
    }
    int to_activate = pub->rules.act_target - then.activated, to_slay = pub->rules.kill_target - then.slain;
    int i = 0;
    memset(out, 0, CF_SIGNS * sizeof *out);
    out[i++] = 1;
    out[i++] = (float)at / (float)n;
    out[i++] = (float)played / 4;
    out[i++] = (float)skipped / 4;
    out[i++] = (float)round / (float)(n - 1);
    out[i++] = round == n - 1;
    out[i++] = then.sage_activated || then.sage_slain;
    out[i++] = (float)(to_activate < 0 ? 0 : to_activate > 3 ? 3 : to_activate) / 3;
    out[i++] = (float)(to_slay > 4 ? 4 : to_slay) / 3;
    out[i++] = to_activate <= 0;
    out[i++] = to_slay <= 1;
    out[i++] = to_activate == 1;
    out[i++] = r->how[at] == CF_MUST_PLAY;
    out[i++] = r->how[at] == CF_ONLY_DRAWN;
    out[i++] = (float)r->open;
    out[i++] = (float)then.hand_size[who] / 3;
    out[i++] = at == 0;
    out[i++] = round ? (float)acted / (float)round : 0.5f;
    out[i++] = dragons % 4 == 1;
    out[i++] = dragons % 4 == 2;
    out[i++] = dragons % 4 == 3;
    out[i++] = (float)dragons / 4;
    out[i++] = pub->rules.sage_slain_ends;
    out[i++] = played == 0;
    out[i++] = 1 - safe;
    out[i++] = 1 - coming;
    out[i++] = sages;
    out[i++] = persons / 2;
    out[i++] = s.dragon[who];
    out[i++] = played == n - 1 - skipped && played;
}

/* What this player may do, by kind of card, and CF_SKIP as bit 7. */
static int legal_for(const place *q, uint16_t p, int size)
{
    if (q->how == CF_MUST_SKIP) return 1 << CF_SKIP;
    int h = HAND(p), cards = KINDS[h] | (size > CARDS[h][6]) << CF_BLANK;
    if (q->how == CF_ONLY_DRAWN || q->how == CF_MUST_PLAY_DRAWN) cards &= DRAWN(p) >= 0 ? 1 << DRAWN(p) : 0;
    return q->how == CF_MUST_PLAY || q->how == CF_MUST_PLAY_DRAWN ? cards : cards | 1 << CF_SKIP;
}

static int fill_row(const cf_filter *f, place *q, const cf_model *m, uint16_t p, int size)
{
    int row = q->rows++, legal = legal_for(q, p, size), minds = m ? m->minds : 0;
    int ways = __builtin_popcount((unsigned)legal);
    double *chance = q->chance[row];
    memset(chance, 0, 8 * sizeof *chance);
    memset(q->mass[row], 0, sizeof q->mass[row]);
    if (!ways) return row;
    if (q->mute) {
        for (int a = 0; a < 8; a++) chance[a] = legal >> a & 1;
        return row;
    }
    double slip = minds ? m->slip : 1;
    for (int a = 0; a < 8; a++) chance[a] = legal >> a & 1 ? slip / ways : 0;
    for (int k = 0; k < minds; k++) {
        double top = -1e30, all = 0, score[CF_DEEDS], *mine = q->by_mind[row][k];
        for (int d = 0; d < CF_DEEDS; d++) {
            const float *w = m->weight[k][ROLE(p)][d];
            score[d] = 0;
            for (int i = 0; i < CF_SIGNS; i++) score[d] += w[i] * q->signs[i];
            score[d] *= m->heat[k];
        }
        for (int a = 0; a < 8; a++)
            if (legal >> a & 1 && score[deed_of(a)] > top) top = score[deed_of(a)];
        for (int a = 0; a < 8; a++) all += mine[a] = legal >> a & 1 ? exp(score[deed_of(a)] - top) : 0;
        for (int a = 0; a < 8; a++) {
            mine[a] /= all;
            chance[a] += (1 - slip) * q->mind[k] * mine[a];
        }
    }
    memcpy(q->unheard[row], chance, sizeof q->unheard[row]);
    if (f && f->heard.count && q->act == CF_PLAYED) weigh_own_word(f, q->who, q->round, ROLE(p), chance);
    return row;
}


static inline int row_of(const cf_filter *f, place *q, const cf_model *m, uint16_t p, int size)
{
    int key = q->how >= CF_ONLY_DRAWN ? p & 0x7fff : KEY(p);
    if (q->at[key] < 0) q->at[key] = (int16_t)fill_row(f, q, m, p, size);
    return q->at[key];
}

/* Makes ready what is to be read from the acts of this round, from its first place on. */
static void read_places(cf_filter *f, const cf_model *m, int round)
{
    const cf_round *r = &f->pub.rounds[round];
    int is_over = r->acted == f->pub.rules.n;
    for (int i = 0; i < r->acted; i++) {
        place *q = &f->places[i];
        q->who = r->order[i];
        q->act = r->act[i];
        q->how = r->how[i];
        q->round = (int8_t)round;
        q->mute = round == f->mute_round && i == f->mute_place;
        q->silent = f->has_mine && f->mine.me == q->who;
        q->known = -1;
        if (q->act != CF_PLAYED) q->known = -1;
        else if (is_over && r->open) q->known = r->source[q->who];
        else if (q->silent) q->known = f->mine.plays[round];
        q->rows = 0;
        memset(q->at, 0xff, (q->how >= CF_ONLY_DRAWN ? KEYS * 8 : KEYS) * sizeof *q->at);
        memcpy(q->mind, f->mind[q->who], sizeof q->mind);
        if (m && m->minds && q->act != CF_EMPTY) cf_signs(&f->pub, round, i, q->signs);
    }
}

/* ---- what moves cards ---------------------------------------------------------------------------------------- */

/* A card changes hands (R6.3, R6.4): a branch for each kind that may have been drawn. */
static layer *drawn_from(cf_filter *f, layer *from, int round, int drawer, int source, int seen)
{
    layer *to = next_layer(f, round, 1);
    for (int32_t i = 0; i < from->count; i++) {
        const state *s = &from->states[i];
        for (int card = 0; card < 7; card++) {
            int count = holds(s->p[source], f->size[source], card);
            if (count <= 0 || (seen >= 0 && seen != card)) continue;
            uint16_t p[10];
            double w = s->w * count / f->size[source];
            memcpy(p, s->p, sizeof p);
            p[source] = (uint16_t)(p[source] - ONE[card]);
            p[drawer] = (uint16_t)(p[drawer] + ONE[card]);
            p[drawer] = WITH_DRAWN(p[drawer], card);
            add_state(to, p, w);
            add_edge(to, to->count - 1, i, w, (uint32_t)card);
        }
    }
    f->size[source]--;
    f->size[drawer]++;
    return to;
}

/* A card seen in a hand where it stays (R6.9). */
static void peeked_at(cf_filter *f, layer *l, int of, int card)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < l->count; i++) {
        int count = holds(l->states[i].p[of], f->size[of], card);
        if (count <= 0) continue;
        l->states[i].w *= (double)count / f->size[of];
        l->states[kept++] = l->states[i];
    }
    l->count = kept;
}

/* ---- a round that is over ------------------------------------------------------------------------------------ */

typedef struct {
    cf_filter *f;
    layer *to;
    int32_t from;
    int n;
    int8_t left[7], at_place[10];
    uint16_t may[7];                   /* by kind: who, of those who played, may have played it */
    int16_t row[10];                   /* by place */
    uint16_t p[10];
    uint32_t plays;
} unravelling;

static void found(unravelling *u, double w)
{
    cf_filter *f = u->f;
    uint16_t p[10] = {0};
    for (int t = 0; t < u->n; t++) p[t] = (uint16_t)KEY(u->p[t]);
    add_edge(u->to, merged(f, u->to, p, w), u->from, w, u->plays);
    for (int i = 0; i < u->n; i++) {
        place *q = &f->places[i];
        if (q->act == CF_EMPTY || q->silent) continue;
        int act = q->act == CF_PLAYED ? (int)(u->plays >> (3 * q->who) & 7) : CF_SKIP;
        q->mass[u->row[i]][act] += w;
    }
}

static void unravel(unravelling *u, int card, int left, uint32_t free, uint32_t open, double w)
{
    /* `left` cards of this kind are still to be given to some of `open`, all of whom are in `free`. */
    while (!left) {
        if (++card == 7) {
            found(u, w);
            return;
        }
        left = u->left[card];
        open = free & u->may[card];
        if (__builtin_popcount(open) < left) return;
    }
    while (open) {
        if (__builtin_popcount(open) < left) return;
        int turn = __builtin_ctz(open);
        open &= open - 1;
        const place *q = &u->f->places[u->at_place[turn]];
        double chance = q->silent ? 1 : q->chance[u->row[u->at_place[turn]]][card];
        uint32_t plays = u->plays;
        u->plays = (plays & ~(7u << (3 * turn))) | (uint32_t)card << (3 * turn);
        u->p[turn] = (uint16_t)(u->p[turn] - ONE[card]);
        unravel(u, card, left - 1, free & ~(1u << turn), open, w * chance);
        u->p[turn] = (uint16_t)(u->p[turn] + ONE[card]);
        u->plays = plays;
    }
}

static layer *resolved(cf_filter *f, const cf_model *m, layer *from, int round)
{
    const cf_round *r = &f->pub.rounds[round];
    layer *to = next_layer(f, round, 0);
    unravelling u = {.f = f, .to = to, .n = f->pub.rules.n};
    read_places(f, m, round);
    empty_table(f, from->count);
    memcpy(u.left, r->count, sizeof u.left);
    for (int32_t i = 0; i < from->count; i++) {
        const state *s = &from->states[i];
        double w = s->w;
        uint32_t played = 0;
        memcpy(u.p, s->p, sizeof u.p);
        memset(u.may, 0, sizeof u.may);
        u.plays = (1u << 30) - 1;
        u.from = i;
        for (int k = 0; k < u.n && w > 0; k++) {
            place *q = &f->places[k];
            int turn = q->who;
            if (q->act == CF_EMPTY) continue;
            int row = row_of(f, q, m, s->p[turn], f->size[turn]), legal = legal_for(q, s->p[turn], f->size[turn]);
            u.row[k] = (int16_t)row;
            if (q->act == CF_SKIPPED) {
                w *= !(legal >> CF_SKIP & 1) ? 0 : q->silent ? 1 : q->chance[row][CF_SKIP];
                continue;
            }
            u.at_place[turn] = (int8_t)k;
            played |= 1u << turn;
            if (q->known >= 0) legal &= 1 << q->known;
            for (int card = 0; card < 7; card++) u.may[card] |= (uint16_t)((legal >> card & 1) << turn);
        }
        if (!(w > 0)) continue;
        int fits = 1;
        for (int card = 0; card < 7; card++) fits &= __builtin_popcount(u.may[card]) >= u.left[card];
        if (fits) unravel(&u, -1, 0, played, 0, w);
    }
    for (int k = 0; k < u.n; k++) if (f->places[k].act == CF_PLAYED) f->size[f->places[k].who]--;
    return to;
}

/* How likely it is of each player, after these acts, that each mind is theirs. */
static void reconsider(cf_filter *f, const cf_model *m, double all)
{
    if (!m || m->minds < 2 || !(all > 0)) return;
    for (int i = 0; i < f->pub.rules.n; i++) {
        place *q = &f->places[i];
        if (q->act == CF_EMPTY || q->silent || q->mute) continue;
        double next[CF_MINDS] = {0};
        for (int row = 0; row < q->rows; row++)
            for (int act = 0; act < 8; act++) {
                double mass = q->mass[row][act] / all;
                if (!(mass > 0)) continue;
                double share = (1 - m->slip) * mass / q->unheard[row][act];
                for (int k = 0; k < m->minds; k++) next[k] += share * q->mind[k] * q->by_mind[row][k][act];
            }
        double sum = 0;
        for (int k = 0; k < m->minds; k++) sum += next[k];
        double slipped = sum < 1 ? 1 - sum : 0;
        for (int k = 0; k < m->minds; k++) f->mind[q->who][k] = (next[k] + slipped * q->mind[k]) / (sum + slipped);
    }
}

/* ---- the round that goes on ---------------------------------------------------------------------------------- */

static inline double chance_of_act(const place *q, int row, int legal)
{
    if (q->act == CF_SKIPPED) return !(legal >> CF_SKIP & 1) ? 0 : q->silent ? 1 : q->chance[row][CF_SKIP];
    if (q->known >= 0) return !(legal >> q->known & 1) ? 0 : q->silent ? 1 : q->chance[row][q->known];
    double all = 0;
    for (int card = 0; card < 7; card++) all += q->chance[row][card];
    return all;
}

static void going_on(cf_filter *f, const cf_model *m, layer *l, int round)
{
    int32_t kept = 0, acted = f->pub.rounds[round].acted;
    read_places(f, m, round);
    f->now_places = (int8_t)acted;
    for (int32_t i = 0; i < l->count; i++) {
        state *s = &l->states[i];
        for (int k = 0; k < acted && s->w > 0; k++) {
            place *q = &f->places[k];
            if (q->act == CF_EMPTY) continue;
            uint16_t p = s->p[q->who];
            s->w *= chance_of_act(q, row_of(f, q, m, p, f->size[q->who]), legal_for(q, p, f->size[q->who]));
        }
        if (s->w > 0) l->states[kept++] = *s;
    }
    l->count = kept;
}

/* What is left of the states once one's own hand is looked at: it all follows where nothing was forgotten. */
static void own_hand(cf_filter *f, layer *l)
{
    if (!f->has_mine) return;
    int me = f->mine.me, at = -1;
    for (int k = 0; k < f->now_places; k++)
        if (f->places[k].who == me && f->places[k].act == CF_PLAYED) at = k;
    int own = at >= 0 ? f->places[at].known : -1;
    if (at >= 0 && own < 0) return;
    int32_t kept = 0;
    for (int32_t i = 0; i < l->count; i++) {
        int fits = 1;
        for (int card = 0; card < 7; card++)
            fits &= holds(l->states[i].p[me], f->size[me], card) - (card == own) == f->mine.hand[card];
        if (fits) l->states[kept++] = l->states[i];
    }
    l->count = kept;
}

/* ---- the whole record ---------------------------------------------------------------------------------------- */

static int add_up(cf_filter *f, layer *l)
{
    double all = settled(f, l);
    f->evidence += all > 0 ? log(all) : -INFINITY;
    trimmed(f, l);
    return l->count;
}

/* Acts of a round are independent given the state, so that none of a kind lies there is a product over who played. */
static void none_of(const double card_is[7], double none[4])
{
    const double dragon = card_is[CF_RED] + card_is[CF_TWO_HEADED] + card_is[CF_SHADOW];
    const double other = card_is[CF_MYSTIC] + card_is[CF_ADVENTURER];
    none[0] *= 1 - dragon;
    none[1] *= 1 - card_is[CF_SAGE] - other;
    none[2] *= 1 - card_is[CF_SAGE];
    none[3] *= 1 - other;
}

static void answer(cf_filter *f, const layer *l, cf_beliefs *out)
{
    int n = f->pub.rules.n;
    uint16_t before[10] = {0};
    int8_t at[10];
    memset(out, 0, sizeof *out);
    memset(at, -1, sizeof at);
    for (int k = 0; k < f->now_places; k++)
        if (f->places[k].act == CF_PLAYED) at[f->places[k].who] = (int8_t)k;
    for (int32_t i = 0; i < l->count; i++) {
        const state *s = &l->states[i];
        int same = 1;
        double none[4] = {1, 1, 1, 1};
        for (int t = 0; t < n; t++) {
            uint16_t p = s->p[t];
            int role = ROLE(p), h = HAND(p);
            same &= role == before[t];
            before[t] = (uint16_t)role;
            out->role[t][role] += s->w;
            for (int card = 0; card < 6; card++)
                if (CARDS[h][card]) out->holds[t][card] += s->w * CARDS[h][card];
            out->holds[t][6] += s->w * (f->size[t] - CARDS[h][6]);
            if (at[t] < 0) continue;
            const place *q = &f->places[at[t]];
            double card_is[7] = {0}, all = 0;
            if (q->known >= 0) {
                card_is[q->known] = 1;
            } else {
                const double *chance = q->chance[row_of(f, (place *)q, NULL, p, f->size[t])];
                for (int card = 0; card < 7; card++) all += chance[card];
                for (int card = 0; card < 7; card++) card_is[card] = chance[card] / all;
            }
            for (int card = 0; card < 7; card++) out->played[t][card] += s->w * card_is[card];
            none_of(card_is, none);
        }
        for (int k = 0; k < 4; k++) out->lies[k] += s->w * (1 - none[k]);
        out->deals += !same || !i;
    }
    for (int t = 0; t < n; t++) {
        out->dragon[t] = out->role[t][CF_RED] + out->role[t][CF_TWO_HEADED] + out->role[t][CF_SHADOW];
        for (int card = 0; card < 7; card++) out->holds[t][card] -= out->played[t][card];
        memcpy(out->mind[t], f->mind[t], sizeof f->mind[t]);
    }
    out->states = l->count;
    out->most = f->most;
    out->evidence = f->evidence;
    out->dropped = f->dropped;
}

int32_t cf_believe(cf_filter *f, const cf_public *pub, const cf_private *mine, const cf_model *m, int32_t rounds,
                                      cf_beliefs *out) {
    int n = pub->rules.n;
    f->pub = *pub;
    f->has_mine = mine != NULL;
    if (mine) f->mine = *mine;
    f->used = f->now_places = 0;
    f->evidence = f->dropped = 0;
    f->most = 0;
    for (int t = 0; t < n; t++) {
        f->size[t] = 3;
        for (int k = 0; k < CF_MINDS; k++) f->mind[t][k] = m && k < m->minds ? m->prior[t][k] : 0;
    }
    layer *l = next_layer(f, -1, 0);
    uint16_t p[10] = {0};
    int8_t left[6];
    memcpy(left, ROLES_FOR[n], sizeof left);
    deal(f, l, p, 0, left);
    settled(f, l);
    int looked = rounds < 0 ? pub->round + 1 : rounds;
    for (int i = 0; i < looked && i <= pub->round && l->count; i++) {
        const cf_round *r = &pub->rounds[i];
        if (r->effect == 1) {
            int seen = mine ? mine->seen_card[i] : -1;
            if (r->scroll == GIFT) f->size[r->t1]++;
            if (r->scroll == DRAW_NEXT || r->scroll == DRAW_PREVIOUS) {
                l = drawn_from(f, l, i, r->holder, r->t1, seen);
                if (!add_up(f, l)) break;
            }
            if (r->scroll == PEEK && seen >= 0) {
                peeked_at(f, l, mine->seen_of[i], seen);
                if (!add_up(f, l)) break;
            }
        }
        if (r->acted == n) {
            l = resolved(f, m, l, i);
            double all = 0;
            for (int32_t k = 0; k < l->count; k++) all += l->states[k].w;
            reconsider(f, m, all);
            if (!add_up(f, l)) break;
        } else if (r->acted) {
            going_on(f, m, l, i);
            if (!add_up(f, l)) break;
        }
    }
    if (rounds < 0 && l->count) {
        own_hand(f, l);
        add_up(f, l);
    }
    if (f->heard.count && l->count) {
        heard(f, l);
        settled(f, l);
    }
    answer(f, l, out);
    f->summed = 0;
    return l->count;
}

/* ---- a whole game, drawn from the belief ---------------------------------------------------------------------- */

static double unit(uint64_t rng[2]) { return (double)(cf_random(rng) >> 11) * 0x1p-53; }

static int32_t one_state(cf_filter *f, const layer *l, uint64_t rng[2])
{
    if (!f->summed) {
        if (f->sums_room < l->count) {
            f->sums_room = l->count;
            f->sums = realloc(f->sums, (size_t)l->count * sizeof *f->sums);
        }
        double all = 0;
        for (int32_t i = 0; i < l->count; i++) f->sums[i] = all += l->states[i].w;
        f->summed = 1;
    }
    double at = unit(rng) * f->sums[l->count - 1];
    int32_t low = 0, high = l->count - 1;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (f->sums[middle] > at) high = middle;
        else low = middle + 1;
    }
    return low;
}

static const edge *one_edge(const layer *l, int32_t to, uint64_t rng[2])
{
    double all = 0;
    int32_t i = l->states[to].edge;
    const edge *e = &l->edges[i];
    if (e->next < 0) return e;
    for (; i >= 0; i = l->edges[i].next) all += l->edges[i].w;
    double at = unit(rng) * all;
    for (i = l->states[to].edge; i >= 0; i = e->next) {
        e = &l->edges[i];
        if ((at -= e->w) < 0) break;
    }
    return e;
}

static int one_card(const double *chance, uint64_t rng[2])
{
    double all = 0;
    int card = -1;
    for (int i = 0; i < 7; i++) all += chance[i];
    double at = unit(rng) * all;
    for (int i = 0; i < 7; i++)
        if (chance[i] > 0) {
            card = i;
            if ((at -= chance[i]) < 0) break;
        }
    return card;
}

/* Scrolls that nobody has seen are as likely the one's as the other's. */
static void imagine_scrolls(const cf_filter *f, cf_hidden *hid, uint64_t rng[2])
{
    int n = f->pub.rules.n, left = 0;
    int8_t unseen[10], is_seen[10] = {0};
    for (int t = 0; t < n; t++) {
        hid->scroll[t] = f->has_mine && f->mine.me == t ? f->mine.scroll : f->pub.fired_scroll[t];
        if (hid->scroll[t] >= 0) is_seen[hid->scroll[t]] = 1;
    }
    for (int i = 0; i < 10; i++)
        if (!is_seen[i]) unseen[left++] = (int8_t)i;
    for (int t = 0; t < n; t++) {
        if (hid->scroll[t] >= 0) continue;
        int at = cf_below(rng, left);
        hid->scroll[t] = unseen[at];
        unseen[at] = unseen[--left];
    }
}

static void imagine_ballots(const cf_filter *f, cf_hidden *hid, uint64_t rng[2])
{
    memcpy(hid->ballot, f->pub.ballot, sizeof hid->ballot);
    if (f->pub.phase != CF_VOTE) return;
    for (int t = 0; t < f->pub.rules.n; t++)
        if (f->pub.voted[t]) hid->ballot[t] = (int8_t)cf_below(rng, f->pub.rules.n);
}

void cf_imagine(cf_filter *f, uint64_t rng[2], cf_game *out)
{
    cf_hidden hid;
    int n = f->pub.rules.n, last = f->used - 1;
    uint32_t plays[10], drawn[10];
    memset(plays, 0xff, sizeof plays);
    memset(&hid, -1, sizeof hid);
    memset(hid.hand, 0, sizeof hid.hand);
    int32_t at = one_state(f, &f->layers[last], rng);
    const state *end = &f->layers[last].states[at];
    for (int t = 0; t < n; t++) hid.role[t] = (int8_t)ROLE(end->p[t]);
    for (int i = last; i > 0; i--) {
        const layer *l = &f->layers[i];
        const edge *e = one_edge(l, at, rng);
        if (l->is_draw) drawn[l->round] = e->plays;
        else plays[l->round] = e->plays;
        at = e->from;
    }
    for (int k = 0; k < f->now_places; k++) {
        const place *q = &f->places[k];
        if (q->act != CF_PLAYED) continue;
        int card = q->known;
        if (card < 0) card = one_card(q->chance[row_of(f, (place *)q, NULL, end->p[q->who], f->size[q->who])], rng);
        plays[f->pub.round] &= ~(7u << (3 * q->who));
        plays[f->pub.round] |= (uint32_t)card << (3 * q->who);
    }
    for (int t = 0; t < n; t++) {
        int role = hid.role[t];
        hid.hand[t][role] = role == CF_TWO_HEADED ? 2 : 1;
        hid.hand[t][role == CF_TWO_HEADED ? CF_ADVENTURER : CF_BLANK] += (int8_t)(role == CF_TWO_HEADED ? 1 : 2);
    }
    memcpy(hid.start_hand, hid.hand, sizeof hid.hand);
    for (int i = 0; i <= f->pub.round; i++) {
        const cf_round *r = &f->pub.rounds[i];
        if (r->effect == 1 && r->scroll == GIFT) hid.hand[r->t1][CF_BLANK]++;
        if (r->effect == 1 && (r->scroll == DRAW_NEXT || r->scroll == DRAW_PREVIOUS)) {
            hid.seen[i] = (int8_t)drawn[i];
            hid.hand[r->t1][drawn[i]]--;
            hid.hand[r->holder][drawn[i]]++;
        }
        if (r->effect == 1 && r->scroll == PEEK) {
            double chance[7];
            for (int card = 0; card < 7; card++) chance[card] = hid.hand[r->t1][card];
            int mine = f->has_mine ? f->mine.seen_card[i] : -1;
            hid.seen[i] = (int8_t)(mine >= 0 ? mine : one_card(chance, rng));
        }
        for (int k = 0; k < r->acted; k++) {
            int who = r->order[k];
            if (r->act[k] != CF_PLAYED) continue;
            int card = (int)(plays[i] >> (3 * who) & 7);
            hid.played[i][who] = (int8_t)card;
            hid.hand[who][card]--;
        }
        if (i == f->pub.round && hid.seen[i] >= 0 && r->scroll != PEEK) {
            hid.drawn[r->holder] = hid.seen[i];
            for (int k = 0; k < r->acted; k++)
                if (r->order[k] == r->holder) hid.drawn[r->holder] = -1;
        }
    }
    imagine_scrolls(f, &hid, rng);
    imagine_ballots(f, &hid, rng);
    cf_assemble(out, &f->pub, &hid, cf_random(rng));
    if (f->has_mine) out->priv[f->mine.me] = f->mine;
}

/* ---- what the belief says of one truth -------------------------------------------------------------------------- */

double cf_weight_of(const cf_filter *f, const cf_hidden *hid)
{
    const layer *l = &f->layers[f->used - 1];
    int n = f->pub.rules.n, now = f->pub.round;
    uint16_t p[10] = {0};
    for (int t = 0; t < n; t++) {
        p[t] = (uint16_t)hid->role[t];
        for (int card = 0; card < 6; card++) p[t] = (uint16_t)(p[t] + hid->hand[t][card] * ONE[card]);
    }
    for (int k = 0; k < f->now_places; k++)
        if (f->places[k].act == CF_PLAYED) {
            int who = f->places[k].who;
            p[who] = (uint16_t)(p[who] + ONE[hid->played[now][who]]);
        }
    if (now >= 0) {
        const cf_round *r = &f->pub.rounds[now];
        if (r->acted < n && r->effect == 1 && (r->scroll == DRAW_NEXT || r->scroll == DRAW_PREVIOUS))
            p[r->holder] = WITH_DRAWN(p[r->holder], hid->seen[now]);
    }
    double found = 0;
    for (int32_t i = 0; i < l->count; i++)
        if (!memcmp(l->states[i].p, p, sizeof p)) found += l->states[i].w;
    for (int k = 0; k < f->now_places && found > 0; k++) {
        const place *q = &f->places[k];
        if (q->act != CF_PLAYED || q->known >= 0) continue;
        const double *chance = q->chance[row_of(f, (place *)q, NULL, p[q->who], f->size[q->who])];
        double all = 0;
        for (int card = 0; card < 7; card++) all += chance[card];
        found *= chance[hid->played[now][q->who]] / all;
    }
    return found;
}

double cf_weight_of_deal(const cf_filter *f, const int8_t *role)
{
    const layer *l = &f->layers[f->used - 1];
    double found = 0;
    for (int32_t i = 0; i < l->count; i++) {
        int same = 1;
        for (int t = 0; t < f->pub.rules.n; t++) same &= ROLE(l->states[i].p[t]) == role[t];
        if (same) found += l->states[i].w;
    }
    return found;
}
