/* Nets: one small layer over each player alike, their sum, two hidden layers; a player is chosen by pointing at them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "kernel.h"
#include "net.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__gnu_linux__)
#define FAST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FAST
#endif

enum { WIDEST = 128, ACTS = 8 };

struct cf_net {
    int truth, w0, w1, w2, fp, fg;
    const float *player, *player_bias; /* [fp][w0] */
    const float *first, *first_bias;   /* [fg + w0][w1] */
    const float *second, *second_bias; /* [w1][w2] */
    const float *value, *value_bias;   /* [w2] */
    const float *acts, *acts_bias;     /* [w2][8]; a player's net alone */
    const float *point, *point_bias;   /* [w2][w0] */
    float data[];
};

static int64_t walk(cf_net *net, int truth, int w0, int w1, int w2)
{
    const int fp = truth ? CF_TRUTH_FEATURES : CF_PLAYER_FEATURES, fg = truth ? CF_TRUTH_GLOBALS : CF_GLOBAL_FEATURES;
    const int64_t sizes[12] = {fp * w0, w0, (fg + w0) * w1, w1, w1 * w2, w2, w2, 1, w2 * ACTS, ACTS, w2 * w0, w0};
    int64_t at = 0;
    for (int part = 0; part < (truth ? 8 : 12); part++) {
        if (net)
            (&net->player)[part] = net->data + at;
        at += sizes[part];
    }
    if (net) {
        net->truth = truth;
        net->w0 = w0, net->w1 = w1, net->w2 = w2;
        net->fp = fp, net->fg = fg;
    }
    return at;
}

static int is_width(int w) { return w >= 16 && w <= WIDEST && w % 16 == 0; }

int64_t cf_net_size(int truth, int w0, int w1, int w2)
{
    return is_width(w0) && is_width(w1) && is_width(w2) ? walk(NULL, truth, w0, w1, w2) : -1;
}

cf_net *cf_net_new(int truth, int w0, int w1, int w2, const float *row)
{
    const int64_t size = cf_net_size(truth, w0, w1, w2);
    cf_net *net = size < 0 ? NULL : malloc(sizeof(cf_net) + (size_t)size * sizeof(float));
    if (net) {
        memcpy(net->data, row, (size_t)size * sizeof(float));
        walk(net, truth, w0, w1, w2);
    }
    return net;
}

void cf_net_free(cf_net *net) { free(net); }

/* out += x W, for a row x of which most is often zero; W is [in][wide], wide a multiple of 16. */
static inline __attribute__((always_inline)) void add_product(const float *x, int in, const float *w, int wide, float *out)
{
    for (int i = 0; i < in; i++) {
        const float by = x[i];
        if (by == 0)
            continue;
        const float *row = w + (int64_t)i * wide;
        for (int o = 0; o < wide; o++)
            out[o] += by * row[o];
    }
}

static inline __attribute__((always_inline)) void relu(float *x, int wide)
{
    for (int i = 0; i < wide; i++)
        x[i] = x[i] > 0 ? x[i] : 0;
}

FAST float cf_forward(const cf_net *net, int n, const float *global, const float *players, float *logits)
{
    const int w0 = net->w0, w1 = net->w1, w2 = net->w2;
    float each[CF_SLOTS][WIDEST], pool[WIDEST] = {0}, h1[WIDEST], h2[WIDEST];
    for (int slot = 0; slot < n; slot++) {
        float *u = each[slot];
        memcpy(u, net->player_bias, (size_t)w0 * sizeof(float));
        add_product(players + slot * net->fp, net->fp, net->player, w0, u);
        relu(u, w0);
        for (int i = 0; i < w0; i++)
            pool[i] += u[i] * 0.25f;
    }
    memcpy(h1, net->first_bias, (size_t)w1 * sizeof(float));
    add_product(global, net->fg, net->first, w1, h1);
    add_product(pool, w0, net->first + (int64_t)net->fg * w1, w1, h1);
    relu(h1, w1);
    memcpy(h2, net->second_bias, (size_t)w2 * sizeof(float));
    add_product(h1, w1, net->second, w2, h2);
    relu(h2, w2);
    float won = net->value_bias[0];
    for (int i = 0; i < w2; i++)
        won += h2[i] * net->value[i];
    if (!net->truth && logits) {
        float q[WIDEST];
        memcpy(q, net->point_bias, (size_t)w0 * sizeof(float));
        add_product(h2, w2, net->point, w0, q);
        memcpy(logits, net->acts_bias, ACTS * sizeof(float));
        for (int i = 0; i < w2; i++)
            for (int a = 0; a < ACTS; a++)
                logits[a] += h2[i] * net->acts[i * ACTS + a];
        for (int slot = 0; slot < CF_SLOTS; slot++) {
            float sum = 0;
            if (slot < n)
                for (int i = 0; i < w0; i++)
                    sum += q[i] * each[slot][i];
            logits[CF_CHOOSE + slot] = sum * 0.25f;
        }
    }
    return 1 / (1 + expf(-won));
}

float cf_policy(const cf_net *net, const cf_public *pub, const cf_private *priv, uint32_t mask, float temperature, float *prob)
{
    float global[CF_GLOBAL_FEATURES], players[CF_SLOTS * CF_PLAYER_FEATURES], logits[CF_ACTIONS];
    cf_features(pub, priv, global, players);
    const float won = cf_forward(net, pub->rules.n, global, players, logits);
    float most = -1e30f, sum = 0;
    for (int a = 0; a < CF_ACTIONS; a++)
        if (mask >> a & 1 && logits[a] > most)
            most = logits[a];
    for (int a = 0; a < CF_ACTIONS; a++) {
        prob[a] = mask >> a & 1 ? expf((logits[a] - most) / temperature) : 0;
        sum += prob[a];
    }
    for (int a = 0; a < CF_ACTIONS; a++)
        prob[a] /= sum;
    return won;
}

float cf_judge(const cf_net *net, const cf_game *game, const int8_t *skill)
{
    float global[CF_TRUTH_GLOBALS], players[CF_SLOTS * CF_TRUTH_FEATURES];
    if (game->pub.phase == CF_OVER)
        return game->pub.winner == CF_HUMAN;
    cf_truth_features(game, skill, global, players);
    return cf_forward(net, game->pub.rules.n, global, players, NULL);
}

/* --- whole games --------------------------------------------------------------------------------------------------- */

static int drawn_by(const float *prob, uint64_t rng[2])
{
    float left = cf_uniform(rng);
    int last = 0;
    for (int a = 0; a < CF_ACTIONS; a++) {
        if (prob[a] <= 0)
            continue;
        last = a;
        if ((left -= prob[a]) < 0)
            return a;
    }
    return last;
}

static int any_of(uint32_t mask, uint64_t rng[2])
{
    int k = cf_below(rng, __builtin_popcount(mask));
    while (k--)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}

/* One contested decision; keeps it where it is a learner's. False where the room is used up. */
static int decide(const cf_game *game, const cf_mind *mind, const cf_net *judge, const int8_t *skill, uint32_t mask,
                  uint64_t rng[2], cf_keep *keep, int *action)
{
    const int n = game->pub.rules.n, who = cf_awaited(&game->pub);
    const cf_private *priv = &game->priv[who];
    if (keep) {
        if (keep->truths == keep->truth_room || keep->count == keep->room)
            return 0;
        float *tg = keep->truth_global + keep->truths * CF_TRUTH_GLOBALS;
        float *tp = keep->truth_players + keep->truths * CF_SLOTS * CF_TRUTH_FEATURES;
        cf_truth_features(game, skill, tg, tp);
        keep->truth_seats[keep->truths] = (int8_t)n;
        keep->value[keep->truths++] = judge ? cf_forward(judge, n, tg, tp, NULL) : 0.5f;
    }
    if (mind->kind) {
        *action = mind->noise > 0 && cf_uniform(rng) < mind->noise ? any_of(mask, rng)
            : cf_script(mind->kind, &game->pub, priv, mask, rng);
        return 1;
    }
    float prob[CF_ACTIONS], logits[CF_ACTIONS], most = -1e30f, sum = 0;
    float here[CF_GLOBAL_FEATURES + CF_SLOTS * CF_PLAYER_FEATURES];
    float *g = here, *f = here + CF_GLOBAL_FEATURES;
    const int keeps = keep && mind->learns;
    if (keeps) {
        g = keep->global + keep->count * CF_GLOBAL_FEATURES;
        f = keep->players + keep->count * CF_SLOTS * CF_PLAYER_FEATURES;
    }
    cf_features(&game->pub, priv, g, f);
    cf_forward(mind->net, n, g, f, logits);
    for (int a = 0; a < CF_ACTIONS; a++)
        if (mask >> a & 1 && logits[a] > most)
            most = logits[a];
    for (int a = 0; a < CF_ACTIONS; a++)
        sum += prob[a] = mask >> a & 1 ? expf((logits[a] - most) / mind->temperature) : 0;
    for (int a = 0; a < CF_ACTIONS; a++)
        prob[a] /= sum;
    *action = mind->noise > 0 && cf_uniform(rng) < mind->noise ? any_of(mask, rng) : drawn_by(prob, rng);
    if (keeps) {
        const int64_t at = keep->count++;
        keep->mask[at] = mask;
        keep->action[at] = (int8_t)*action;
        keep->prob[at] = prob[*action];
        keep->seats[at] = (int8_t)n;
        keep->faction[at] = priv->role >= CF_RED ? CF_DRAGON : CF_HUMAN;
        keep->at[at] = (int32_t)(keep->truths - 1);
    }
    return 1;
}

int64_t cf_play_games(int64_t games, const cf_rules *rules, const uint64_t *seed, const cf_mind *minds, const int8_t *human,
                      const int8_t *dragon, const cf_net *judge, int8_t *winner, int8_t *reason, int8_t *rounds, cf_keep *keep)
{
    for (int64_t number = 0; number < games; number++) {
        cf_game game;
        uint64_t rng[2];
        const cf_mind *who[10];
        int8_t skill[10];
        const int64_t count = keep ? keep->count : 0;
        cf_deal(&game, &rules[number], seed[number]);
        cf_seed(rng, seed[number] ^ 0x5eed);
        for (int t = 0; t < rules[number].n; t++) {
            who[t] = &minds[(game.hid.role[t] >= CF_RED ? dragon : human)[number * 10 + t]];
            skill[t] = who[t]->kind > 0;
        }
        if (keep)
            keep->first[number] = (int32_t)keep->truths;
        while (game.pub.phase != CF_OVER) {
            const uint32_t mask = cf_mask(&game);
            int action = mask ? __builtin_ctz(mask) : 0;
            if ((mask & (mask - 1)) && !decide(&game, who[cf_awaited(&game.pub)], judge, skill, mask, rng, keep, &action)) {
                keep->count = count;
                keep->truths = keep->first[number];
                return number;
            }
            cf_apply(&game, action, -1);
        }
        winner[number] = game.pub.winner;
        reason[number] = game.pub.reason;
        rounds[number] = (int8_t)(game.pub.round + 1);
        if (keep)
            keep->first[number + 1] = (int32_t)keep->truths;
    }
    return games;
}
