import type { View } from '../view.ts';

type Refusals = View['text']['refusals'];

/** A message with parts that differ. */
interface Template {
  /** The texts around the parts. */
  readonly texts: readonly string[];
  readonly sentence: string;
}

const templates = new WeakMap<Refusals, readonly Template[]>();

/** The sentence of a catalogue for the message of a rule; undefined where it has none. */
export function refusalSentence(refusals: Refusals, message: string): string | undefined {
  if (Object.hasOwn(refusals, message)) return refusals[message as keyof Refusals];
  for (const { texts, sentence } of templatesOf(refusals)) {
    const parts = partsOf(message, texts);
    if (parts) return sentence.replaceAll(/\{(\d?)\}/g, (_, number: string) => parts[Number(number || 1) - 1] ?? '');
  }
  return undefined;
}

function templatesOf(refusals: Refusals): readonly Template[] {
  const known = templates.get(refusals);
  if (known) return known;
  const found = Object.entries(refusals).filter(([message]) => message.includes('{}'));
  const made = found.map(([message, sentence]) => ({ texts: message.split('{}'), sentence }));
  templates.set(refusals, made);
  return made;
}

/** What stands between the texts; undefined where the message is another. */
function partsOf(message: string, texts: readonly string[]): string[] | undefined {
  const [first = '', ...between] = texts;
  const last = between.pop() ?? '';
  const end = message.length - last.length;
  if (!message.startsWith(first) || !message.endsWith(last) || end < first.length) return undefined;
  const parts: string[] = [];
  let from = first.length;
  for (const text of between) {
    const at = message.indexOf(text, from);
    if (at === -1 || at + text.length > end) return undefined;
    parts.push(message.slice(from, at));
    from = at + text.length;
  }
  return [...parts, message.slice(from, end)];
}
