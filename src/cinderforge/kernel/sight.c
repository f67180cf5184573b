/* A public record put together from a view: what follows from the rest of it is filled in here. */
#include "kernel.h"
#include "net.h"

enum { DRAW_NEXT = 2, DRAW_PREVIOUS = 3 };

void cf_complete(cf_public *p)
{
    const int n = p->rules.n;
    for (int i = 0; i <= p->round; i++) {
        cf_round *r = &p->rounds[i];
        if (r->effect == 1 && r->scroll == DRAW_NEXT)
            r->t1 = (int8_t)((r->holder + 1) % n);
        if (r->effect == 1 && r->scroll == DRAW_PREVIOUS)
            r->t1 = (int8_t)((r->holder + n - 1) % n);
    }
    cf_public then = *p;
    for (int i = 0; i <= p->round; i++) {
        then.round = (int8_t)i;
        for (int place = 0; place < p->rounds[i].acted; place++) {
            const int who = p->rounds[i].order[place];
            if (p->rounds[i].act[place] == CF_EMPTY)
                continue;
            then.rounds[i].acted = (int8_t)place;
            then.hand_size[who] = 1; /* whoever acted held a card */
            p->rounds[i].how[place] = (int8_t)cf_how(&then, who);
        }
    }
}
