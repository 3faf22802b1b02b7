import { createRequire } from 'node:module';

/** An emoji and what it shows. */
export interface Emoji {
  emoji: string;
  description: string;
}

const TONES: readonly (readonly [name: string, modifier: string])[] = [
  ['Light', '\u{1f3fb}'],
  ['Medium-Light', '\u{1f3fc}'],
  ['Medium', '\u{1f3fd}'],
  ['Medium-Dark', '\u{1f3fe}'],
  ['Dark', '\u{1f3ff}'],
];

/** Names that Gitea has for reactions beside those of GitHub. */
const OTHER_NAMES = { laugh: 'laughing', hooray: 'tada' };

interface Data {
  byName: Map<string, Emoji>;
  byEmoji: Map<string, string>;
}

let data: Data | undefined;

/** The names of GitHub's emoji, loaded when the first text needs them. */
function load(): Data {
  if (!data) {
    const { gemoji } = createRequire(import.meta.url)('gemoji') as typeof import('gemoji');
    data = { byName: new Map(), byEmoji: new Map() };
    for (const { emoji, names, description } of gemoji) {
      data.byEmoji.set(emoji, description);
      for (const name of names) data.byName.set(name, { emoji, description });
    }
    for (const [other, name] of Object.entries(OTHER_NAMES)) {
      const found = data.byName.get(name);
      if (found) data.byName.set(other, found);
    }
  }
  return data;
}

/** The emoji of a name like `smile` or `+1_Dark_Skin_Tone`. */
export function emojiByName(name: string): Emoji | undefined {
  const toned = /^(.+)_([A-Z][a-z]+(?:-[A-Z][a-z]+)?)_Skin_Tone$/.exec(name);
  const plain = load().byName.get(toned?.[1] ?? name);
  if (!toned || !plain) return toned ? undefined : plain;
  const tone = TONES.find(([tone]) => tone === toned[2]);
  const emoji = tone && withTone(plain.emoji, tone[1]);
  return emoji ? { emoji, description: `${plain.description}: ${toned[2]} Skin Tone` } : undefined;
}

function withTone(emoji: string, modifier: string): string | undefined {
  const [first = ''] = emoji;
  return /\p{Emoji_Modifier_Base}/u.test(first) ? first + modifier + emoji.slice(first.length).replace(/^\ufe0f/, '') : undefined;
}

const EMOJI = /\p{RGI_Emoji}/v;

/** The first emoji character of the text, with what it shows when its name is known. */
export function findEmoji(text: string): { start: number; emoji: string; description: string } | undefined {
  // Most text is ASCII, where nothing can be found.
  if (!/[^\x00-\x7f]/.test(text)) return undefined;
  const match = EMOJI.exec(text);
  if (!match) return undefined;
  const emoji = match[0];
  const [modifier] = /[\u{1f3fb}-\u{1f3ff}]/u.exec(emoji) ?? [];
  const tone = TONES.find(([, code]) => code === modifier)?.[0];
  const { byEmoji } = load();
  const plain = tone ? emoji.replace(/[\u{1f3fb}-\u{1f3ff}]/gu, '') : emoji;
  const description = byEmoji.get(plain) ?? byEmoji.get(plain.replace(/^(.)/u, '$1\ufe0f')) ?? '';
  return { start: match.index, emoji, description: tone && description ? `${description}: ${tone} Skin Tone` : description };
}

/** Names of emoji that begin with, or else contain, some letters. @param limit at most so many */
export function emojiNamed(letters: string, limit: number): { name: string; emoji: string }[] {
  const names = [...load().byName.keys()].filter((name) => name.includes(letters));
  names.sort((a, b) => Number(b.startsWith(letters)) - Number(a.startsWith(letters)) || a.length - b.length);
  return names.slice(0, limit).map((name) => ({ name, emoji: load().byName.get(name)?.emoji ?? '' }));
}
