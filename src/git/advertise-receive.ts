import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitPool } from './objects.ts';
import { FLUSH_PACKET, MalformedPacketError, packet, readPacket } from './pkt-line.ts';
import { listRefs } from './refs.ts';
import { type GitRepository, type ObjectFormat, zeroObjectId } from './repository.ts';

/** What git says that it can do when it receives; the same for every repository of a format. */
const capabilities = new Map<ObjectFormat, string>();

/** The refs that a push may neither see nor move; as in receive-config.ts. */
const HIDDEN = 'refs/pull/';

/**
 * What `git receive-pack` would advertise, without starting it: the refs are read here, and what git can do is cached from the first time.
 * @param ask runs git; its output begins with the name of the service
 */
export async function advertiseReceive(repository: GitRepository, pool: GitPool, ask: () => Promise<Buffer>): Promise<Buffer> {
  const known = capabilities.get(repository.objectFormat);
  // A repository that borrows objects says which ones, so that they are not sent again.
  if (known === undefined || existsSync(join(repository.path, 'objects/info/alternates'))) {
    const output = await ask();
    capabilities.set(repository.objectFormat, readCapabilities(output));
    return output;
  }
  const refs = (await listRefs(repository, pool)).filter(({ name }) => !name.startsWith(HIDDEN));
  const lines =
    refs.length === 0 ? [`${zeroObjectId(repository.objectFormat)} capabilities^{}`] : refs.map(({ oid, name }) => `${oid} ${name}`);
  const packets = lines.map((line, index) => packet(index === 0 ? `${line}\0${known}\n` : `${line}\n`));
  return Buffer.concat([packet('# service=git-receive-pack\n'), FLUSH_PACKET, ...packets, FLUSH_PACKET]);
}

/** What stands after the first ref. */
function readCapabilities(output: Buffer): string {
  for (let at = 0; ; ) {
    const next = readPacket(output, at);
    if (!next) throw new MalformedPacketError('git advertised nothing');
    const nul = next.payload?.indexOf(0) ?? -1;
    if (next.payload && nul >= 0) return next.payload.toString('utf8', nul + 1).trimEnd();
    at = next.end;
  }
}
