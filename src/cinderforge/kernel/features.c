/* What a net is shown of a game: numbers that follow from the public record and a seat's own knowledge, no more (R11).
   The suspicion in it is a rough one: roles by player, as far as the cards shown and who had played tell. */
#include <string.h>

#include "kernel.h"
#include "net.h"
#include "suspicion.h"

static const int8_t ADVENTURERS[11] = {0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 5};
enum { DRAW_NEXT = 2, DRAW_PREVIOUS = 3, PEEK_HAND = 8 };

/* --- suspicion ----------------------------------------------------------------------------------------------------- */

static int is_draw(const cf_round *r) { return r->effect == 1 && (r->scroll == DRAW_NEXT || r->scroll == DRAW_PREVIOUS); }

/* One card that was certainly in this player's hand. */
static void held(float row[6], int card, float doubt)
{
    for (int role = 0; role < 6; role++) {
        const int fits = card == CF_BLANK ? role != CF_TWO_HEADED
            : card == CF_ADVENTURER ? role == CF_ADVENTURER || role == CF_TWO_HEADED : role == card;
        if (!fits)
            row[role] *= doubt;
    }
}

static void balance(float m[10][6], const float *want, uint32_t rows, int n)
{
    for (int turn = 0; turn < 6; turn++) {
        float sum[6] = {0};
        for (int t = 0; t < n; t++)
            if (rows >> t & 1)
                for (int role = 0; role < 6; role++)
                    sum[role] += m[t][role];
        for (int role = 0; role < 6; role++)
            sum[role] = want[role] > 0 ? want[role] / (sum[role] + 1e-9f) : 0;
        for (int t = 0; t < n; t++) {
            if (!(rows >> t & 1))
                continue;
            float all = 1e-9f;
            for (int role = 0; role < 6; role++)
                all += m[t][role] *= sum[role];
            for (int role = 0; role < 6; role++)
                m[t][role] /= all;
        }
    }
}

void cf_suspect(const cf_public *p, const cf_private *v, cf_suspicion *s)
{
    const int n = p->rules.n, me = v ? v->me : -1;
    float want[6] = {1, 1, ADVENTURERS[n], n >= 7, 1, 1};
    float (*m)[6] = s->role;
    uint32_t rows = (1u << n) - 1, carrier[10], moved = 0;
    float unspent[10];
    int shown[7] = {0};
    memset(s, 0, sizeof *s);
    for (int t = 0; t < n; t++) {
        unspent[t] = 1;
        carrier[t] = 1u << t;
        for (int role = 0; role < 6; role++)
            m[t][role] = want[role] > 0;
    }
    if (v) {
        for (int t = 0; t < n; t++) {
            if (t == me || v->night[t] < 0)
                continue;
            for (int role = 0; role < 6; role++)
                if ((role != CF_ADVENTURER && role != CF_SHADOW) != v->night[t])
                    m[t][role] = 0;
        }
        for (int t = 0; t < n; t++) {
            const int known = t == me ? v->role : t == v->sage ? CF_SAGE : t == v->mystic ? CF_MYSTIC : -1;
            if (known < 0)
                continue;
            memset(m[t], 0, sizeof m[t]);
            m[t][known] = 1;
            want[known] -= 1;
            rows &= ~(1u << t);
        }
    }
    const int done = p->phase == CF_OVER ? p->round + 1 : p->round;
    for (int i = 0; i <= p->round; i++) {
        const cf_round *r = &p->rounds[i];
        const int seen = v ? v->seen_card[i] : -1;
        if (seen >= 0 && v->seen_of[i] != me)
            held(m[v->seen_of[i]], seen, 0.03f);
        if (is_draw(r) && seen != CF_BLANK) {
            moved |= 1u << r->t1;
            for (int t = 0; t < n; t++)
                if (carrier[t] >> r->t1 & 1)
                    carrier[t] |= 1u << r->holder;
        }
        if (i >= done)
            break;
        int count[7], played = 0;
        uint32_t who = 0;
        for (int kind = 0; kind < 7; kind++)
            count[kind] = r->count[kind], shown[kind] += r->count[kind];
        for (int place = 0; place < r->acted; place++)
            if (r->act[place] == CF_PLAYED)
                who |= 1u << r->order[place], played++;
        if (me >= 0 && v->plays[i] >= 0) {
            count[v->plays[i]]--;
            who &= ~(1u << me);
            played--;
        }
        if (!played)
            continue;
        const float share = 1.0f / (float)played;
        for (int t = 0; t < n; t++) {
            if (!(rows >> t & 1))
                continue;
            for (int role = 0; role < 6; role++)
                if (role != CF_ADVENTURER && count[role] && !(carrier[t] & who))
                    m[t][role] *= 0.004f;
            if (!(who >> t & 1))
                continue;
            if (r->open && r->source[t] >= 0) {
                held(m[t], r->source[t], 0.03f);
                if (r->source[t] == CF_ADVENTURER)
                    unspent[t] = 0;
                continue;
            }
            unspent[t] *= 1 - (float)count[CF_ADVENTURER] * share;
            for (int role = 0; role < 6; role++) {
                const int fits = role == CF_TWO_HEADED ? count[CF_TWO_HEADED] + count[CF_ADVENTURER]
                    : count[CF_BLANK] + count[role];
                m[t][role] *= 0.02f + (float)fits * share;
            }
        }
    }
    for (int t = 0; t < n; t++)
        if ((rows >> t & 1) && !p->hand_size[t] && !(moved >> t & 1))
            for (int role = 0; role < 6; role++)
                if (role != CF_ADVENTURER && shown[role] < 1 + (role == CF_TWO_HEADED))
                    m[t][role] *= 0.02f;
    balance(m, want, rows, n);
    for (int t = 0; t < n; t++) {
        s->dragon[t] = m[t][CF_RED] + m[t][CF_TWO_HEADED] + m[t][CF_SHADOW];
        if (!p->hand_size[t])
            continue;
        s->holds_dragon[t] = m[t][CF_RED] * !shown[CF_RED] + m[t][CF_SHADOW] * !shown[CF_SHADOW]
            + m[t][CF_TWO_HEADED] * (shown[CF_TWO_HEADED] < 2);
        s->holds_sage[t] = m[t][CF_SAGE] * !shown[CF_SAGE];
        s->holds_person[t] = m[t][CF_MYSTIC] * !shown[CF_MYSTIC] + m[t][CF_ADVENTURER] * unspent[t];
    }
    for (int kind = 0; kind < 7; kind++)
        s->shown[kind] = (int8_t)shown[kind];
    if (!v)
        return;
    /* Cards that I saw change hands, as long as they were not shown since. */
    for (int i = 0; i <= p->round; i++) {
        const int card = v->seen_card[i], from = v->seen_of[i], to = p->rounds[i].holder;
        if (card < 0 || card == CF_BLANK || !is_draw(&p->rounds[i]))
            continue;
        const int gone = card == CF_ADVENTURER ? 0 : shown[card] >= 1 + (card == CF_TWO_HEADED);
        float *here = card == CF_SAGE ? s->holds_sage : card >= CF_RED ? s->holds_dragon : s->holds_person;
        if (card != CF_TWO_HEADED && card != CF_ADVENTURER)
            here[from] = 0;
        if (!gone && to != me && p->hand_size[to])
            here[to] = here[to] > 0.9f ? here[to] : 0.9f;
    }
    s->holds_dragon[me] = v->hand[CF_RED] + v->hand[CF_SHADOW] + v->hand[CF_TWO_HEADED] > 0;
    s->holds_sage[me] = v->hand[CF_SAGE] > 0;
    s->holds_person[me] = v->hand[CF_MYSTIC] + v->hand[CF_ADVENTURER] > 0;
}

/* --- features ------------------------------------------------------------------------------------------------------ */

static float at_most(int x, int most) { return (float)(x > most ? most : x); }

/* The record of one player over the rounds that are over. */
static void record(const cf_public *p, const cf_suspicion *s, int me, float (*f)[CF_PLAYER_FEATURES])
{
    const int n = p->rules.n, done = p->phase == CF_OVER ? p->round + 1 : p->round;
    for (int i = 0; i <= p->round; i++) {
        const cf_round *r = &p->rounds[i];
        if (r->holder < 0)
            continue;
        const int giver = (r->giver - me - 1 + 2 * n) % n, holder = (r->holder - me - 1 + 2 * n) % n;
        f[giver][51] += r->holder == me;
        f[giver][52] += s->dragon[r->holder];
        f[holder][53] = s->dragon[r->giver];
        if (i >= done)
            break;
        int played = 0;
        const float dragons = (float)(r->count[CF_RED] + r->count[CF_TWO_HEADED] + r->count[CF_SHADOW]);
        const float persons = (float)(r->count[CF_SAGE] + r->count[CF_MYSTIC] + r->count[CF_ADVENTURER]);
        for (int place = 0; place < n; place++)
            played += r->act[place] == CF_PLAYED;
        const float share = played ? 1.0f / (float)played : 0;
        for (int place = 0; place < n; place++) {
            float *one = f[(r->order[place] - me - 1 + 2 * n) % n];
            const int free = r->how[place] == CF_FREE || r->how[place] == CF_ONLY_DRAWN;
            if (r->act[place] == CF_PLAYED) {
                one[free ? 39 : 41] += 0.5f;
                one[free ? 42 : 43] += dragons * share;
                one[dragons > 0 ? 45 : 44] += persons * share;
                one[50] += free && place < 2 ? 0.5f : 0;
                one[48] = i == done - 1;
            } else if (r->act[place] == CF_SKIPPED && free) {
                one[40] += 0.5f;
                one[dragons > 0 ? 46 : 47] += 0.5f;
                one[49] = i == done - 1;
            }
        }
    }
}

void cf_features(const cf_public *p, const cf_private *v, float *g, float *players)
{
    const int n = p->rules.n, me = v->me, round = p->round < 0 ? 0 : p->round;
    const int playing = p->phase == CF_PLAY, fired = p->phase >= CF_TARGET1;
    const cf_round *r = &p->rounds[round];
    float (*f)[CF_PLAYER_FEATURES] = (float (*)[CF_PLAYER_FEATURES])players;
    cf_suspicion mine, all;
    cf_suspect(p, v, &mine);
    cf_suspect(p, NULL, &all);
    memset(g, 0, sizeof(float) * CF_GLOBAL_FEATURES);
    memset(players, 0, sizeof(float) * CF_SLOTS * CF_PLAYER_FEATURES);
    int8_t place[10];
    memset(place, -1, sizeof place);
    if (fired)
        for (int i = 0; i < n; i++)
            place[r->order[i]] = (int8_t)i;
    int played = 0, skipped = 0, waiting = 0;
    for (int slot = 0; slot < n; slot++) {
        const int t = (me + 1 + slot) % n, size = p->hand_size[t];
        float *x = f[slot];
        x[0] = 1;
        x[1] = t == me;
        x[2] = slot == 0;
        x[3] = slot == n - 2;
        x[4] = (float)(slot + 1) / (float)n;
        for (int role = 0; role < 6; role++)
            x[5 + role] = mine.role[t][role];
        x[11] = mine.dragon[t];
        x[12] = all.dragon[t];
        x[13] = all.role[t][CF_SAGE];
        x[14] = mine.holds_dragon[t];
        x[15] = mine.holds_sage[t];
        x[16] = mine.holds_person[t];
        x[17] = v->night[t] == 1;
        x[18] = v->night[t] == 0;
        x[19] = v->sage == t;
        x[20] = v->mystic == t;
        x[21 + (size > 3 ? 3 : size)] = 1;
        x[25] = p->fired_round[t] < 0;
        if (playing) {
            const int act = place[t] < r->acted ? r->act[place[t]] : CF_NOT_YET;
            x[26 + act] = 1;
            if (act == CF_NOT_YET && t != me && size) {
                x[30] = (float)(place[t] - r->acted) / (float)n;
                g[98] += mine.holds_dragon[t];
                g[99] += mine.holds_sage[t];
                g[100] += mine.holds_person[t];
                waiting++;
            } else if (act == CF_PLAYED) {
                played++;
                g[95] += mine.holds_dragon[t];
                g[96] += mine.holds_sage[t];
                g[97] += mine.holds_person[t];
                g[101] = g[101] > mine.holds_dragon[t] ? g[101] : mine.holds_dragon[t];
                g[102] = g[102] > mine.holds_sage[t] ? g[102] : mine.holds_sage[t];
            } else {
                skipped += act == CF_SKIPPED;
            }
            const int how = cf_how(p, t);
            if (how && act == CF_NOT_YET)
                x[30 + how] = 1;
        }
        if (fired) {
            x[34] = r->holder == t;
            x[35] = r->giver == t;
            x[36] = r->t1 == t;
            x[37] = r->t2 == t;
        }
        g[106] += mine.holds_person[t] / 4;
    }
    for (int i = 0; i < p->lasts; i++)
        f[(p->last[i] - me - 1 + 2 * n) % n][38] = 1;
    record(p, &mine, me, f);
    for (int i = 0; i <= p->round; i++) {
        const cf_round *past = &p->rounds[i];
        const int card = v->seen_card[i];
        if (card < 0)
            continue;
        const int of = v->seen_of[i], slot = (of - me - 1 + 2 * n) % n, by = (past->holder - me - 1 + 2 * n) % n;
        const int kind = card >= CF_RED && card <= CF_SHADOW ? 0 : card == CF_BLANK ? 2 : 1;
        if (of != me)
            f[slot][54 + kind] = 1;
        else if (kind < 2)
            f[by][58 + kind] = 1;
    }
    for (int i = 0; i <= p->round; i++)
        if (p->rounds[i].effect == 1 && p->rounds[i].t1 == me && (is_draw(&p->rounds[i]) || p->rounds[i].scroll == PEEK_HAND))
            f[(p->rounds[i].holder - me - 1 + 2 * n) % n][57] = 1;
    if (p->rules.vote_first && p->round >= 0)
        for (int t = 0; t < n; t++) {
            if (p->ballot[t] == me)
                f[(t - me - 1 + 2 * n) % n][61] = 1;
            if (p->ballot[t] >= 0)
                f[(p->ballot[t] - me - 1 + 2 * n) % n][62] += 1.0f / (float)n;
        }
    g[v->role] = 1;
    g[6] = v->role < CF_RED;
    int cards = 0;
    for (int kind = 0; kind < 7; kind++) {
        g[7 + kind] = (float)v->hand[kind] * (kind == CF_BLANK ? 0.34f : 0.5f);
        cards += v->hand[kind];
    }
    if (v->drawn >= 0)
        g[14 + v->drawn] = 1;
    g[21] = (float)cards / 3;
    g[22 + (playing ? 4 : p->phase == CF_ROW ? 2 : p->phase > CF_TARGET2 ? 4 : p->phase)] = 1;
    if (fired && r->scroll >= 0) {
        g[27 + r->scroll] = 1;
        g[37] = r->effect == 1;
    }
    g[38 + v->scroll] = 1;
    g[48] = p->fired_round[me] < 0;
    g[49 + n - 5] = 1;
    g[55] = p->rules.sage_slain_ends;
    g[56] = p->rules.act_last_game;
    g[57] = p->rules.vote_first;
    g[58] = (float)round / (float)n;
    g[59] = (float)(n - 1 - round) / (float)n;
    g[60] = round == n - 1;
    g[61] = round == n - 2;
    g[62] = p->sage_activated;
    g[63] = p->sage_slain;
    g[64] = !all.shown[CF_SAGE];
    const int to_act = p->rules.act_target - p->activated, to_kill = p->rules.kill_target - p->slain;
    g[65 + (to_act < 0 ? 0 : to_act > 3 ? 3 : to_act)] = 1;
    g[69 + (to_kill < 1 ? 0 : to_kill > 4 ? 3 : to_kill - 1)] = 1;
    g[73] = (float)p->rules.act_target / 4;
    g[74] = (float)p->rules.kill_target / 4;
    g[75] = p->rules.sage_slain_ends ? 0 : at_most(2 * p->rules.act_target - p->activated, 6) / 6;
    g[76] = all.shown[CF_MYSTIC];
    g[77] = all.shown[CF_RED];
    g[78] = (float)all.shown[CF_TWO_HEADED] / 2;
    g[79] = all.shown[CF_SHADOW];
    g[80] = (float)all.shown[CF_ADVENTURER] / (float)(ADVENTURERS[n] + 1);
    g[81] = (float)(3 + (n >= 7) - all.shown[CF_RED] - all.shown[CF_TWO_HEADED] - all.shown[CF_SHADOW]) / 4;
    g[82] = (float)played / 4;
    g[83] = (float)skipped / 4;
    g[84] = (float)waiting / 5;
    if (playing)
        g[85 + cf_how(p, me)] = 1;
    if (fired) {
        g[90] = r->holder == me;
        g[91] = r->t1 == me;
        g[92] = r->t2 == me;
        g[93] = r->t2 >= 0 && r->t1 == me;
        g[94] = r->open;
    }
    g[103] = all.dragon[me];
    g[104] = all.role[me][CF_SAGE];
    for (int t = 0; t < n; t++)
        g[105] += p->fired_round[t] < 0 ? 1.0f / (float)n : 0;
    g[107] = (float)(ADVENTURERS[n] + 2 - p->activated - p->slain) / 6;
    g[108] = v->hand[CF_MYSTIC] + v->hand[CF_ADVENTURER] > 0;
    g[109] = v->hand[CF_RED] + v->hand[CF_TWO_HEADED] + v->hand[CF_SHADOW] > 0;
    if (r->t2 >= 0 && fired && r->t1 == me)
        g[110] = mine.holds_dragon[r->t2];
    g[111] = 1;
}

/* --- the truth, for a judge who sees all ---------------------------------------------------------------------------- */

void cf_truth_features(const cf_game *game, const int8_t *skill, float *g, float *players)
{
    const cf_public *p = &game->pub;
    const cf_hidden *h = &game->hid;
    const int n = p->rules.n, round = p->round < 0 ? 0 : p->round, who = cf_awaited(p);
    const int playing = p->phase == CF_PLAY, fired = p->phase >= CF_TARGET1;
    const cf_round *r = &p->rounds[round];
    float (*f)[CF_TRUTH_FEATURES] = (float (*)[CF_TRUTH_FEATURES])players;
    cf_suspicion all;
    cf_suspect(p, NULL, &all);
    memset(g, 0, sizeof(float) * CF_TRUTH_GLOBALS);
    memset(players, 0, sizeof(float) * CF_SLOTS * CF_TRUTH_FEATURES);
    int human_persons = 0, dragon_cards = 0;
    for (int t = 0; t < n; t++) {
        float *x = f[t];
        x[0] = 1;
        x[1 + h->role[t]] = 1;
        for (int kind = 0; kind < 7; kind++)
            x[7 + kind] = (float)h->hand[t][kind] * (kind == CF_BLANK ? 0.34f : 0.5f);
        if (p->fired_round[t] < 0)
            x[14 + h->scroll[t]] = 1;
        if (h->role[t] < CF_RED)
            human_persons += h->hand[t][CF_SAGE] + h->hand[t][CF_MYSTIC] + h->hand[t][CF_ADVENTURER];
        dragon_cards += h->hand[t][CF_RED] + h->hand[t][CF_TWO_HEADED] + h->hand[t][CF_SHADOW];
        x[24] = t == who;
        x[25] = all.dragon[t];
        x[26] = all.role[t][CF_SAGE];
        x[27] = (h->role[t] >= CF_RED) != 0 ? 1 - all.dragon[t] : all.dragon[t];
        x[28] = p->hand_size[t] > 0;
        x[29] = skill ? skill[t] == 0 : 1;
        x[30] = skill ? skill[t] != 0 : 0;
        if (h->played[round][t] >= 0)
            x[31 + h->played[round][t]] = 1;
        if (playing) {
            x[46] = cf_how(p, t) == CF_MUST_PLAY;
            x[47] = cf_how(p, t) == CF_MUST_SKIP || cf_how(p, t) == CF_ONLY_DRAWN;
        }
    }
    if (fired) {
        for (int i = 0; i < n; i++) {
            float *x = f[r->order[i]];
            if (playing)
                x[38 + (i < r->acted ? r->act[i] : 0)] = 1;
            x[42] = i >= r->acted ? (float)(i - r->acted + 1) / (float)n : 0;
        }
        f[r->holder][43] = 1;
        if (r->t1 >= 0)
            f[r->t1][44] = 1;
        if (r->t2 >= 0)
            f[r->t2][45] = 1;
        g[6 + r->scroll] = 1;
    } else if (p->holder >= 0) {
        f[p->holder][43] = 1;
    }
    g[p->phase > 4 ? 4 : p->phase] = 1;
    g[5] = 1;
    g[16 + n - 5] = 1;
    g[22] = p->rules.sage_slain_ends;
    g[23] = p->rules.act_last_game;
    g[24] = (float)round / (float)n;
    g[25] = round == n - 1;
    g[26] = round == n - 2;
    g[27] = p->sage_activated;
    g[28] = p->sage_slain;
    const int to_act = p->rules.act_target - p->activated, to_kill = p->rules.kill_target - p->slain;
    g[29 + (to_act < 0 ? 0 : to_act > 3 ? 3 : to_act)] = 1;
    g[33 + (to_kill < 1 ? 0 : to_kill > 4 ? 3 : to_kill - 1)] = 1;
    g[37] = p->rules.sage_slain_ends ? 0 : at_most(2 * p->rules.act_target - p->activated, 6) / 6;
    g[38] = (float)human_persons / 4;
    g[39] = (float)dragon_cards / 4;
    const int8_t *middle = h->played[round];
    int dragons = 0, persons = 0, sage = 0;
    for (int t = 0; t < n; t++) {
        dragons += middle[t] >= CF_RED && middle[t] <= CF_SHADOW;
        persons += middle[t] == CF_MYSTIC || middle[t] == CF_ADVENTURER;
        sage += middle[t] == CF_SAGE;
    }
    g[40] = dragons > 0;
    g[41] = sage;
    g[42] = (float)persons / 2;
    g[43] = dragons && sage;
    g[44] = dragons && persons;
    g[45] = dragons && persons >= to_kill;
    g[46] = !dragons && (sage || p->sage_activated) && persons >= to_act;
    g[47] = r->open && fired;
}
