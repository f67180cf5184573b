import { describe, expect, it } from 'vitest';
import { read, USUAL } from '../src/device/device.svelte';

describe('what a device has kept', () => {
  it('is taken where it is of the right kind, and is as usual elsewhere', () => {
    expect(read('{"play":"at_once","effects":"loud","nonsense":1}')).toEqual({ ...USUAL, play: 'at_once' });
  });

  it.each([null, '', '{', '[]', '7', 'null'])('is as usual when it is %s', (kept) => {
    expect(read(kept)).toEqual(USUAL);
  });
});
