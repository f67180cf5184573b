/** Makes voices sound in an audio context, live or offline. Everything is made on the spot; there are no files. */
import { lengthOf, sounds, type SoundName, type Voice } from './sounds';

const SILENT = 0.0001;
const noises = new WeakMap<BaseAudioContext, AudioBuffer>();

function noiseOf(context: BaseAudioContext): AudioBuffer {
  const known = noises.get(context);
  if (known) return known;
  const buffer = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  noises.set(context, buffer);
  return buffer;
}

/** Sounds one voice into `out`, `from` being the context's time at which its sound begins. */
export function voice(context: BaseAudioContext, out: AudioNode, one: Voice, from: number): void {
  const start = from + one.at;
  const end = start + one.lasts;
  const attack = Math.min(one.attack ?? 0.006, one.lasts / 2);
  const envelope = context.createGain();
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(one.gain, start + attack);
  envelope.gain.exponentialRampToValueAtTime(SILENT, end);
  envelope.connect(out);
  if (one.wave === 'noise') {
    const source = context.createBufferSource();
    source.buffer = noiseOf(context);
    source.loop = true;
    const filter = context.createBiquadFilter();
    filter.type = 'bandpass';
    filter.Q.value = one.narrow ?? 1;
    slide(filter.frequency, one, start, end);
    source.connect(filter).connect(envelope);
    source.start(start, Math.random());
    source.stop(end);
    return;
  }
  const tone = context.createOscillator();
  tone.type = one.wave;
  slide(tone.frequency, one, start, end);
  if (one.wave === 'sawtooth') {
    // a bare saw is a wasp; under its own fourth partial it is a horn
    const dark = context.createBiquadFilter();
    dark.type = 'lowpass';
    dark.frequency.value = one.from * 4;
    tone.connect(dark).connect(envelope);
  } else tone.connect(envelope);
  tone.start(start);
  tone.stop(end);
}

function slide(pitch: AudioParam, one: Voice, start: number, end: number): void {
  pitch.setValueAtTime(one.from, start);
  if (one.to !== undefined) pitch.exponentialRampToValueAtTime(one.to, end);
}

/** Sounds a whole sound; gives its length in seconds. */
export function sound(context: BaseAudioContext, out: AudioNode, name: SoundName, from: number): number {
  for (const one of sounds[name]) voice(context, out, one, from);
  return lengthOf(name);
}
