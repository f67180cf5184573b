/** A name without stray spaces and unseen signs, as the server keeps it (talk/text.py). No page in it. */

const JOINING = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Joined emoji; joiners where a script spells with them; flags of regions; how a sign is to be drawn. */
const SEEN = [
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
  `(?<=[${JOINING}]\\p{M}*)[\\u200c\\u200d](?=[${JOINING}])`,
  '\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}',
  '(?<=[\\p{Emoji}\\p{Script=Han}])[\\ufe0e\\ufe0f\\u{e0100}-\\u{e01ef}]',
].join('|');
const UNSEEN = new RegExp(`(${SEEN})|[\\p{Cc}\\p{Cs}\\p{Co}\\p{Cn}\\p{Cf}\\p{DI}]`, 'gu');
const SPACE = /[\p{White_Space}\u2800\u{13441}\u{13442}\u{1d159}]+/gu;

export function tidied(name: string): string {
  const seen = name.replace(SPACE, ' ').replace(UNSEEN, '$1').normalize('NFC');
  return seen.split(' ').filter(Boolean).join(' ');
}
