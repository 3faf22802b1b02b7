/*
 * `compare.ts --reference URL --url URL --admin NAME:PASSWORD [--every N]`: sends the same GET requests to a Gitea and to the Copse that was imported from
 * it, and compares the responses. Fails when less than 98 % of them are equal.
 */
import { parseArgs } from 'node:util';
import { readBody } from './gitea/body.ts';
import { paths } from './gitea/paths.ts';

const NEEDED = 0.98;
/** What each server says in its own way, or counts of itself. */
const IGNORED = new Set([
  'avatar_url',
  'ssh_url',
  'original_url',
  'remote_address',
  'last_login',
  'size',
  'diff_url',
  'patch_url',
  'url',
  'mirror_updated',
  'last_used_at',
  'updated_at_now',
]);
/** Lists that Gitea has in another order each time. */
const UNORDERED = /\.units$/;

const { values } = parseArgs({
  options: { reference: { type: 'string' }, url: { type: 'string' }, admin: { type: 'string' }, every: { type: 'string', default: '1' } },
});
const { reference = '', url = '', admin = '' } = values;
const authorization = `Basic ${Buffer.from(admin).toString('base64')}`;

async function get(base: string, path: string): Promise<{ status: number; body: unknown }> {
  const root = base.replace(/\/$/, '');
  const response = await fetch(path.startsWith('//') ? root + path.slice(1) : `${root}/api/v1${path}`, { headers: { authorization } });
  return { status: response.status, body: readBody(Buffer.from(await response.arrayBuffer()), root, path) };
}

const ask = async (path: string) => {
  const { status, body } = await get(reference, path);
  return status === 200 ? body : undefined;
};

let [equal, total] = [0, 0];
const areas = new Map<string, { equal: number; total: number; example: string }>();
for await (const path of paths(ask, Number(values.every))) {
  const [theirs, ours] = await Promise.all([get(reference, path), get(url, path)]);
  const found = theirs.status === ours.status ? differences(theirs.body, ours.body, '') : [`status ${theirs.status} and ${ours.status}`];
  const area = path
    .replace(/\?.*/, '')
    .replace(/\/(users|orgs|teams)\/[^/]+/, '/$1/{}')
    .replace(/\/repos\/[^/]+\/[^/]+/, '/repos/{}')
    .replace(/\/(packages)\/[^/]+\/([^/]+)\/[^/]+.*/, '/$1/{}/$2')
    .replace(/\/v2\/.*/, '/v2')
    .replace(/\/\d+|\/[0-9a-f]{40}/g, '/{}');
  const known = areas.get(area) ?? { equal: 0, total: 0, example: '' };
  total++;
  known.total++;
  if (theirs.status === 200 && found.length > 0) known.example ||= `${path}\n      ${found.slice(0, 6).join('\n      ')}`;
  if (found.length === 0) known.equal++;
  if (found.length === 0) equal++;
  areas.set(area, known);
}
for (const [area, { equal, total, example }] of areas) if (equal < total) console.log(`${equal} of ${total}  ${area}\n    ${example}`);
console.log(`${equal} of ${total} responses are equal: ${((100 * equal) / total).toFixed(2)} %`);
process.exitCode = equal / total < NEEDED ? 1 : 0;

/** Where two values differ. Further keys on our side are fine. */
function differences(theirs: unknown, ours: unknown, at: string): string[] {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (UNORDERED.test(at)) return differences(theirs.toSorted().join(), ours.toSorted().join(), `${at} `);
    if (theirs.length !== ours.length) return [`${at}: ${theirs.length} and ${ours.length} entries`];
    return theirs.flatMap((value, index) => differences(value, ours[index], `${at}[${index}]`));
  }
  if (isRecord(theirs) && isRecord(ours)) {
    return Object.keys(theirs).flatMap((key) => (IGNORED.has(key) ? [] : differences(theirs[key], ours[key], `${at}.${key}`)));
  }
  return theirs === ours ? [] : [`${at}: ${JSON.stringify(theirs)?.slice(0, 120)} and ${JSON.stringify(ours)?.slice(0, 120)}`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
