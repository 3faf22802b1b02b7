import { readPackedText } from './ref-files.ts';
import { compareNames } from './ref-names.ts';

/** A line of `packed-refs`. */
export interface PackedRef {
  readonly oid: string;
  /** The target of an annotated tag, where git has recorded it; `undefined` if not known to be such a tag. */
  readonly peeled: string | undefined;
}

/** A line with the position after it, and after the line of its target. */
interface Line extends PackedRef {
  readonly name: string;
  readonly end: number;
}

/**
 * The refs in the text of `packed-refs`, which are found by bisection: parsing the lines of a repository with a hundred thousand refs takes
 * 50 ms, and more memory than a cache has for them.
 */
export class PackedRefs {
  readonly #text: string;
  /** Where the first ref begins. */
  readonly #start: number;

  constructor(text: string) {
    this.#text = sortedText(text);
    this.#start = afterComments(this.#text);
  }

  /** The ref of this full name. */
  get(name: string): PackedRef | undefined {
    const line = this.#at(this.#find(name));
    return line?.name === name ? { oid: line.oid, peeled: line.peeled } : undefined;
  }

  /** The refs whose names begin with `prefix`, in git's order. */
  *below(prefix: string): Generator<PackedRef & { readonly name: string }> {
    for (let line = this.#at(this.#find(prefix)); line?.name.startsWith(prefix); line = this.#at(line.end)) {
      yield { name: line.name, oid: line.oid, peeled: line.peeled };
    }
  }

  /** The position of the first ref whose name is not before `name`. */
  #find(name: string): number {
    let [low, high] = [this.#start, this.#text.length];
    while (low < high) {
      const start = this.#lineAround((low + high) >>> 1);
      const line = this.#at(start);
      if (line && compareNames(line.name, name) < 0) low = line.end;
      else high = start;
    }
    return low;
  }

  /** Where the line of the ref begins in which a position is. */
  #lineAround(position: number): number {
    const start = this.#text.lastIndexOf('\n', position - 1) + 1;
    return this.#text[start] === '^' ? this.#text.lastIndexOf('\n', start - 2) + 1 : start;
  }

  #at(start: number): Line | undefined {
    if (start >= this.#text.length) return undefined;
    const [line, next] = this.#line(start);
    const space = line.indexOf(' ');
    const [target, end] = this.#text[next] === '^' ? this.#line(next) : [undefined, next];
    return { name: line.slice(space + 1), oid: line.slice(0, space), peeled: target?.slice(1), end };
  }

  #line(start: number): [line: string, next: number] {
    const end = this.#text.indexOf('\n', start);
    return end < 0 ? [this.#text.slice(start), this.#text.length] : [this.#text.slice(start, end), end + 1];
  }
}

/** Reads `packed-refs`; without the file there are none. */
export function readPackedRefs(repositoryPath: string): PackedRefs {
  return new PackedRefs(readPackedText(repositoryPath));
}

/** The text with its refs in order. Git says in the first line when they are; old versions of it did not sort them. */
function sortedText(text: string): string {
  const start = afterComments(text);
  if (text === '' || / sorted /.test(text.slice(0, start))) return text;
  const lines = text.slice(start).match(/^[^^\n].*(?:\n\^.*)?/gm) ?? [];
  const nameOf = (line: string) => line.slice(line.indexOf(' ') + 1).split('\n', 1)[0] ?? '';
  return lines
    .sort((a, b) => compareNames(nameOf(a), nameOf(b)))
    .map((line) => `${line}\n`)
    .join('');
}

function afterComments(text: string): number {
  let start = 0;
  while (text[start] === '#') start = text.indexOf('\n', start) + 1 || text.length;
  return start;
}
