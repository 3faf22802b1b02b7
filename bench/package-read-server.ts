import { findUser } from '../src/access/find-user.ts';
import type { PackageType } from '../src/database/tables/package-types.ts';
import { storeBlob } from '../src/packages/blobs/store.ts';
import { publish } from '../src/packages/registry/publish.ts';
import { testServer } from '../test/support/server.ts';
import { copyVersions } from './package-copies.ts';
import { BENCH_FORMATS } from './package-formats.ts';

/** What `package-reads.ts` asks its server for, by messages: each gets one back. */
export type Order =
  | { readonly what: 'fill'; readonly owner: string; readonly type: PackageType; readonly count: number }
  /** A further version, or a further package where the index lists packages. */
  | { readonly what: 'publish'; readonly owner: string; readonly type: PackageType; readonly number: number }
  /** The jobs that build what was published, as if their time had come. */
  | { readonly what: 'build' }
  /** The processor time so far, in milliseconds. */
  | { readonly what: 'time' };

const t = await testServer();
const { db } = t.context;
const blob = await storeBlob(t.context, Buffer.from('content of a package'));

process.on('message', (order: Order) => {
  carryOut(order).then(
    (result) => process.send?.({ result }),
    (error: Error) => {
      process.send?.({ error: error.stack });
    },
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ result: t.url });

async function carryOut(order: Order): Promise<number> {
  if (order.what === 'fill') await fill(order.owner, order.type, order.count);
  else if (order.what === 'publish') await publishNext(order.owner, order.type, order.number);
  else if (order.what === 'build') await build();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function fill(ownerName: string, type: PackageType, count: number): Promise<void> {
  await t.user(ownerName);
  const { id } = await publishOne(ownerName, type, 'first', '1.0.0');
  const { lists } = BENCH_FORMATS[type] ?? { lists: 'versions' };
  await copyVersions(db, id, lists, count);
  // What was copied has marked no index, and a job may have built one of less meanwhile.
  await publishOne(ownerName, type, lists === 'packages' ? 'last' : 'first', '1.1.0');
}

async function publishNext(ownerName: string, type: PackageType, number: number): Promise<void> {
  if (BENCH_FORMATS[type]?.lists === 'packages') await publishOne(ownerName, type, `other${number}`, '1.0.0');
  else await publishOne(ownerName, type, 'first', `1.0.${number}`);
}

async function publishOne(ownerName: string, type: PackageType, name: string, text: string) {
  const owner = await findUser(db, ownerName);
  const format = BENCH_FORMATS[type];
  if (!owner || !format) throw new Error(`no owner, or no such format: ${ownerName}, ${type}`);
  const { file, compositeKey = '', fileProperties = {}, ...version } = format.version(name, text);
  const files = [{ name: file, compositeKey, blob, isLead: true, properties: fileProperties }];
  await publish(t.context, { ...version, owner, type, files });
  return owner;
}

async function build(): Promise<void> {
  const soon = db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'packages.index');
  await soon.where((where) => where.not(where('key', 'like', '% late'))).execute();
  await t.settled();
}
