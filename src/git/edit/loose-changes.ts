import { readLooseObject } from '../objects/loose-object.ts';
import type { ObjectFormat } from '../repository.ts';
import { type ChangedItem, fewChanges } from './few-changes.ts';

/**
 * {@link fewChanges} among loose objects, as after a merge of recent commits.
 * @param folders folders of objects, such as a quarantine and its repository's
 */
export function looseChanges(
  folders: readonly string[],
  format: ObjectFormat,
  commit: string,
  parent: string,
): Promise<readonly ChangedItem[] | undefined> {
  return fewChanges(
    (oid, type) => {
      for (const folder of folders) {
        const object = readLooseObject(folder, oid);
        if (object?.type === type) return object.data;
      }
      return undefined;
    },
    format,
    commit,
    parent,
  );
}
