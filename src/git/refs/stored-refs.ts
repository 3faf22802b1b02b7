import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import type { GitRepository } from '../repository.ts';
import { readPackedRefs } from './packed-refs.ts';
import { readLooseRef, readPackedText } from './ref-files.ts';

/* Reads of ref files for writers, under their locks: never through a cache. */

/** The current object of a ref, loose or packed; undefined when there is no such ref. */
export function storedRef(repository: GitRepository, name: string): string | undefined {
  for (let depth = 0; depth < 5; depth++) {
    // Loose before packed: git writes packed-refs before it deletes the loose file.
    const loose = readLooseRef(repository.path, name, repository.objectFormat);
    if (!loose) return packedId(readPackedText(repository.path), name);
    if ('oid' in loose) return loose.oid;
    name = loose.target;
  }
  return undefined;
}

/** The current objects of many refs by name, without those that do not exist. Reads packed-refs once, and others are served meanwhile. */
export async function storedRefs(repository: GitRepository, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const slice = new TimeSlice();
  const packable: string[] = [];
  for (const name of names) {
    if (slice.isOver) await slice.next();
    const loose = readLooseRef(repository.path, name, repository.objectFormat);
    const oid = loose && ('oid' in loose ? loose.oid : storedRef(repository, loose.target));
    if (oid !== undefined) found.set(name, oid);
    else if (!loose) packable.push(name);
  }
  const packed = readPackedRefs(repository.path);
  for (const name of packable) {
    if (slice.isOver) await slice.next();
    const oid = packed.get(name)?.oid;
    if (oid !== undefined) found.set(name, oid);
  }
  return found;
}

/** The full name of HEAD's ref; undefined when HEAD is detached. */
export function storedHead(repository: GitRepository): string | undefined {
  const head = readLooseRef(repository.path, 'HEAD', repository.objectFormat);
  return head && 'target' in head ? head.target : undefined;
}

/** The object of a packed ref. Names have no blanks, so a blank and the name can only be the end of a line. */
export function packedId(text: string, name: string): string | undefined {
  const at = text.indexOf(` ${name}\n`);
  return at < 0 ? undefined : text.slice(text.lastIndexOf('\n', at) + 1, at);
}

/** The name of a ref below `prefix`, if there is one; not one of `except`. */
export function findRefBelow(
  repository: GitRepository,
  prefix: string,
  packed: string = readPackedText(repository.path),
  except?: ReadonlySet<string>,
): string | undefined {
  for (let at = packed.indexOf(` ${prefix}/`); at >= 0; at = packed.indexOf(` ${prefix}/`, at + 1)) {
    const name = packed.slice(at + 1, packed.indexOf('\n', at));
    if (!except?.has(name)) return name;
  }
  return findLooseBelow(repository, prefix, except);
}

/** The text of packed-refs without some refs and their peeled lines; undefined when none of them is in it. */
export function packedRefsWithout(repository: GitRepository, gone: ReadonlySet<string>): string | undefined {
  const text = readPackedText(repository.path);
  let dropped = false;
  let found = false;
  const kept = text.split(/(?<=\n)/).filter((line) => {
    if (!line.startsWith('^')) dropped = !line.startsWith('#') && gone.has(line.slice(line.indexOf(' ') + 1).trimEnd());
    found ||= dropped;
    return !dropped;
  });
  return found ? kept.join('') : undefined;
}

function findLooseBelow(repository: GitRepository, prefix: string, except?: ReadonlySet<string>): string | undefined {
  let entries: { name: string; isDirectory(): boolean }[];
  try {
    entries = readdirSync(join(repository.path, prefix), { withFileTypes: true });
  } catch {
    return undefined;
  }
  for (const entry of entries) {
    const name = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) {
      const found = findLooseBelow(repository, name, except);
      if (found) return found;
    } else if (!name.endsWith('.lock') && !except?.has(name)) return name;
  }
  return undefined;
}
