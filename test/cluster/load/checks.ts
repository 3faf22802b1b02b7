import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../faults/kills/checks.ts';
import { eventually } from '../../support/eventually.ts';
import type { Cluster } from '../support/cluster.ts';
import type { Load } from './load.ts';

/** Milliseconds within which the last events have to come. */
const EVENTS_MS = 180_000;

/**
 * Looks whether all that was acknowledged is there, the repository is sound, each event has come, and the doctor finds nothing.
 * @throws AssertionError
 */
export async function checkAll(cluster: Cluster, load: Load): Promise<void> {
  await verify(cluster, load.written);
  await checkRest(cluster, load);
  await checkEvents(load);
  const [member] = cluster.members;
  let said = '';
  await eventually(async () => {
    said = (await member?.command('doctor', '--fsck').catch((error: { stdout?: string }) => error.stdout ?? ''))?.trim() ?? '';
    return said === 'nothing is wrong';
  }, 'a clean doctor').catch((error) => {
    throw new Error(`the doctor says: ${said}`, { cause: error });
  });
}

async function checkRest({ root }: Cluster, { written }: Load): Promise<void> {
  for (const [id, number] of written.comments) {
    const { status, json } = await root.get(`/repos/root/demo/issues/comments/${id}`);
    assert.ok(status === 200 && json.issue_url.endsWith(`/${number}`), `comment ${id} is lost`);
  }
  for (const [name, digest] of written.packages) {
    const { bytes } = await root.get(`//api/packages/root/generic/${name}/1/file`);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, `${name} is lost`);
  }
  for (const number of written.merged) {
    assert.equal((await root.get(`/repos/root/demo/pulls/${number}`)).json.merged, true, `the merge of #${number} is lost`);
  }
}

/** At least once each; none is given up while processes come and go. */
async function checkEvents({ receiver, written }: Load): Promise<void> {
  const wanted = [
    ...[...written.branches].map(([name, oid]) => `push refs/heads/${name} ${oid}`),
    ...[...written.files.values()].map((oid) => `push refs/heads/main ${oid}`),
    ...[...written.issues].map((number) => `issues opened ${number}`),
    ...[...written.comments.keys()].map((id) => `issue_comment created ${id}`),
    ...[...written.merged].map((number) => `pull_request closed ${number}`),
    ...[...written.repositories].map((name) => `repository created ${name}`),
    ...[...written.packages.keys()].map((name) => `package created ${name}`),
  ];
  const missing = () => wanted.filter((event) => !receiver.events.has(event));
  for (const end = Date.now() + EVENTS_MS; missing().length > 0 && Date.now() < end; await sleep(500));
  assert.deepEqual(missing(), [], 'events have not been delivered');
}
