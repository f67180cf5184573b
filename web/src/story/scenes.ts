/** What each end looks like: which parts of the world lie over each other, by the reason for which the game ended (R7). */

interface Flyer {
  readonly x: number;
  readonly y: number;
  /** Times its usual width of 400. */
  readonly size: number;
  readonly turn: number;
}

export interface Scene {
  readonly sky: 'fire' | 'dawn' | 'light' | 'night';
  readonly barrier: 'scene-dome' | 'scene-shards' | null;
  readonly crystal: 'crystal' | 'crystal-glowing' | 'crystal-cracked';
  /** How large the crystal over the tower is; fallen, it lies beside it. */
  readonly crystalSize: number;
  readonly fallen: boolean;
  readonly lamps: boolean;
  readonly flames: boolean;
  readonly dragons: readonly Flyer[];
  /** What drifts through the air, and how much of it. */
  readonly drift: 'embers' | 'lights' | 'ash';
  readonly drifting: number;
}

const FAR: readonly Flyer[] = [
  { x: 108, y: 64, size: 0.16, turn: -14 },
  { x: 690, y: 46, size: 0.12, turn: 12 },
];

export const scenes: Readonly<Record<string, Scene>> = {
  // the sage falls, and with him the barrier
  'R7.1': {
    sky: 'fire',
    barrier: 'scene-shards',
    crystal: 'crystal-cracked',
    crystalSize: 1,
    fallen: true,
    lamps: false,
    flames: true,
    dragons: [{ x: 400, y: 112, size: 0.98, turn: 0 }],
    drift: 'embers',
    drifting: 34,
  },
  // the crystal beats again
  'R7.2': {
    sky: 'light',
    barrier: 'scene-dome',
    crystal: 'crystal-glowing',
    crystalSize: 1.7,
    fallen: false,
    lamps: true,
    flames: false,
    dragons: FAR,
    drift: 'lights',
    drifting: 16,
  },
  // one lamp after the other goes out
  'R7.3': {
    sky: 'fire',
    barrier: null,
    crystal: 'crystal-cracked',
    crystalSize: 0.9,
    fallen: true,
    lamps: false,
    flames: true,
    dragons: [
      { x: 400, y: 235, size: 1.9, turn: 0 },
      { x: 96, y: 84, size: 0.26, turn: -12 },
      { x: 704, y: 70, size: 0.3, turn: 14 },
    ],
    drift: 'embers',
    drifting: 40,
  },
  // empty hands, and the walls stand
  'R7.4_human': {
    sky: 'dawn',
    barrier: null,
    crystal: 'crystal',
    crystalSize: 1.1,
    fallen: false,
    lamps: true,
    flames: false,
    dragons: [{ x: 690, y: 58, size: 0.13, turn: 10 }],
    drift: 'ash',
    drifting: 30,
  },
  // the legion is over the wall
  'R7.4_dragon': {
    sky: 'night',
    barrier: null,
    crystal: 'crystal-cracked',
    crystalSize: 1,
    fallen: false,
    lamps: false,
    flames: true,
    dragons: [
      { x: 210, y: 120, size: 0.56, turn: -8 },
      { x: 590, y: 96, size: 0.7, turn: 9 },
      { x: 404, y: 66, size: 0.36, turn: 0 },
      { x: 66, y: 66, size: 0.2, turn: -14 },
      { x: 748, y: 44, size: 0.18, turn: 14 },
    ],
    drift: 'ash',
    drifting: 30,
  },
  // no legends, only people
  'R8.2': {
    sky: 'night',
    barrier: 'scene-dome',
    crystal: 'crystal-glowing',
    crystalSize: 1.3,
    fallen: false,
    lamps: true,
    flames: false,
    dragons: FAR,
    drift: 'lights',
    drifting: 60,
  },
};

/** The name under which an end is known to the texts and to the scenes: some reasons end for either side. */
export function endingOf(reason: string, winner: string): string {
  return reason in scenes ? reason : `${reason}_${winner}`;
}
