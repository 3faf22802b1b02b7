import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import { withMutex } from '../../git/mutex.ts';
import type { FileName } from '../registry/find.ts';
import type { IndexBuilder } from './build.ts';
import { cachedForm, documentName, planForms } from './cached-plans.ts';
import { ComposedDocument, type DocumentPlan } from './composed.ts';
import { markOf } from './mark.ts';

/** A document of an index, and whether its reader accepts the compressed form. */
interface WantedDocument extends FileName {
  readonly acceptsGzip: boolean;
}

/**
 * The plan of an index document that was marked and has not been written as a file since, in the form that its reader gets; undefined if it
 * has its file, or has no blocks.
 */
export async function planDocument(
  context: Context,
  builder: IndexBuilder,
  { owner, type }: { owner: User; type: PackageType },
  key: string,
  { name, compositeKey = '', acceptsGzip }: WantedDocument,
): Promise<DocumentPlan | undefined> {
  const [mark] = await markOf(context.db, owner.id, type, key);
  if (!mark || mark.built >= mark.wanted) return undefined;
  const { wanted } = mark;
  const document = documentName({ ownerId: owner.id, type, key }, { name, compositeKey });
  const current = () => cachedForm(context, { document, wanted }, acceptsGzip);
  return (
    current() ??
    (await withMutex(`package document ${document}`, async () => {
      const made = current();
      if (made) return made;
      const files = await builder(context, owner, key);
      const file = files.find((one) => one.name === name && (one.compositeKey ?? '') === compositeKey);
      if (!(file?.content instanceof ComposedDocument)) return undefined;
      return await planForms(context, { document, wanted }, file.content, acceptsGzip);
    }))
  );
}
