import { MalformedPacketError, readSection } from './pkt-line.ts';
import { isObjectId, type ObjectFormat } from './repository.ts';

/** One ref a push wants to move. */
export interface PushCommand {
  /** The full name, as the client said it: git refuses what is no ref name. */
  ref: string;
  /** Where the client says the ref stands; all zeros: nowhere. */
  before: string;
  /** Where it shall stand; all zeros: it shall go. */
  after: string;
}

/** What a client sends before the pack. */
export interface PushHead {
  commands: PushCommand[];
  /** The values of `git push -o`. */
  options: string[];
  /** Everything read so far, which may be more than the head. */
  bytes: Buffer;
}

/** What a client sent is no push, or one with too many refs. */
export class InvalidPushError extends Error {
  override readonly name = 'InvalidPushError';
}

/** Bytes of the commands and options of one push: about a hundred thousand refs. */
export const MAX_PUSH_HEAD_BYTES = 16 * 1024 * 1024;
const MAX_PUSH_OPTIONS = 1000;

/**
 * Reads the commands and push options that stand before a pack (https://git-scm.com/docs/gitprotocol-pack). They are
 * read here, and nothing with a control character comes through, because what git hands to hooks is told in lines; nor do names that are no UTF-8.
 * @throws InvalidPushError
 */
export async function readPushHead(input: AsyncIterator<Buffer>, format: ObjectFormat): Promise<PushHead> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const head = parsePushHead(bytes, format);
    if (head) return head;
    if (bytes.length > MAX_PUSH_HEAD_BYTES) throw new InvalidPushError('too many refs in one push');
    const next = await input.next();
    if (next.done) {
      // A client that only tries its sign-in sends a lone flush, or nothing.
      if (bytes.length === 0) return { commands: [], options: [], bytes };
      throw new InvalidPushError('the push ends within its commands');
    }
    bytes = Buffer.concat([bytes, next.value]);
  }
}

function parsePushHead(bytes: Buffer, format: ObjectFormat): PushHead | undefined {
  try {
    const section = readSection(bytes, 0);
    if (!section) return undefined;
    const commands: PushCommand[] = [];
    let capabilities = '';
    for (const line of section.lines) {
      const nul = line.indexOf('\0');
      if (nul >= 0) capabilities = line.slice(nul + 1);
      const text = nul >= 0 ? line.slice(0, nul) : line;
      if (!text.startsWith('shallow ')) commands.push(parseCommand(text, format));
    }
    if (!/(^| )push-options( |$|\n)/.test(capabilities)) return { commands, options: [], bytes };
    const options = readSection(bytes, section.end);
    if (!options) return undefined;
    if (options.lines.length > MAX_PUSH_OPTIONS || options.lines.some(hasControl)) throw new InvalidPushError('unusable push options');
    return { commands, options: options.lines, bytes };
  } catch (error) {
    if (error instanceof MalformedPacketError) throw new InvalidPushError(error.message);
    throw error;
  }
}

function parseCommand(text: string, format: ObjectFormat): PushCommand {
  const [before = '', after = '', ...rest] = text.split(' ');
  const ref = rest.join(' ');
  if (!isObjectId(before, format) || !isObjectId(after, format) || ref === '' || hasControl(ref) || ref.includes('\ufffd'))
    throw new InvalidPushError('unusable push command');
  return { ref, before, after };
}

function hasControl(text: string): boolean {
  return /[\x00-\x1f\x7f]/.test(text);
}
