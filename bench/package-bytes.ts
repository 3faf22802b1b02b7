import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node bench/package-bytes.ts PID URL NAME:PASSWORD [MEBIBYTES]`: publishes and reads a generic file and a layer of a container of so many
 * bytes (5 GiB), and prints the seconds, the processor time of the server's process, and the most memory that it had resident.
 * Linux alone (`/proc`).
 */
const [pid = '', url = '', account = '', size = '5120'] = process.argv.slice(2);
if (!/^\d+$/.test(pid) || !URL.canParse(url) || !account.includes(':'))
  throw new Error('usage: node bench/package-bytes.ts PID URL NAME:PASSWORD [MEBIBYTES]');

const MIB = 1024 * 1024;
const count = Number(size);
const name = account.slice(0, account.indexOf(':'));
const authorization = `Basic ${Buffer.from(account).toString('base64')}`;
const version = Date.now();

/** Contents that are not stored already: each part begins with its number and the run's. */
function* parts(salt: string): Generator<Uint8Array> {
  for (let index = 0; index < count; index++) {
    const part = Buffer.alloc(MIB, index % 251);
    part.write(`${salt} ${version} ${index}`);
    yield part;
  }
}

function processorSeconds(): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function residentMebibytes(): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, residentMebibytes());
}, 200);

async function measure(label: string, what: () => Promise<unknown>): Promise<void> {
  await sleep(1000);
  most = residentMebibytes();
  const before = most;
  const [start, cpu] = [performance.now(), processorSeconds()];
  await what();
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${label}: ${seconds.toFixed(1)} s, processor ${(processorSeconds() - cpu).toFixed(1)} s, resident ${before.toFixed(0)} -> ${most.toFixed(0)} MiB at most`,
  );
}

async function send(method: string, path: string, body?: Iterable<Uint8Array>): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/octet-stream' };
  const stream = body && Readable.toWeb(Readable.from(body));
  const response = await fetch(new URL(path, url), { method, headers, ...(stream && { body: stream, duplex: 'half' }) } as RequestInit);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function read(path: string): Promise<void> {
  let bytes = 0;
  for await (const chunk of (await send('GET', path)).body ?? []) bytes += chunk.length;
  if (bytes !== count * MIB) throw new Error(`${path} has ${bytes} bytes`);
}

const file = `api/packages/${name}/generic/bench/${version}/file`;
await measure(`generic file of ${count} MiB, published`, () => send('PUT', file, parts('file')));
await measure('read', () => read(file));
const hash = createHash('sha256');
for (const part of parts('layer')) hash.update(part);
const digest = `sha256:${hash.digest('hex')}`;
await measure(`layer of ${count} MiB, pushed`, async () => {
  const { headers } = await send('POST', `v2/${name}/bench/blobs/uploads/`);
  const upload = headers.get('location') ?? '';
  await send('PATCH', upload, parts('layer'));
  await send('PUT', `${upload}?digest=${digest}`);
});
await measure('pulled', () => read(`v2/${name}/bench/blobs/${digest}`));
clearInterval(watch);
