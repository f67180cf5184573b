/** Where the coach's bubble goes: in sight, never over what it points at, and over as little as may be of the rest. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const GAP_PX = 14;
const EDGE_PX = 8;
const LEAST_PX = 150;

export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

const centre = (box: Box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** The best place for a bubble of this size in a window of that. `keep`: what should stay in sight if it can. */
export function placed(size: Box, seen: Box, target: Box | null, keep: Box[]): { left: number; top: number } {
  const most = { left: seen.width - size.width - EDGE_PX, top: seen.height - size.height - EDGE_PX };
  const lefts = [EDGE_PX, (seen.width - size.width) / 2, most.left];
  const tops = [EDGE_PX, (seen.height - size.height) / 2, most.top];
  if (target) {
    const at = centre(target);
    lefts.push(at.x - size.width / 2, target.left - size.width - GAP_PX, target.left + target.width + GAP_PX);
    tops.push(at.y - size.height / 2, target.top - size.height - GAP_PX, target.top + target.height + GAP_PX);
  }
  const within = (value: number, limit: number) => Math.max(EDGE_PX, Math.min(value, Math.max(EDGE_PX, limit)));
  let best = { left: EDGE_PX, top: EDGE_PX };
  let least = Infinity;
  for (const left of lefts.map((value) => within(value, most.left)))
    for (const top of tops.map((value) => within(value, most.top))) {
      const box = { ...size, left, top };
      const covered = target ? overlap(box, target) : 0;
      const other = keep.reduce((sum, one) => sum + overlap(box, one), 0);
      const far = target
        ? Math.hypot(centre(box).x - centre(target).x, centre(box).y - centre(target).y)
        : Math.hypot(centre(box).x - seen.width / 2, most.top - top);
      const cost = covered * 1_000 + other * 5 + far;
      if (cost < least) [least, best] = [cost, { left, top }];
    }
  return best;
}

/** How high a bubble may be beside a target that leaves too little room for it: it scrolls then. */
export function highest(seen: Box, target: Box): number {
  const below = seen.height - target.top - target.height;
  return Math.max(LEAST_PX, Math.max(target.top, below) - GAP_PX - EDGE_PX);
}

/** From the bubble's nearest edge to the target's: where the arrow begins and ends. */
export function arrow(bubble: Box, target: Box): { x1: number; y1: number; x2: number; y2: number } {
  const near = (box: Box, to: { x: number; y: number }) => ({
    x: Math.max(box.left, Math.min(to.x, box.left + box.width)),
    y: Math.max(box.top, Math.min(to.y, box.top + box.height)),
  });
  const from = near(bubble, centre(target));
  const to = near(target, from);
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
}
