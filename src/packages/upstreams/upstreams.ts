import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { notFoundBecause, unprocessable } from '../../http/errors.ts';
import { allowedAddresses, HostNotAllowedError } from '../../http/outgoing/allowed-hosts.ts';
import { InvalidPatternError } from '../../text/pattern.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { patternsOf } from './choose.ts';
import { openCredentials, sealCredentials, type UpstreamCredentials } from './credentials.ts';
import { nameKey, type UpstreamType } from './names.ts';
import { matchesAny } from './patterns.ts';

/** Upstreams of one owner: each request for a package of the type reads them. */
const MAX_UPSTREAMS = 100;
/** Patterns of one list. */
const MAX_PATTERNS = 200;

/** The fields of an upstream besides its credentials. */
export interface UpstreamTerms
  extends Pick<PackageUpstreamRow, 'url' | 'enabled' | 'priority' | 'anonymous_fetches' | 'metadata_seconds' | 'max_file_size'> {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const DEFAULTS: Omit<UpstreamTerms, 'url'> = {
  enabled: true,
  priority: 0,
  allow: [],
  deny: [],
  anonymous_fetches: false,
  metadata_seconds: 300,
  max_file_size: 2 ** 31,
};

/** The upstreams of an owner, in the order of their use. */
export async function listUpstreams({ db }: Context, owner: User): Promise<PackageUpstreamRow[]> {
  return await db
    .selectFrom('package_upstreams')
    .selectAll()
    .where('owner_id', '=', owner.id)
    .orderBy('type')
    .orderBy('priority')
    .orderBy('id')
    .execute();
}

/** @throws HttpError 404 */
export async function findUpstream({ db }: Context, owner: User, id: number): Promise<PackageUpstreamRow> {
  const found = Number.isSafeInteger(id)
    ? await db.selectFrom('package_upstreams').selectAll().where('id', '=', id).where('owner_id', '=', owner.id).executeTakeFirst()
    : undefined;
  if (!found) throw notFoundBecause('package upstream does not exist');
  return found;
}

/** @throws HttpError 422 for terms that cannot be, or if the owner has too many */
export async function createUpstream(
  context: Context,
  owner: User,
  type: UpstreamType,
  given: Partial<UpstreamTerms> & Pick<UpstreamTerms, 'url'> & Partial<UpstreamCredentials>,
): Promise<PackageUpstreamRow> {
  const { username = '', password = '', ...terms } = given;
  const columns = await columnsOf(context, type, { ...DEFAULTS, ...terms });
  const time = now();
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const there = await listUpstreams(context, owner);
    if (there.length >= MAX_UPSTREAMS) throw unprocessable(`[]: an owner has at most ${MAX_UPSTREAMS} package upstreams`);
    const credentials = sealCredentials(context, columns.url, { username, password });
    return await db
      .insertInto('package_upstreams')
      .values({ ...columns, owner_id: owner.id, type, credentials, created_at: time, updated_at: time })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * Changes an upstream. Credentials are never sent to another URL than the one that they were given for.
 * @throws HttpError 404, 422 for terms that cannot be
 */
export async function editUpstream(
  context: Context,
  owner: User,
  id: number,
  given: Partial<UpstreamTerms> & Partial<UpstreamCredentials>,
): Promise<PackageUpstreamRow> {
  const { username, password, ...terms } = given;
  return await inTransaction(context, async (context) => {
    const known = await findUpstream(context, owner, id);
    const before = { ...known, allow: patternsOf(known.allow), deny: patternsOf(known.deny) };
    const columns = await columnsOf(context, known.type as UpstreamType, { ...before, ...terms });
    if (columns.url !== known.url) await dropDocuments(context, known.id);
    const kept = columns.url === known.url ? openCredentials(context, known) : undefined;
    const credentials = { username: username ?? kept?.username ?? '', password: password ?? kept?.password ?? '' };
    return await context.db
      .updateTable('package_upstreams')
      .set({ ...columns, credentials: sealCredentials(context, columns.url, credentials), updated_at: now() })
      .where('id', '=', known.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Another registry might confuse the validators of a document with its own. Files must not change. */
async function dropDocuments({ db }: Context, upstreamId: number): Promise<void> {
  await db.deleteFrom('package_upstream_files').where('upstream_id', '=', upstreamId).where('sha256', '=', '').execute();
}

/**
 * Deletes an upstream and all that is cached of it.
 * @throws HttpError 404
 */
export async function deleteUpstream(context: Context, owner: User, id: number): Promise<void> {
  const { id: found } = await findUpstream(context, owner, id);
  await context.db.deleteFrom('package_upstreams').where('id', '=', found).execute();
}

async function columnsOf(context: Context, type: UpstreamType, terms: UpstreamTerms) {
  const { enabled, priority, allow, deny, anonymous_fetches, metadata_seconds, max_file_size } = terms;
  checkPatterns(type, 'allow', allow);
  checkPatterns(type, 'deny', deny);
  const url = await checkedUrl(context, terms.url);
  const lists = { allow: JSON.stringify(allow), deny: JSON.stringify(deny) };
  return { url, enabled, priority, ...lists, anonymous_fetches, metadata_seconds, max_file_size };
}

function checkPatterns(type: UpstreamType, field: string, patterns: readonly string[]): void {
  if (patterns.length > MAX_PATTERNS) throw unprocessable(`[${field}]: there are more than ${MAX_PATTERNS} patterns`);
  for (const pattern of patterns) {
    if (nameKey(type, pattern.trim()) === '') throw unprocessable(`[${field}]: a pattern is empty`);
    try {
      matchesAny(type, [pattern], '');
    } catch (error) {
      if (error instanceof InvalidPatternError) throw unprocessable(`[${field}]: a pattern cannot be read: ${error.message}`);
      throw error;
    }
  }
}

async function checkedUrl({ settings }: Context, text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !/[?#]/.test(text);
  if (!isUsable) throw unprocessable('[url]: must be an HTTP or HTTPS URL without credentials, query and fragment');
  try {
    await allowedAddresses(settings.outgoing, url.hostname);
  } catch (error) {
    // A name that cannot be resolved now may be later.
    if (error instanceof HostNotAllowedError) throw unprocessable(`[url]: ${error.message}`);
  }
  return trimEnd(url.href, '/');
}
