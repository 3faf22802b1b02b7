import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { listRefs, type Ref } from '../../git/refs/refs.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { escapePath } from '../escape-path.ts';
import type { Reference } from './schema.ts';

/** Maximum number of refs in one response. */
const MAX_REFS = 50_000;

/** Refs for the repository's own use are not shown. */
const HIDDEN = 'refs/remotes/';

/**
 * The refs whose names begin with `refs/` and `prefix`, which may end within a name.
 * @throws HttpError 404 if there are none; 422 if there are too many
 */
export async function listReferences(context: Context, repository: Repository, prefix: string): Promise<Shape<typeof Reference>[]> {
  const located = context.git.locate(repository);
  const all = await listRefs(located, context.git.pool, `refs/${prefix}`);
  const refs = all.filter(({ name }) => !name.startsWith(HIDDEN));
  if (refs.length === 0) throw notFound();
  if (refs.length > MAX_REFS) throw unprocessable(`more than ${MAX_REFS} refs begin so; ask for a longer beginning of their names`);
  const apiUrl = repositoryApiUrl(context.settings, repository);
  const objects = await Promise.all(refs.map(({ oid }) => context.git.pool.info(located, oid)));
  return refs.flatMap((ref, index) => {
    const object = objects[index];
    return object ? [presentReference(apiUrl, ref, object.type)] : [];
  });
}

function presentReference(apiUrl: string, { name, oid }: Ref, type: string): Shape<typeof Reference> {
  return {
    ref: name,
    url: `${apiUrl}/git/${escapePath(name)}`,
    object: { type, sha: oid, url: `${apiUrl}/git/${type}s/${oid}` },
  };
}
