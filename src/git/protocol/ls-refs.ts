import type { GitPool } from '../objects/objects.ts';
import { listRefs, readHead } from '../refs/refs.ts';
import { peel } from '../refs/tags.ts';
import type { GitRepository } from '../repository.ts';
import { FLUSH_PACKET, MalformedPacketError, packet, readPacket } from './pkt-line.ts';

/*
 * The command `ls-refs` of version 2: https://git-scm.com/docs/protocol-v2#_ls_refs
 */

/** The arguments of the command. */
interface RefsRequest {
  peel: boolean;
  symrefs: boolean;
  unborn: boolean;
  prefixes: string[];
}

/** Up to so many refs are listed here: the object of each is read, which git does faster where there are many. */
const MAX_REFS = 1000;
const MAX_PREFIXES = 1000;
/** The packet between the capabilities of a request and its arguments. */
const DELIMITER = '0001';

/**
 * The response of `git upload-pack` to the command, without starting it: 3.5 ms of processor time for 150 refs instead of 8.8. Undefined
 * where git has to run: for other commands, for unknown arguments, and for repositories with many refs or symbolic ones besides HEAD.
 * @param request the whole request of the client
 */
export async function serveLsRefs(repository: GitRepository, pool: GitPool, request: Buffer): Promise<Buffer | undefined> {
  const parsed = readRefsRequest(request, repository);
  if (!parsed) return undefined;
  const refs = await listRefs(repository, pool);
  const head = await readHead(repository, pool);
  if (refs.length > MAX_REFS || refs.some(({ isSymbolic }) => isSymbolic)) return undefined;
  if (head.ref === undefined && head.oid === undefined) return undefined;

  const { symrefs, unborn, prefixes } = parsed;
  const isRequested = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const peeled = async (oid: string) => (parsed.peel ? await peeledPart(repository, pool, oid) : '');
  const target = symrefs && head.ref !== undefined ? ` symref-target:${head.ref}` : '';
  const lines: string[] = [];
  if (isRequested('HEAD')) {
    if (head.oid !== undefined) lines.push(`${head.oid} HEAD${target}${await peeled(head.oid)}`);
    else if (unborn && symrefs) lines.push(`unborn HEAD${target}`);
  }
  for (const { name, oid } of refs) {
    if (isRequested(name)) lines.push(`${oid} ${name}${await peeled(oid)}`);
  }
  return Buffer.concat([...lines.map((line) => packet(`${line}\n`)), FLUSH_PACKET]);
}

async function peeledPart(repository: GitRepository, pool: GitPool, oid: string): Promise<string> {
  const target = await peel(repository, pool, oid);
  return target === undefined || target.oid === oid ? '' : ` peeled:${target.oid}`;
}

/** Parses the request; undefined for another command or unknown arguments. */
function readRefsRequest(request: Buffer, { objectFormat }: GitRepository): RefsRequest | undefined {
  const lines = readLines(request);
  const delimiter = lines?.indexOf(DELIMITER) ?? -1;
  if (lines?.[0] !== 'command=ls-refs') return undefined;
  const capabilities = delimiter < 0 ? lines : lines.slice(0, delimiter);
  const isKnown = (line: string) => line === `object-format=${objectFormat}` || line.startsWith('agent=');
  if (!capabilities.slice(1).every(isKnown)) return undefined;
  // A client that does not name the format means SHA-1.
  if (objectFormat !== 'sha1' && !capabilities.includes(`object-format=${objectFormat}`)) return undefined;
  const parsed: RefsRequest = { peel: false, symrefs: false, unborn: false, prefixes: [] };
  for (const line of delimiter < 0 ? [] : lines.slice(delimiter + 1)) {
    if (line === 'peel' || line === 'symrefs' || line === 'unborn') parsed[line] = true;
    else if (line.startsWith('ref-prefix ')) parsed.prefixes.push(line.slice('ref-prefix '.length));
    else return undefined;
  }
  return parsed.prefixes.length > MAX_PREFIXES ? undefined : parsed;
}

/** The lines of a request that consists of one section, with {@link DELIMITER} for the delimiter between its parts. */
function readLines(request: Buffer): string[] | undefined {
  const lines: string[] = [];
  try {
    for (let at = 0; ; ) {
      const next = readPacket(request, at);
      if (!next) return undefined;
      if (next.payload) lines.push(next.payload.toString('utf8').replace(/\n$/, ''));
      else if (request.toString('latin1', at, next.end) === DELIMITER) lines.push(DELIMITER);
      else return next.end === request.length ? lines : undefined;
      at = next.end;
    }
  } catch (error) {
    if (error instanceof MalformedPacketError) return undefined;
    throw error;
  }
}
