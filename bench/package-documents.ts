import { findUser } from '../src/access/find-user.ts';
import type { PackageType } from '../src/database/tables/package-types.ts';
import { storeBlob } from '../src/packages/blobs/store.ts';
import { publish } from '../src/packages/registry/publish.ts';
import { testServer } from '../test/support/server.ts';
import { copyVersions } from './package-copies.ts';
import { BENCH_FORMATS, type BenchFormat } from './package-formats.ts';
import { readDocument as read } from './read-document.ts';

/**
 * `node bench/package-documents.ts [COUNT…] [FORMAT…]`: the processor time in milliseconds of publishing a version, of the first read of the
 * index that lists it, of the next one, and of one on the condition that it has changed, where that lists so many versions of a package or
 * packages of an owner (10, 1,000 and 10,000); then of the job after the next publication, and of the first read after that job, both as they are and compressed (gzip). The least of
 * three rounds. On SQLite, with server and client in one process; the client
 * throws the bytes away.
 */
const words = process.argv.slice(2);
const given = words.filter((word) => /^\d+$/.test(word)).map(Number);
const counts = given.length > 0 ? given : [10, 1000, 10_000];
const types = words.filter((word) => word in BENCH_FORMATS);
const ROUNDS = 3;
const GZIP = { 'accept-encoding': 'gzip' };

const t = await testServer();
const { db } = t.context;
const blob = await storeBlob(t.context, Buffer.from('content of a package'));

for (const [type, format] of Object.entries(BENCH_FORMATS)) {
  if (types.length > 0 && !types.includes(type)) continue;
  for (const count of counts) await measureFormat(type as PackageType, format, count);
}
process.exit();

async function measureFormat(type: PackageType, format: BenchFormat, count: number): Promise<void> {
  const ownerName = `${type}${count}`;
  await t.user(ownerName);
  const owner = await findUser(db, ownerName);
  if (!owner) throw new Error('no owner');
  const [first, ...others] = ['first', ...Array.from({ length: 3 * ROUNDS }, (_, round) => `other${round}`)];
  const publishOne = async (name: string, text: string) => {
    const { file, compositeKey = '', fileProperties = {}, ...version } = format.version(name, text);
    const files = [{ name: file, compositeKey, blob, isLead: true, properties: fileProperties }];
    await publish(t.context, { ...version, owner, type, files });
  };
  const url = `${t.url}/api/packages/${ownerName}/${type}/${format.index(first ?? '')}`;
  await publishOne(first ?? '', '1.0.0');
  await copyVersions(db, owner.id, format.lists, count);
  const [whole] = await measure(() => read(url));
  const rounds: number[][] = [];
  const publishNext = async (round: number) =>
    format.lists === 'packages' ? await publishOne(others[round] ?? '', '1.0.0') : await publishOne(first ?? '', `1.0.${round + 1}`);
  for (let round = 0; round < ROUNDS; round++) {
    const [published] = await measure(() => publishNext(3 * round));
    const [firstRead] = await measure(() => read(url));
    const [again, { etag }] = await measure(() => read(url));
    const [unchanged] = await measure(() => read(url, { 'if-none-match': etag }));
    await publishNext(3 * round + 1);
    const [firstGzip] = await measure(() => read(url, GZIP));
    const [gzipAgain] = await measure(() => read(url, GZIP));
    await publishNext(3 * round + 2);
    const [job] = await measure(runSoon);
    const [gzipAfterJob] = await measure(() => read(url, GZIP));
    const [afterJob] = await measure(() => read(url));
    rounds.push([published, firstRead, again, unchanged, job, afterJob, firstGzip, gzipAgain, gzipAfterJob]);
  }
  const { bytes } = await read(url);
  const compressed = (await read(url, GZIP)).bytes;
  const least = (rounds[0] ?? []).map((_, part) => Math.min(...rounds.map((round) => round[part] ?? 0)).toFixed(1));
  console.log(
    `${type} ${count} ${format.lists} (${bytes} bytes): publish ${least[0]}, first read ${least[1]}, again ${least[2]}, unchanged ${least[3]}, job ${least[4]}, first read after it ${least[5]}, all made anew ${whole.toFixed(0)}; gzip (${compressed} bytes): first read ${least[6]}, again ${least[7]}, first after the job ${least[8]}`,
  );
}

/** Runs the job that builds what was published, as if its time had come. */
async function runSoon(): Promise<void> {
  const soon = db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'packages.index');
  await soon.where((where) => where.not(where('key', 'like', '% late'))).execute();
  await t.settled();
}

async function measure<Result>(what: () => Promise<Result>): Promise<[number, Result]> {
  const before = process.cpuUsage();
  const result = await what();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
