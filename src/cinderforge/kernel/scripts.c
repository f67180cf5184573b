/* Scripted minds, to train against and to measure by. */
#include <string.h>

#include "chance.h"
#include "kernel.h"
#include "net.h"

enum { FORCE_PLAY = 0, LINK_PLAY = 4, FORCE_NEIGHBOURS = 7, GIFT_BLANK = 6 };
enum { DICE = 1, SKIPPER, PLAIN, EAGER, BLANKS };

static int is_dragon_card(int card) { return card >= CF_RED && card <= CF_SHADOW; }

static int any_of(uint32_t mask, uint64_t rng[2])
{
    int k = cf_below(rng, __builtin_popcount(mask));
    while (k--)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}

/* plain's doubts (bots/plain.py): how likely each other player is a dragon. */
static void doubts(const cf_public *p, const cf_private *v, float *odds)
{
    const int n = p->rules.n, left = 2 + (n >= 7) - (v->role >= CF_RED);
    for (int t = 0; t < n; t++)
        odds[t] = (float)left / (float)(n - 1);
    for (int i = 0; i < p->round; i++) {
        const cf_round *r = &p->rounds[i];
        const int dragons = r->count[CF_RED] + r->count[CF_TWO_HEADED] + r->count[CF_SHADOW];
        int played = 0;
        for (int place = 0; place < n; place++)
            played += r->act[place] == CF_PLAYED;
        for (int place = 0; place < n; place++) {
            const int t = r->order[place];
            float *one = &odds[t];
            if (r->open) {
                if (r->source[t] >= 0 && r->source[t] != CF_BLANK)
                    *one = is_dragon_card(r->source[t]) ? 0.98f : *one < 0.25f ? *one : 0.25f;
            } else if (r->act[place] != CF_PLAYED) {
                *one *= dragons ? 0.75f : 1.1f;
            } else if (dragons) {
                const float share = (float)dragons / (float)played;
                *one = (*one > share ? *one : share) * 1.15f;
            } else {
                *one *= 0.8f;
            }
        }
    }
    for (int t = 0; t < n; t++) {
        if (t == v->sage || t == v->mystic)
            odds[t] = 0.02f;
        odds[t] = odds[t] < 0.02f ? 0.02f : odds[t] > 0.98f ? 0.98f : odds[t];
    }
    odds[v->me] = 0;
}

static int player_of(int n, int me, int action) { return (me + 1 + action - CF_CHOOSE) % n; }

/* The most (or least) doubtful of those on offer, oneself only if there is nobody else. */
static int by_doubt(const cf_public *p, const cf_private *v, uint32_t mask, int most, uint64_t rng[2])
{
    float odds[10], best = -1e9f;
    int found = -1;
    const int n = p->rules.n;
    doubts(p, v, odds);
    for (int a = CF_CHOOSE; a < CF_CHOOSE + n; a++) {
        const int t = player_of(n, v->me, a);
        if (!(mask >> a & 1) || (t == v->me && mask & (mask - 1)))
            continue;
        float worth = odds[t] + cf_uniform(rng) * 0.05f;
        worth = most ? worth : -worth;
        if (worth > best)
            best = worth, found = a;
    }
    return found;
}

static float danger(const cf_public *p, const cf_private *v)
{
    const cf_round *r = &p->rounds[p->round];
    float odds[10], safe = 1;
    doubts(p, v, odds);
    for (int place = 0; place < p->rules.n; place++) {
        const int t = r->order[place], act = place < r->acted ? r->act[place] : CF_NOT_YET;
        if (t == v->me || act == CF_SKIPPED || act == CF_EMPTY || (act == CF_NOT_YET && !p->hand_size[t]))
            continue;
        const int forced = cf_how(p, t) == CF_MUST_PLAY || t == r->t2;
        safe *= 1 - odds[t] * (act == CF_PLAYED ? 0.75f : forced ? 0.6f : 0.5f);
    }
    return 1 - safe;
}

static int human_card(const cf_public *p, const cf_private *v, uint32_t mask, uint64_t rng[2])
{
    const float risk = danger(p, v);
    const int last = p->round == p->rules.n - 1;
    if (v->drawn >= 0 && is_dragon_card(v->drawn))
        return -1;
    if (mask & 1 << CF_SAGE && !p->sage_activated
        && (risk < (p->activated >= p->rules.act_target ? 0.62f : 0.45f) || last))
        return CF_SAGE;
    for (int card = CF_MYSTIC; card <= CF_ADVENTURER; card++)
        if (mask >> card & 1) {
            if (risk < (p->slain + 1 >= p->rules.kill_target ? 0.42f : 0.66f) || last)
                return card;
            break;
        }
    return mask & 1 << CF_BLANK && cf_uniform(rng) < 0.35f ? CF_BLANK : -1;
}

static int dragon_card(const cf_public *p, const cf_private *v, uint32_t mask, uint64_t rng[2])
{
    const cf_round *r = &p->rounds[p->round];
    (void)v;
    for (int card = CF_RED; card <= CF_SHADOW; card++) {
        if (!(mask >> card & 1))
            continue;
        int struck = 0, played = 0;
        for (int i = 0; i < p->round; i++)
            struck += p->rounds[i].count[CF_RED] + p->rounds[i].count[CF_TWO_HEADED] + p->rounds[i].count[CF_SHADOW];
        for (int place = 0; place < r->acted; place++)
            played += r->act[place] == CF_PLAYED;
        const int turn = struck % 4;
        const int mine = card == CF_TWO_HEADED ? turn == 0 || turn == 2 : card == CF_RED ? turn == 1 : turn == 3;
        const int threat = p->activated + p->sage_activated >= p->rules.act_target;
        const float eager = mine ? 0.94f : 0.1f + 0.04f * (float)played + (threat ? 0.3f : 0);
        if (p->round == p->rules.n - 1 || cf_uniform(rng) < eager)
            return card;
        break;
    }
    return mask & 1 << CF_BLANK && cf_uniform(rng) < 0.45f ? CF_BLANK : -1;
}

static int plain(const cf_public *p, const cf_private *v, uint32_t mask, uint64_t rng[2])
{
    const int n = p->rules.n, human = v->role < CF_RED;
    if (p->phase == CF_VOTE)
        return CF_CHOOSE + n - 1;
    if (p->phase == CF_PASS)
        return by_doubt(p, v, mask, !human || p->rules.n - p->round <= 2, rng);
    if (p->phase != CF_PLAY) {
        const int scroll = p->rounds[p->round].scroll;
        return by_doubt(p, v, mask, human != (human && scroll == FORCE_PLAY), rng);
    }
    int card = human ? human_card(p, v, mask, rng) : dragon_card(p, v, mask, rng);
    if (card >= 0)
        return card;
    if (mask & 1 << CF_SKIP)
        return CF_SKIP;
    if (mask & 1 << CF_BLANK)
        return CF_BLANK;
    for (int i = 0; i < 6; i++) { /* people: others first, then dragons, the sage last; dragons: dragons first */
        static const int8_t order[2][6] = {{CF_RED, CF_TWO_HEADED, CF_SHADOW, CF_MYSTIC, CF_ADVENTURER, CF_SAGE},
                                           {CF_MYSTIC, CF_ADVENTURER, CF_RED, CF_TWO_HEADED, CF_SHADOW, CF_SAGE}};
        if (mask >> order[human][i] & 1)
            return order[human][i];
    }
    return any_of(mask, rng);
}

int cf_script(int kind, const cf_public *p, const cf_private *v, uint32_t mask, uint64_t rng[2])
{
    const uint32_t persons = mask & (1u << CF_SAGE | 1u << CF_MYSTIC | 1u << CF_ADVENTURER);
    const uint32_t dragons = mask & (1u << CF_RED | 1u << CF_TWO_HEADED | 1u << CF_SHADOW);
    if (kind == PLAIN)
        return plain(p, v, mask, rng);
    if (p->phase != CF_PLAY || kind == DICE)
        return any_of(mask, rng);
    if (kind == EAGER && (v->role < CF_RED ? persons : dragons))
        return any_of(v->role < CF_RED ? persons : dragons, rng);
    if (kind == BLANKS && mask & 1u << CF_BLANK && cf_uniform(rng) < 0.8f)
        return CF_BLANK;
    if (kind == BLANKS && cf_uniform(rng) < 0.5f)
        return any_of(mask, rng);
    return mask & 1u << CF_SKIP ? CF_SKIP : mask & 1u << CF_BLANK ? CF_BLANK : any_of(mask, rng);
}
