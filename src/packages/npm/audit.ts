import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { invalid, PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { readBody } from '../protocol/receive.ts';
import { textsOf } from '../protocol/values.ts';
import { hasUpstream, upstreamFor } from '../upstreams/choose.ts';
import { asRefusal, fetching } from '../upstreams/fetching.ts';
import { readBody as readResponse } from '../upstreams/read-small.ts';
import { requestUpstream, UpstreamError } from '../upstreams/request.ts';
import { isPackageName } from './metadata.ts';

/** Size limit of what a client sends and gets, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Packages of one request: each costs a query or two. */
const MAX_NAMES = 3000;
const TIMEOUT_MS = 30_000;
const PATH = '-/npm/v1/security/advisories/bulk';

/** The versions of packages that a client has, by their names. */
type Installed = Record<string, readonly string[]>;

/**
 * `npm audit`: the advisories of those packages that come from upstreams, which know them. The names of others stay here.
 * @throws PackageError 404 for an owner without upstreams: nobody knows of advisories; 400, 401, 413, 502
 */
export async function audit(call: PackageCall) {
  const { context, owner } = call;
  if (!(await hasUpstream(context, owner.id, 'npm')))
    throw new PackageError('missing', { message: 'advisories are known to upstreams alone' });
  const found: [string, unknown][] = [];
  for (const [upstream, installed] of await byUpstream(call, await readInstalled(call))) {
    const advisories = await readAdvisories(call, upstream, installed);
    found.push(...Object.entries(advisories).filter(([name]) => Object.hasOwn(installed, name)));
  }
  return json(Object.fromEntries(found));
}

async function readInstalled(call: PackageCall): Promise<Installed> {
  const body = await readBody(call, MAX_BYTES);
  const isCompressed = call.request.headers['content-encoding'] === 'gzip';
  const read = parseJsonObject('the body', isCompressed ? await decompressed(body) : body);
  const names = Object.keys(read);
  if (names.length > MAX_NAMES) throw invalid(`the body names more than ${MAX_NAMES} packages`);
  return Object.fromEntries(names.filter(isPackageName).map((name) => [name, textsOf(read[name])]));
}

async function decompressed(body: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: MAX_BYTES });
  } catch {
    throw invalid(`the body is not compressed with gzip, or has more than ${MAX_BYTES} bytes`);
  }
}

async function byUpstream({ context, owner }: PackageCall, installed: Installed): Promise<Map<PackageUpstreamRow, Installed>> {
  const named: { name: string; upstream: PackageUpstreamRow }[] = [];
  for (const name of Object.keys(installed)) {
    const upstream = await upstreamFor(context, { ownerId: owner.id, type: 'npm', name });
    if (upstream) named.push({ name, upstream });
  }
  const groups = Map.groupBy(named, ({ upstream }) => upstream.id).values();
  return new Map(
    [...groups].flatMap((group) => {
      const versions = group.map(({ name }) => [name, installed[name] ?? []] as const);
      return group[0] ? [[group[0].upstream, Object.fromEntries(versions)]] : [];
    }),
  );
}

async function readAdvisories(call: PackageCall, upstream: PackageUpstreamRow, installed: Installed): Promise<Record<string, unknown>> {
  const body = JSON.stringify(installed);
  const path = `audit ${createHash('sha256').update(body).digest('hex')}`;
  try {
    return await fetching(
      call,
      upstream,
      path,
      async () => undefined,
      () => fetchAdvisories(call.context, upstream, body),
    );
  } catch (error) {
    throw asRefusal(call.context, upstream, path, error);
  }
}

async function fetchAdvisories(context: Context, upstream: PackageUpstreamRow, body: string): Promise<Record<string, unknown>> {
  const timeout = Math.min(TIMEOUT_MS, context.settings.packages.upstreamTimeout);
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await requestUpstream(context, upstream, { method: 'POST', url: `${upstream.url}/${PATH}`, headers, body, timeout });
  const text = await readResponse(response.body, MAX_BYTES);
  try {
    return parseJsonObject('its response', text);
  } catch (error) {
    throw new UpstreamError('it sent no advisories', { cause: error });
  }
}
