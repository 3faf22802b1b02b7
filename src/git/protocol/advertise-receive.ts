import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitPool } from '../objects/objects.ts';
import { listRefs } from '../refs/refs.ts';
import { type GitRepository, type ObjectFormat, zeroObjectId } from '../repository.ts';
import { FLUSH_PACKET, MalformedPacketError, packet, readPacket } from './pkt-line.ts';

/** The capabilities of git's receive-pack; the same for every repository of a format. */
const capabilities = new Map<ObjectFormat, string>();

/** The refs that a push can neither see nor move; as in receive-config.ts. */
const HIDDEN = 'refs/pull/';

/** More refs are listed by git: they would hold the thread. */
const MAX_REFS = 10_000;

/**
 * The advertisement of `git receive-pack`, without starting it: the refs are read here, and git's capabilities are cached on first use.
 * @param ask runs git; its output begins with the name of the service
 */
export async function advertiseReceive(repository: GitRepository, pool: GitPool, ask: () => Promise<Buffer>): Promise<Buffer> {
  const known = capabilities.get(repository.objectFormat);
  // A repository with alternates advertises their objects too, so that they are not sent again.
  if (known === undefined || existsSync(join(repository.path, 'objects/info/alternates'))) {
    const output = await ask();
    capabilities.set(repository.objectFormat, readCapabilities(output));
    return output;
  }
  const all = await listRefs(repository, pool);
  if (all.length > MAX_REFS) return await ask();
  const refs = all.filter(({ name }) => !name.startsWith(HIDDEN));
  const lines =
    refs.length === 0 ? [`${zeroObjectId(repository.objectFormat)} capabilities^{}`] : refs.map(({ oid, name }) => `${oid} ${name}`);
  const packets = lines.map((line, index) => packet(index === 0 ? `${line}\0${known}\n` : `${line}\n`));
  return Buffer.concat([packet('# service=git-receive-pack\n'), FLUSH_PACKET, ...packets, FLUSH_PACKET]);
}

/** The capabilities, which follow the first ref. */
function readCapabilities(output: Buffer): string {
  for (let at = 0; ; ) {
    const next = readPacket(output, at);
    if (!next) throw new MalformedPacketError('git advertised nothing');
    const nul = next.payload?.indexOf(0) ?? -1;
    if (next.payload && nul >= 0) return next.payload.toString('utf8', nul + 1).trimEnd();
    at = next.end;
  }
}
