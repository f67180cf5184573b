/* Search one act deep: every legal act is tried on the same imagined games with the same chance, so that luck is no
   difference between them; everybody plays on by habit. The choice is pulled from habit towards what turned out better. */
#include <math.h>
#include <string.h>

#include "chance.h"
#include "search.h"

enum { NET = 0, DICE, SKIPPER, PLAIN, EAGER, FIRST_LOOK = 64, LOOK_EVERY = 16, MOST_GAMES = 4096 };

/* How each mind of minds.json plays on, and how many of those who are no nets are so before anything is known of them. */
static const int8_t PLAYS_LIKE[CF_MINDS] = {DICE, PLAIN, NET, EAGER, SKIPPER, PLAIN};
static const float AMONG_STRANGERS[CF_MINDS] = {0.1f, 0.6f, 0, 0.15f, 0.15f, 0};
static const float LONERS = 0.1f; /* the share of players who are not of their side's kind */

static int one_of(const float *chance, uint64_t rng[2])
{
    float left = cf_uniform(rng);
    int last = -1;
    for (int a = 0; a < CF_ACTIONS; a++) {
        if (chance[a] <= 0)
            continue;
        last = a;
        if ((left -= chance[a]) < 0)
            break;
    }
    return last;
}

static void habit_of(const cf_net *net, const cf_public *pub, const cf_private *mine, uint32_t mask, float heat, float *out)
{
    if (net) {
        cf_policy(net, pub, mine, mask, heat, out);
        return;
    }
    for (int a = 0; a < CF_ACTIONS; a++)
        out[a] = mask >> a & 1 ? 1.0f / (float)__builtin_popcount(mask) : 0;
}

/* How the game ends for the humans, or what the judge makes of it after so many rounds more. */
static float played_out(cf_game *g, const cf_net *net, const cf_net *judge, const cf_care *care, const int8_t *kind,
                        int32_t *steps)
{
    const int until = care->rounds && judge ? g->pub.round + care->rounds : 99;
    while (g->pub.phase != CF_OVER && g->pub.round < until) {
        const uint32_t mask = cf_mask(g);
        int action = mask ? __builtin_ctz(mask) : 0;
        if (mask & (mask - 1)) {
            const int who = cf_awaited(&g->pub);
            ++*steps;
            if (!net || kind[who] != NET) {
                action = cf_script(net ? kind[who] : PLAIN, &g->pub, &g->priv[who], mask, g->rng);
            } else {
                float chance[CF_ACTIONS];
                cf_policy(net, &g->pub, &g->priv[who], mask, care->others_heat, chance);
                action = one_of(chance, g->rng);
            }
        }
        cf_apply(g, action, -1);
    }
    return g->pub.phase == CF_OVER || !judge ? (float)(g->pub.winner == CF_HUMAN) : cf_judge(judge, g, kind);
}

static int one_kind(const double *weight, int minds, uint64_t rng[2])
{
    double all = 0;
    for (int k = 0; k < minds; k++)
        all += weight[k];
    double left = cf_uniform(rng) * all;
    for (int k = 0; k < minds; k++)
        if ((left -= weight[k]) < 0)
            return PLAYS_LIKE[k];
    return NET;
}

/* How everybody plays on in one imagined game: I by my net; the others of a side are mostly of one kind, and which one is
   told by what they all have done so far. */
static void draw_kinds(const cf_model *model, const cf_beliefs *believed, const cf_care *care, const cf_game *game, int me,
                       uint64_t rng[2], int8_t *kind)
{
    memset(kind, NET, 10);
    if (!(care->strangers > 0))
        return;
    const int n = game->pub.rules.n, minds = model ? model->minds : 0;
    for (int side = CF_HUMAN; side <= CF_DRAGON; side++) {
        double whole[CF_MINDS], told[10][CF_MINDS];
        for (int k = 0; k < minds; k++)
            whole[k] = PLAYS_LIKE[k] == NET ? 1 - care->strangers : care->strangers * AMONG_STRANGERS[k];
        for (int who = 0; who < n; who++)
            for (int k = 0; k < minds; k++) {
                told[who][k] = believed->mind[who][k] / model->prior[who][k];
                if (who != me && (game->hid.role[who] >= CF_RED) == side)
                    whole[k] *= told[who][k];
            }
        const int most = one_kind(whole, minds, rng);
        for (int who = 0; who < n; who++) {
            if (who == me || (game->hid.role[who] >= CF_RED) != side)
                continue;
            if (!minds)
                kind[who] = cf_uniform(rng) < care->strangers ? PLAIN : NET;
            else
                kind[who] = cf_uniform(rng) < LONERS ? (int8_t)one_kind(told[who], minds, rng) : (int8_t)most;
        }
    }
}

typedef struct {
    int acts[CF_ACTIONS], count, games;
    float won[MOST_GAMES][CF_ACTIONS];
} trials;

/* Whether the best act leads every other by three standard errors of the difference. */
static int is_settled(const trials *t, const float *value)
{
    int best = 0;
    for (int i = 1; i < t->count; i++)
        if (value[i] > value[best])
            best = i;
    for (int i = 0; i < t->count; i++) {
        if (i == best)
            continue;
        double sum = 0, squares = 0;
        for (int k = 0; k < t->games; k++) {
            const double lead = t->won[k][best] - t->won[k][i];
            sum += lead;
            squares += lead * lead;
        }
        const double mean = sum / t->games, spread = squares / t->games - mean * mean;
        if (mean <= 0 || mean * mean * t->games < 9 * (spread > 0 ? spread : 0))
            return 0;
    }
    return 1;
}

static void mean_values(const trials *t, float *value)
{
    for (int i = 0; i < t->count; i++) {
        double sum = 0;
        for (int k = 0; k < t->games; k++)
            sum += t->won[k][i];
        value[i] = (float)(sum / t->games);
    }
}

static void tell(const trials *t, const float *value, const cf_care *care, cf_thought *out)
{
    float most = -1e30f, all = 0, score[CF_ACTIONS];
    for (int i = 0; i < t->count; i++) {
        const int a = t->acts[i];
        double squares = 0;
        for (int k = 0; k < t->games; k++)
            squares += (t->won[k][i] - value[i]) * (t->won[k][i] - value[i]);
        out->value[a] = value[i];
        out->error[a] = (float)(sqrt(squares) / t->games);
        score[i] = logf(out->habit[a] + 1e-6f) + care->pull * value[i];
        if (score[i] > most)
            most = score[i];
    }
    for (int i = 0; i < t->count; i++)
        all += out->chance[t->acts[i]] = expf(score[i] - most);
    for (int i = 0; i < t->count; i++)
        out->chance[t->acts[i]] /= all;
}

void cf_ponder(cf_filter *filter, const cf_model *model, const cf_net *net, const cf_net *judge, const cf_public *pub,
               const cf_private *mine, const cf_care *care, uint64_t seed, cf_thought *out)
{
    static _Thread_local trials t;
    const uint32_t mask = cf_legal(pub, mine);
    const int is_human = mine->role < CF_RED, most = care->games < MOST_GAMES ? care->games : MOST_GAMES;
    uint64_t rng[2];
    float value[CF_ACTIONS] = {0};
    int32_t bound = 0;
    cf_beliefs believed;
    memset(out, 0, sizeof *out);
    out->action = -1;
    if (!mask)
        return;
    cf_seed(rng, seed);
    habit_of(net, pub, mine, mask, care->heat, out->habit);
    memcpy(out->chance, out->habit, sizeof out->chance);
    t.count = t.games = 0;
    for (int a = 0; a < CF_ACTIONS; a++)
        if (mask >> a & 1)
            t.acts[t.count++] = a;
    /* A ballot is cast beside others that are sealed: nothing to play on from. */
    if (t.count > 1 && most > 0 && pub->phase != CF_VOTE)
        out->states = cf_believe(filter, pub, mine, model, -1, &believed);
    if (out->states) {
        /* A long belief has taken its share of the time: some ten states cost as much as one act. */
        const int32_t left = care->steps - believed.most / 10;
        bound = left > care->steps / 4 ? left : care->steps / 4;
    }
    while (t.games < most && out->steps < bound) {
        cf_game here, after;
        int8_t kind[10];
        cf_imagine(filter, rng, &here);
        draw_kinds(model, &believed, care, &here, mine->me, rng, kind);
        for (int i = 0; i < t.count; i++) {
            after = here;
            cf_apply(&after, t.acts[i], -1);
            const float humans = played_out(&after, net, judge, care, kind, &out->steps);
            t.won[t.games][i] = is_human ? humans : 1 - humans;
        }
        t.games++;
        if (t.games >= FIRST_LOOK && t.games % LOOK_EVERY == 0) {
            mean_values(&t, value);
            if (is_settled(&t, value)) {
                out->settled = 1;
                break;
            }
        }
    }
    out->games = t.games;
    if (t.games) {
        mean_values(&t, value);
        tell(&t, value, care, out);
    }
    out->action = one_of(out->chance, rng);
}
