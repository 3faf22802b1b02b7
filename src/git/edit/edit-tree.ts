import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ObjectSource, readObject } from '../objects/object-source.ts';
import type { EntryMode } from '../objects/tree-entry.ts';
import { parseRawTree, type RawTreeEntry } from '../objects/tree-format.ts';
import { type NewObject, newTree } from '../objects/write-objects.ts';
import type { GitRepository } from '../repository.ts';

/** The item at a path of a tree. */
export interface TreeItem {
  mode: EntryMode;
  oid: string;
}

/** Another item is where an edit puts a file, or a file is where it needs a folder. */
export class TreeConflictError extends Error {
  override readonly name = 'TreeConflictError';
  readonly path: string;
  readonly existing: TreeItem;
  constructor(path: string, existing: TreeItem) {
    super(`something stands in the way at ${path}`);
    this.path = path;
    this.existing = existing;
  }
}

/** Larger trees take many milliseconds to read, in bytes. */
const LARGE_TREE = 256 * 1024;

interface Folder {
  entries: Map<string, RawTreeEntry>;
  /** Folders that have been opened; the id in their entry is outdated once they are changed. */
  opened: Map<string, Folder>;
  changed: boolean;
}

/**
 * A tree that can be edited: only the folders of changed paths are read and rewritten. Paths are clean (file-paths.ts), with slashes.
 */
export class TreeEditor {
  readonly #repository: GitRepository;
  readonly #objects: ObjectSource;
  readonly #base: string | null;
  #root: Folder | undefined;

  /** @param base the tree to start with; null for an empty one */
  constructor(repository: GitRepository, objects: ObjectSource, base: string | null) {
    this.#repository = repository;
    this.#objects = objects;
    this.#base = base;
  }

  /** The item at `path`; undefined if there is none. */
  async get(path: string): Promise<TreeItem | undefined> {
    const names = rawNames(path);
    const last = names.pop() ?? '';
    let folder: Folder | undefined = await this.#openRoot();
    for (const name of names) folder = folder && (await this.#open(folder, name));
    return folder?.entries.get(last);
  }

  /**
   * Puts an item at `path` and creates its folders.
   * @throws TreeConflictError when `path` is a folder, or a part of it is another item than a folder
   */
  async set(path: string, { mode, oid }: TreeItem): Promise<void> {
    const names = rawNames(path);
    const last = names.pop() ?? '';
    const way = [await this.#openRoot()];
    for (const [depth, name] of names.entries()) {
      const parent = way[depth] as Folder;
      const existing = parent.entries.get(name);
      if (existing && existing.mode !== '040000')
        throw new TreeConflictError(
          path
            .split('/')
            .slice(0, depth + 1)
            .join('/'),
          existing,
        );
      way.push((await this.#open(parent, name)) ?? addFolder(parent, name));
    }
    const folder = way.at(-1) as Folder;
    const existing = folder.entries.get(last);
    if (existing?.mode === '040000') throw new TreeConflictError(path, existing);
    folder.entries.set(last, { mode, name: last, oid });
    for (const each of way) each.changed = true;
  }

  /** Removes the item at `path`, including whole folders, and the folders that become empty. Returns false if there was none. */
  async remove(path: string): Promise<boolean> {
    const names = rawNames(path);
    const way = [await this.#openRoot()];
    for (const name of names.slice(0, -1)) {
      const next = await this.#open(way.at(-1) as Folder, name);
      if (!next) return false;
      way.push(next);
    }
    if (!way.at(-1)?.entries.has(names.at(-1) ?? '')) return false;
    for (const [depth, folder] of [...way.entries()].reverse()) {
      const name = names[depth] ?? '';
      const child = folder.opened.get(name);
      if (depth === way.length - 1 || child?.entries.size === 0) {
        folder.entries.delete(name);
        folder.opened.delete(name);
      }
      folder.changed = true;
    }
    return true;
  }

  /** The id of the edited tree, and the new trees; nothing is written. */
  async finish(): Promise<{ oid: string; objects: NewObject[] }> {
    const objects: NewObject[] = [];
    const root = await this.#openRoot();
    const oid = root.changed || this.#base === null ? this.#build(root, objects) : this.#base;
    return { oid, objects };
  }

  #build(folder: Folder, objects: NewObject[]): string {
    for (const [name, child] of folder.opened)
      if (child.changed) folder.entries.set(name, { mode: '040000', name, oid: this.#build(child, objects) });
    const tree = newTree(this.#repository.objectFormat, folder.entries.values());
    objects.push(tree);
    return tree.oid;
  }

  async #openRoot(): Promise<Folder> {
    this.#root ??= this.#base === null ? emptyFolder() : await this.#read(this.#base);
    return this.#root;
  }

  async #open(parent: Folder, name: string): Promise<Folder | undefined> {
    const opened = parent.opened.get(name);
    if (opened) return opened;
    const entry = parent.entries.get(name);
    if (entry?.mode !== '040000') return undefined;
    const folder = await this.#read(entry.oid);
    parent.opened.set(name, folder);
    return folder;
  }

  async #read(oid: string): Promise<Folder> {
    const tree = await readObject(this.#objects, this.#repository, oid, 'tree');
    const isLarge = tree.length > LARGE_TREE;
    // Reading it, indexing it and writing it again take as long, each of which is long enough.
    if (isLarge) await nextTurn();
    const parsed = parseRawTree(tree, this.#repository.objectFormat);
    if (isLarge) await nextTurn();
    const entries = new Map<string, RawTreeEntry>();
    for (const entry of parsed) entries.set(entry.name, entry);
    if (isLarge) await nextTurn();
    return { entries, opened: new Map(), changed: false };
  }
}

function emptyFolder(): Folder {
  return { entries: new Map(), opened: new Map(), changed: false };
}

function addFolder(parent: Folder, name: string): Folder {
  const folder = emptyFolder();
  parent.entries.set(name, { mode: '040000', name, oid: '' });
  parent.opened.set(name, folder);
  return folder;
}

/** The parts of a path as bytes of a tree, one byte per character. */
function rawNames(path: string): string[] {
  return path.split('/').map((name) => Buffer.from(name).toString('latin1'));
}
