/** The mixing desk: a gain for each group of sounds, music that makes room for the rest, a limiter at the end. */
import type { SoundName } from './sounds';

export type Group = 'effects' | 'turn' | 'talk' | 'music';
const GROUPS: Group[] = ['effects', 'turn', 'talk', 'music'];

export const groupOf = (name: SoundName): Exclude<Group, 'music'> =>
  name === 'turn' || name === 'tick' ? 'turn' : name === 'message' ? 'talk' : 'effects';

/** A hand on a slider hears loudness, not amplitude. */
const loudness = (volume: number): number => volume * volume;

export class Desk {
  readonly into: Record<Group, GainNode>;
  /** The music goes through this one, too. */
  readonly duck: GainNode;

  constructor(private readonly context: BaseAudioContext) {
    // the limiter makes up for what it takes, so that loud stays loud; the last gain leaves it room
    const limiter = new DynamicsCompressorNode(context, { threshold: -10, knee: 6, ratio: 12, attack: 0.002 });
    const whole = new GainNode(context, { gain: 0.6 });
    limiter.connect(whole).connect(context.destination);
    this.duck = context.createGain();
    this.duck.connect(limiter);
    const gain = (out: AudioNode): GainNode => {
      const made = context.createGain();
      made.connect(out);
      return made;
    };
    this.into = { effects: gain(limiter), turn: gain(limiter), talk: gain(limiter), music: gain(this.duck) };
  }

  set(volumes: Record<Group, number>): void {
    for (const group of GROUPS)
      this.into[group].gain.setTargetAtTime(loudness(volumes[group]), this.context.currentTime, 0.03);
  }
}
