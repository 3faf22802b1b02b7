import { Readable } from 'node:stream';
import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { anchor, pageAround } from './html.ts';
import { registryUrl } from './simple.ts';

/** Projects that are read at once. */
const BATCH = 500;

const namesAfter = prepared((db, ownerId: number, after: string) =>
  db
    .selectFrom('packages')
    .select('lower_name')
    .where('owner_id', '=', ownerId)
    .where('type', '=', 'pypi')
    .where('is_internal', '=', false)
    .where('lower_name', '>', after)
    .where((where) => where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id')))
    .orderBy('lower_name')
    .limit(BATCH),
);

/** The list of all projects that are published here (PEP 503 and 691), which is written while it is sent. */
export function listProjects({ context, owner }: PackageCall, type: string, isJson: boolean): HttpResponse {
  const url = registryUrl(context, owner);
  const content = isJson ? jsonOf(context.db, owner.id) : htmlOf(context.db, owner.id, url);
  return raw(Readable.from(content, { objectMode: false }), type, { headers: { vary: 'Accept', 'x-content-type-options': 'nosniff' } });
}

async function* htmlOf(db: Db, ownerId: number, url: string): AsyncGenerator<string> {
  const [start, end] = pageAround('all projects');
  yield start;
  for await (const names of eachBatch(db, ownerId)) {
    yield names.map((name) => anchor(`${url}/simple/${escapeSegment(name)}/`, name, {})).join('');
  }
  yield end;
}

async function* jsonOf(db: Db, ownerId: number): AsyncGenerator<string> {
  let separator = '';
  yield '{"meta":{"api-version":"1.1"},"projects":[';
  for await (const names of eachBatch(db, ownerId)) {
    yield separator + names.map((name) => JSON.stringify({ name })).join(',');
    separator = ',';
  }
  yield ']}';
}

async function* eachBatch(db: Db, ownerId: number): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const names = (await namesAfter(db, ownerId, after)).map(({ lower_name: name }) => name);
    if (names.length > 0) yield names;
    if (names.length < BATCH) return;
    after = names.at(-1) ?? '';
  }
}
