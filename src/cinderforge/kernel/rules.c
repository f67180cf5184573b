/* The rules of the game (R3, R5 to R8), as src/cinderforge/rules has them; a test plays both side by side. */
#include <string.h>

#include "chance.h"
#include "kernel.h"

enum {
    FORCE_PLAY, REVEAL_SOURCES, DRAW_NEXT, DRAW_PREVIOUS, LINK_PLAY,
    ACT_LAST, GIFT_BLANK, FORCE_NEIGHBOURS, PEEK_HAND, INSIGHT
};

static const int8_t ADVENTURERS[11] = {0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 5}; /* by seats (R3.2) */

static int is_dragon(int role) { return role >= CF_RED; }
static int is_of_the_night(int role) { return role != CF_ADVENTURER && role != CF_SHADOW; }
static int next_of(int n, int who) { return who + 1 == n ? 0 : who + 1; }
static int previous_of(int n, int who) { return who ? who - 1 : n - 1; }
static int chosen(int n, int me, int action)
{
    int who = me + 1 + action - CF_CHOOSE;
    return who >= n ? who - n : who;
}

/* --- the deal ---------------------------------------------------------------------------------------------------- */

static void deal_hands(cf_game *g)
{
    for (int t = 0; t < g->pub.rules.n; t++) {
        int8_t *hand = g->hid.hand[t];
        if (g->hid.role[t] == CF_TWO_HEADED) {
            hand[CF_TWO_HEADED] = 2;
            hand[CF_ADVENTURER] = 1;
        } else {
            hand[g->hid.role[t]] = 1;
            hand[CF_BLANK] = 2;
        }
        g->pub.hand_size[t] = 3;
    }
    memcpy(g->hid.start_hand, g->hid.hand, sizeof g->hid.hand);
}

static void know_roles(const cf_hidden *hid, int n, int me, cf_private *v)
{
    memset(v->night, -1, sizeof v->night);
    v->night[me] = (int8_t)is_of_the_night(hid->role[me]);
    if (v->night[me])
        for (int t = 0; t < 10; t++)
            v->night[t] = t < n ? (int8_t)is_of_the_night(hid->role[t]) : -1;
}

static void learn_roles(const cf_hidden *hid, int n, cf_private *v)
{
    for (int t = 0; t < n; t++) {
        if (hid->role[t] == CF_SAGE)
            v->sage = (int8_t)t;
        if (hid->role[t] == CF_MYSTIC)
            v->mystic = (int8_t)t;
    }
}

void cf_private_of(const cf_public *pub, const cf_hidden *hid, int me, cf_private *v)
{
    memset(v, -1, sizeof *v);
    v->me = (int8_t)me;
    v->role = hid->role[me];
    v->scroll = hid->scroll[me];
    v->drawn = hid->drawn[me];
    memcpy(v->hand, hid->hand[me], sizeof v->hand);
    memcpy(v->start_hand, hid->start_hand[me], sizeof v->start_hand);
    know_roles(hid, pub->rules.n, me, v);
    for (int round = 0; round <= pub->round; round++) {
        const cf_round *r = &pub->rounds[round];
        v->plays[round] = hid->played[round][me];
        if (r->effect != 1)
            continue;
        if (r->scroll == INSIGHT && r->holder == me && hid->role[me] == CF_SHADOW)
            learn_roles(hid, pub->rules.n, v);
        const int draws = r->scroll == DRAW_NEXT || r->scroll == DRAW_PREVIOUS;
        if ((draws && (r->holder == me || r->t1 == me)) || (r->scroll == PEEK_HAND && r->holder == me)) {
            v->seen_card[round] = hid->seen[round];
            v->seen_of[round] = r->t1;
        }
    }
}

static void start_round(cf_game *g)
{
    g->pub.round++;
    g->pub.phase = CF_PASS;
    g->pub.giver = -1;
}

void cf_begin(cf_game *g, const cf_rules *rules, const int8_t *role, const int8_t *scroll, int first, uint64_t seed)
{
    cf_public *p = &g->pub;
    const int n = rules->n;
    memset(p, -1, sizeof *p);
    memset(&g->hid, -1, sizeof g->hid);
    p->rules = *rules;
    p->lasts = p->sage_activated = p->activated = p->slain = p->sage_slain = 0;
    for (int r = 0; r < 10; r++) {
        cf_round *one = &p->rounds[r];
        memset(one->act, 0, sizeof one->act);
        memset(one->how, 0, sizeof one->how);
        memset(one->count, 0, sizeof one->count);
        one->acted = one->open = 0;
    }
    memset(p->hand_size, 0, sizeof p->hand_size);
    memset(p->voted, 0, sizeof p->voted);
    memset(g->hid.hand, 0, sizeof g->hid.hand);
    memcpy(g->hid.role, role, (size_t)n);
    memcpy(g->hid.scroll, scroll, (size_t)n);
    deal_hands(g);
    for (int t = 0; t < n; t++)
        cf_private_of(p, &g->hid, t, &g->priv[t]);
    cf_seed(g->rng, seed);
    if (rules->vote_first) {
        p->phase = CF_VOTE;
    } else {
        p->holder = (int8_t)first;
        start_round(g);
    }
}

void cf_deal(cf_game *g, const cf_rules *rules, uint64_t seed)
{
    const int n = rules->n;
    uint64_t rng[2];
    int8_t role[10], scroll[10];
    int dealt = 0;
    cf_seed(rng, seed);
    role[dealt++] = CF_SAGE;
    role[dealt++] = CF_MYSTIC;
    for (int i = 0; i < ADVENTURERS[n]; i++)
        role[dealt++] = CF_ADVENTURER;
    if (n >= 7)
        role[dealt++] = CF_RED;
    role[dealt++] = CF_TWO_HEADED;
    role[dealt++] = CF_SHADOW;
    for (int last = n - 1; last > 0; last--) {
        const int at = cf_below(rng, last + 1);
        const int8_t kept = role[last];
        role[last] = role[at];
        role[at] = kept;
    }
    for (int i = 0; i < 10; i++)
        scroll[i] = (int8_t)i;
    for (int i = 0; i < n; i++) {
        const int at = i + cf_below(rng, 10 - i);
        const int8_t kept = scroll[i];
        scroll[i] = scroll[at];
        scroll[at] = kept;
    }
    cf_begin(g, rules, role, scroll, cf_below(rng, n), cf_random(rng));
}

void cf_assemble(cf_game *g, const cf_public *pub, const cf_hidden *hid, uint64_t seed)
{
    g->pub = *pub;
    g->hid = *hid;
    for (int t = 0; t < pub->rules.n; t++)
        cf_private_of(pub, hid, t, &g->priv[t]);
    cf_seed(g->rng, seed);
}

/* --- what may be done -------------------------------------------------------------------------------------------- */

int cf_awaited(const cf_public *p)
{
    switch (p->phase) {
    case CF_VOTE:
        for (int t = 0; t < p->rules.n; t++)
            if (!p->voted[t])
                return t;
        return -1;
    case CF_PLAY:
        return p->rounds[p->round].order[p->rounds[p->round].acted];
    case CF_OVER:
        return -1;
    default:
        return p->holder;
    }
}

int cf_how(const cf_public *p, int who)
{
    const cf_round *r = &p->rounds[p->round];
    if (r->effect != 1)
        return CF_FREE;
    switch (r->scroll) {
    case FORCE_PLAY:
        return who == r->t1 ? CF_MUST_PLAY : CF_FREE;
    case DRAW_NEXT:
    case DRAW_PREVIOUS:
        return who == r->holder ? CF_ONLY_DRAWN : CF_FREE;
    case LINK_PLAY:
        if (who == r->t2)
            for (int place = 0; place < r->acted; place++)
                if (r->order[place] == r->t1)
                    return r->act[place] == CF_PLAYED ? CF_MUST_PLAY : CF_MUST_SKIP;
        return CF_FREE;
    case FORCE_NEIGHBOURS:
        return p->hand_size[who] && (who == next_of(p->rules.n, r->holder) || who == previous_of(p->rules.n, r->holder))
            ? CF_MUST_PLAY : CF_FREE;
    default:
        return CF_FREE;
    }
}

/* Bits of players as bits of actions: turned round, so that the first is the one after me. */
static uint32_t choices(int n, int me, uint32_t players)
{
    const uint32_t all = (1u << n) - 1;
    return (((players >> (me + 1)) | (players << (n - 1 - me))) & all) << CF_CHOOSE;
}

static uint32_t with_cards(const cf_public *p)
{
    uint32_t found = 0;
    for (int t = 0; t < p->rules.n; t++)
        found |= (uint32_t)(p->hand_size[t] > 0) << t;
    return found;
}

static uint32_t unfired(const cf_public *p)
{
    uint32_t found = 0;
    for (int t = 0; t < p->rules.n; t++)
        found |= (uint32_t)(p->fired_round[t] < 0) << t;
    return found;
}

/* Whom the scroll that fires may be turned on (R6). */
static uint32_t candidates(const cf_public *p, int scroll)
{
    switch (scroll) {
    case FORCE_PLAY:
    case LINK_PLAY:
        return with_cards(p);
    case PEEK_HAND:
        return with_cards(p) & ~(1u << p->holder);
    default:
        return ((1u << p->rules.n) - 1) & ~(1u << p->holder);
    }
}

static uint32_t playable(int how, const int8_t *hand, int drawn)
{
    uint32_t kinds = 0;
    for (int kind = 0; kind < 7; kind++)
        kinds |= (uint32_t)(hand[kind] > 0) << kind;
    switch (how) {
    case CF_MUST_PLAY:
        return kinds;
    case CF_MUST_SKIP:
        return 1u << CF_SKIP;
    case CF_ONLY_DRAWN:
        return (1u << drawn) | (1u << CF_SKIP);
    case CF_MUST_PLAY_DRAWN:
        return 1u << drawn;
    default:
        return kinds | (1u << CF_SKIP);
    }
}

uint32_t cf_legal(const cf_public *p, const cf_private *v)
{
    const int n = p->rules.n, me = v->me;
    const cf_round *r = &p->rounds[p->round];
    switch (p->phase) {
    case CF_VOTE:
        return choices(n, me, (1u << n) - 1);
    case CF_PASS:
        return choices(n, me, unfired(p) & ~(1u << me));
    case CF_TARGET1:
        return choices(n, me, candidates(p, r->scroll));
    case CF_TARGET2:
        return choices(n, me, candidates(p, r->scroll) & ~(1u << r->t1));
    case CF_PLAY:
        return playable(cf_how(p, me), v->hand, v->drawn);
    default:
        return 0;
    }
}

uint32_t cf_mask(const cf_game *g)
{
    const int who = cf_awaited(&g->pub);
    return who < 0 ? 0 : cf_legal(&g->pub, &g->priv[who]);
}

/* --- the end of a round, and of the game --------------------------------------------------------------------------- */

static void end_game(cf_public *p, int winner, int reason)
{
    p->phase = CF_OVER;
    p->winner = (int8_t)winner;
    p->reason = (int8_t)reason;
}

static int humans_hold_persons(const cf_game *g)
{
    for (int t = 0; t < g->pub.rules.n; t++) {
        const int8_t *hand = g->hid.hand[t];
        if (!is_dragon(g->hid.role[t]) && (hand[CF_SAGE] || hand[CF_MYSTIC] || hand[CF_ADVENTURER]))
            return 1;
    }
    return 0;
}

static void resolve(cf_game *g)
{
    cf_public *p = &g->pub;
    cf_round *r = &p->rounds[p->round];
    const int8_t *cards = g->hid.played[p->round];
    for (int t = 0; t < p->rules.n; t++)
        if (cards[t] >= 0)
            r->count[cards[t]]++;
    if (r->open)
        memcpy(r->source, cards, sizeof r->source);
    const int sage = r->count[CF_SAGE], others = r->count[CF_MYSTIC] + r->count[CF_ADVENTURER];
    const int dragons = r->count[CF_RED] + r->count[CF_TWO_HEADED] + r->count[CF_SHADOW];
    if (dragons) {
        p->slain = (int8_t)(p->slain + others);
        p->sage_slain |= sage > 0;
    } else {
        p->activated = (int8_t)(p->activated + others);
        p->sage_activated |= sage > 0;
    }
    if (p->rules.sage_slain_ends && sage && dragons)
        end_game(p, CF_DRAGON, CF_SAGE_SLAIN);
    else if (p->sage_activated && p->activated >= p->rules.act_target)
        end_game(p, CF_HUMAN, CF_SAGE_AND_OTHERS_ACTIVATED);
    else if (!p->rules.sage_slain_ends && p->activated >= 2 * p->rules.act_target)
        end_game(p, CF_HUMAN, CF_DOUBLE_ACTIVATED);
    else if (p->slain >= p->rules.kill_target)
        end_game(p, CF_DRAGON, CF_SLAIN);
    else if (p->round + 1 == p->rules.n)
        end_game(p, humans_hold_persons(g) ? CF_DRAGON : CF_HUMAN, CF_SCROLLS_SPENT);
    else
        start_round(g);
}

/* --- play (R5.5) --------------------------------------------------------------------------------------------------- */

/* On to the next player with cards; after the last one the round resolves. */
static void go_round(cf_game *g)
{
    cf_public *p = &g->pub;
    cf_round *r = &p->rounds[p->round];
    while (r->acted < p->rules.n && !p->hand_size[r->order[r->acted]])
        r->act[r->acted++] = CF_EMPTY;
    if (r->acted == p->rules.n)
        resolve(g);
}

static int place_of(const cf_round *r, int who)
{
    int place = 0;
    while (r->order[place] != who)
        place++;
    return place;
}

/* R6.12: turn order from the holder, then who acts last, then the link. */
static void set_order(const cf_public *p, cf_round *r)
{
    const int n = p->rules.n;
    int8_t last[10];
    int lasts = p->lasts, placed = 0;
    uint32_t is_last = 0;
    memcpy(last, p->last, sizeof last);
    if (r->scroll == ACT_LAST && !p->rules.act_last_game)
        last[lasts++] = r->holder;
    for (int i = 0; i < lasts; i++)
        is_last |= 1u << last[i];
    for (int i = 0, who = r->holder; i < n; i++, who = next_of(n, who))
        if (!(is_last >> who & 1))
            r->order[placed++] = (int8_t)who;
    for (int i = 0; i < lasts; i++)
        r->order[placed++] = last[i];
    if (r->scroll == LINK_PLAY && r->effect == 1) {
        const int leader = place_of(r, r->t1), follower = place_of(r, r->t2);
        if (follower < leader) {
            memmove(&r->order[follower], &r->order[follower + 1], (size_t)(leader - follower));
            r->order[leader] = r->t2;
        }
    }
}

static void begin_play(cf_game *g)
{
    cf_public *p = &g->pub;
    set_order(p, &p->rounds[p->round]);
    p->phase = CF_PLAY;
    go_round(g);
}

static void act(cf_game *g, int who, int card)
{
    cf_public *p = &g->pub;
    cf_round *r = &p->rounds[p->round];
    r->how[r->acted] = (int8_t)cf_how(p, who);
    r->act[r->acted++] = card == CF_SKIP ? CF_SKIPPED : CF_PLAYED;
    g->hid.drawn[who] = g->priv[who].drawn = -1;
    if (card != CF_SKIP) {
        g->hid.hand[who][card]--;
        g->priv[who].hand[card]--;
        p->hand_size[who]--;
        g->hid.played[p->round][who] = g->priv[who].plays[p->round] = (int8_t)card;
    }
    go_round(g);
}

/* --- scrolls (R6) -------------------------------------------------------------------------------------------------- */

static void settle(cf_game *g, int effect)
{
    g->pub.rounds[g->pub.round].effect = (int8_t)effect;
    begin_play(g);
}

/* A choice of players is asked for where there are enough to choose from (R5.4). */
static void ask(cf_game *g, int scroll, int count)
{
    if (__builtin_popcount(candidates(&g->pub, scroll)) >= count)
        g->pub.phase = CF_TARGET1;
    else
        settle(g, 0);
}

static void lay_row(cf_game *g, int of)
{
    if (!g->pub.hand_size[of]) {
        settle(g, 0);
        return;
    }
    g->pub.rounds[g->pub.round].t1 = (int8_t)of;
    g->pub.phase = CF_ROW;
}

static void give_crystal(cf_game *g, int to)
{
    cf_public *p = &g->pub;
    cf_round *r = &p->rounds[p->round];
    const int n = p->rules.n, scroll = g->hid.scroll[to];
    p->giver = r->giver = p->holder;
    p->holder = r->holder = (int8_t)to;
    p->fired_scroll[to] = r->scroll = (int8_t)scroll;
    p->fired_round[to] = p->round;
    for (int i = 0, who = to; i < n; i++, who = next_of(n, who))
        r->order[i] = (int8_t)who;
    switch (scroll) {
    case FORCE_PLAY:
    case GIFT_BLANK:
    case PEEK_HAND:
        ask(g, scroll, 1);
        break;
    case LINK_PLAY:
        ask(g, scroll, 2);
        break;
    case DRAW_NEXT:
        lay_row(g, next_of(n, to));
        break;
    case DRAW_PREVIOUS:
        lay_row(g, previous_of(n, to));
        break;
    case REVEAL_SOURCES:
        r->open = 1;
        settle(g, 1);
        break;
    case ACT_LAST:
        if (p->rules.act_last_game)
            p->last[p->lasts++] = (int8_t)to;
        settle(g, 1);
        break;
    case INSIGHT:
        if (g->hid.role[to] == CF_SHADOW)
            learn_roles(&g->hid, n, &g->priv[to]);
        settle(g, 1);
        break;
    default:
        settle(g, 1);
    }
}

static void choose_first(cf_game *g, int target)
{
    cf_public *p = &g->pub;
    cf_round *r = &p->rounds[p->round];
    r->t1 = (int8_t)target;
    if (r->scroll == LINK_PLAY) {
        p->phase = CF_TARGET2;
    } else if (r->scroll == PEEK_HAND) {
        p->phase = CF_ROW;
    } else {
        if (r->scroll == GIFT_BLANK) {
            g->hid.hand[target][CF_BLANK]++;
            g->priv[target].hand[CF_BLANK]++;
            p->hand_size[target]++;
        }
        settle(g, 1);
    }
}

static void see(cf_private *v, int round, int card, int of)
{
    v->seen_card[round] = (int8_t)card;
    v->seen_of[round] = (int8_t)of;
}

static void take_from_row(cf_game *g, int card)
{
    cf_public *p = &g->pub;
    const cf_round *r = &p->rounds[p->round];
    const int of = r->t1, who = p->holder;
    if (card < 0) {
        int at = cf_below(g->rng, p->hand_size[of]);
        for (card = 0; at >= g->hid.hand[of][card]; card++)
            at -= g->hid.hand[of][card];
    }
    g->hid.seen[p->round] = (int8_t)card;
    see(&g->priv[who], p->round, card, of);
    if (r->scroll != PEEK_HAND) {
        see(&g->priv[of], p->round, card, of);
        g->hid.hand[of][card]--;
        g->priv[of].hand[card]--;
        p->hand_size[of]--;
        g->hid.hand[who][card]++;
        g->priv[who].hand[card]++;
        p->hand_size[who]++;
        g->hid.drawn[who] = g->priv[who].drawn = (int8_t)card;
    }
    settle(g, 1);
}

/* --- the vote (R5.1) ----------------------------------------------------------------------------------------------- */

static void vote(cf_game *g, int who, int target, int elected)
{
    cf_public *p = &g->pub;
    const int n = p->rules.n;
    int votes[10] = {0}, most = 0, tied = 0, found[10];
    g->hid.ballot[who] = (int8_t)target;
    p->voted[who] = 1;
    for (int t = 0; t < n; t++) {
        if (!p->voted[t])
            return;
        if (g->hid.ballot[t] >= 0 && ++votes[g->hid.ballot[t]] > most)
            most = votes[g->hid.ballot[t]];
    }
    memcpy(p->ballot, g->hid.ballot, sizeof p->ballot);
    for (int t = 0; t < n; t++)
        if (votes[t] == most)
            found[tied++] = t;
    if (tied == 1)
        elected = found[0];
    else if (elected < 0)
        elected = found[cf_below(g->rng, tied)];
    p->holder = (int8_t)elected;
    start_round(g);
}

/* --- one step, and whole games ------------------------------------------------------------------------------------- */

void cf_apply(cf_game *g, int action, int chance)
{
    const int who = cf_awaited(&g->pub), n = g->pub.rules.n;
    switch (g->pub.phase) {
    case CF_VOTE:
        vote(g, who, action == CF_NOBODY ? -2 : chosen(n, who, action), chance);
        break;
    case CF_PASS:
        give_crystal(g, chosen(n, who, action));
        break;
    case CF_TARGET1:
        choose_first(g, chosen(n, who, action));
        break;
    case CF_TARGET2:
        g->pub.rounds[g->pub.round].t2 = (int8_t)chosen(n, who, action);
        settle(g, 1);
        break;
    case CF_ROW:
        take_from_row(g, chance);
        break;
    case CF_PLAY:
        act(g, who, action);
        break;
    default:
        break;
    }
}

int cf_take(cf_game *g, int action, int chance)
{
    const cf_public *p = &g->pub;
    if (p->phase == CF_ROW) {
        if (chance < -1 || chance > CF_BLANK || (chance >= 0 && !g->hid.hand[p->rounds[p->round].t1][chance]))
            return -1;
    } else {
        if (chance < -1 || chance >= p->rules.n || (p->phase == CF_VOTE && action == CF_NOBODY ? 0 :
            action < 0 || action >= CF_ACTIONS || !(cf_mask(g) >> action & 1)))
            return -1;
    }
    cf_apply(g, action, chance);
    return 0;
}

int cf_next(cf_game *g)
{
    while (g->pub.phase == CF_ROW)
        cf_apply(g, 0, -1);
    return cf_awaited(&g->pub);
}

/* The place of the k-th bit that is set. */
static int bit_number(uint32_t mask, int k)
{
    while (k--)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}

int cf_finish(cf_game *g)
{
    int decisions = 0;
    while (g->pub.phase != CF_OVER) {
        const uint32_t mask = cf_mask(g);
        cf_apply(g, mask ? bit_number(mask, cf_below(g->rng, __builtin_popcount(mask))) : 0, -1);
        decisions++;
    }
    return decisions;
}

int64_t cf_random_games(const cf_rules *rules, int64_t games, uint64_t seed, int64_t *human_wins, int64_t *reasons)
{
    cf_game g;
    int64_t decisions = 0;
    for (int64_t number = 0; number < games; number++) {
        cf_deal(&g, rules, cf_mix(&seed));
        decisions += cf_finish(&g);
        *human_wins += g.pub.winner == CF_HUMAN;
        reasons[g.pub.reason]++;
    }
    return decisions;
}
