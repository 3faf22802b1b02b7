import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { isWhole } from '../blobs/content.ts';
import { type FoundFile, listFiles } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import type { IndexName } from './block-store.ts';
import { blocksOf, type ListedVersion } from './blocks.ts';
import { type IndexFile, versionOfIndex } from './build.ts';

/** The property of a file of an index that tells which versions it was made of. */
const MADE_OF = 'index.made-of';

/** A list of an index that has several, such as one for each architecture. */
export interface List {
  readonly name: string;
  readonly versions: readonly ListedVersion[];
  /** What its files depend on besides. */
  readonly also?: string;
}

/** A file that is stored. */
export interface StoredFile {
  readonly name: string;
  readonly content: PackageBlobRow;
}

/**
 * The files of an index that has many lists. After a publication only the lists that have changed are rebuilt: of the others it takes the
 * files that are there.
 */
export class ListFiles {
  readonly #context: Context;
  readonly #there: readonly FoundFile[];
  readonly #madeOf: ReadonlyMap<number, string>;

  private constructor(context: Context, there: readonly FoundFile[], madeOf: ReadonlyMap<number, string>) {
    this.#context = context;
    this.#there = there;
    this.#madeOf = madeOf;
  }

  static async open(context: Context, { ownerId, type, key }: IndexName): Promise<ListFiles> {
    const { db } = context;
    const [version] = await versionOfIndex(db, ownerId, type, key);
    const there = await listFiles(db, version ? [version.id] : []);
    const properties = await listProperties(
      db,
      'file',
      there.map(({ file }) => file.id),
    );
    const madeOf = there.map(({ file }) => [file.id, propertyOf(properties.get(file.id), MADE_OF) ?? ''] as const);
    return new ListFiles(context, there, new Map(madeOf));
  }

  /**
   * The files of a list.
   * @param make makes all of them; their composite key is the name of the list
   */
  async of(list: List, make: () => Promise<readonly StoredFile[]>): Promise<readonly (IndexFile & StoredFile)[]> {
    const { name } = list;
    const madeOf = madeOfVersions(list);
    const there = this.#there.filter(({ file }) => file.composite_key === name);
    const isSame = there.length > 0 && there.every(({ file }) => this.#madeOf.get(file.id) === madeOf);
    const whole = isSame && (await Promise.all(there.map(({ blob }) => isWhole(this.#context, blob)))).every(Boolean);
    const files = whole ? there.map(({ file, blob }) => ({ name: file.name, content: blob })) : await make();
    return files.map((file) => ({ ...file, compositeKey: name, properties: { [MADE_OF]: madeOf } }));
  }
}

function madeOfVersions({ name, versions, also = '' }: List): string {
  const hash = createHash('sha256').update(JSON.stringify([name, also]));
  for (const { signature } of blocksOf(versions)) hash.update(` ${signature}`);
  return hash.digest('base64url');
}
