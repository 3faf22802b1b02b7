import { mapInSlices } from '../../concurrency/time-slice.ts';
import { isObjectId, type ObjectFormat, objectIdLength } from '../repository.ts';
import { MalformedPacketError, SectionReader } from './pkt-line.ts';

/** One ref that a push moves. */
export interface PushCommand {
  /** The full name, as the client sent it: git refuses invalid names. */
  ref: string;
  /** The current id according to the client; all zeros for a new ref, and to delete one that does not exist. */
  before: string;
  /** The new object id; all zeros to delete it. */
  after: string;
}

/** The part of a push before the pack. */
export interface PushHead {
  commands: PushCommand[];
  /** The values of `git push -o`. */
  options: string[];
  /** Everything read so far, which may be more than the head. */
  bytes: Buffer;
  /** Whether a pack has to follow and nothing of it was read yet. */
  awaitsPack: boolean;
}

/** A client's data is not a push, or has too many refs. */
export class InvalidPushError extends Error {
  override readonly name = 'InvalidPushError';
}

/** Size limit of the commands and options of one push: about a hundred thousand refs. */
export const MAX_PUSH_HEAD_BYTES = 16 * 1024 * 1024;
const MAX_PUSH_LINES = 200_000;
const MAX_PUSH_OPTIONS = 1000;

/**
 * Reads the commands and push options before a pack (https://git-scm.com/docs/gitprotocol-pack). They are validated here, because git passes
 * them to hooks in lines: control characters are refused, and so are names that are not UTF-8.
 * @throws InvalidPushError
 */
export async function readPushHead(input: AsyncIterator<Buffer>, format: ObjectFormat): Promise<PushHead> {
  const reader = new SectionReader(MAX_PUSH_LINES);
  const sections: string[][] = [];
  for (;;) {
    const head = await readHead(reader, sections, format);
    if (head) return head;
    if (reader.bytes.length > MAX_PUSH_HEAD_BYTES) throw new InvalidPushError('too many refs in one push');
    const next = await input.next();
    if (next.done) {
      // A client that only tests its credentials sends a lone flush, or nothing.
      if (reader.bytes.length === 0) return { commands: [], options: [], bytes: reader.bytes, awaitsPack: false };
      throw new InvalidPushError('the push ends within its commands');
    }
    reader.add(next.value);
  }
}

/** @param sections the parsed parts: the commands, then the options */
async function readHead(reader: SectionReader, sections: string[][], format: ObjectFormat): Promise<PushHead | undefined> {
  const commands = sections[0] ?? nextSection(reader);
  if (!commands) return undefined;
  sections[0] = commands;
  const nul = commands.find((line) => line.includes('\0'));
  const capabilities = nul?.slice(nul.indexOf('\0') + 1) ?? '';
  const options = /(^| )push-options( |$|\n)/.test(capabilities) ? nextSection(reader) : [];
  if (!options) return undefined;
  if (options.length > MAX_PUSH_OPTIONS || options.some(hasControl)) throw new InvalidPushError('unusable push options');
  const parsed = await parseCommands(commands, format);
  const awaitsPack = reader.isAtEnd && parsed.some(({ after }) => !/^0+$/.test(after));
  return { commands: parsed, options, bytes: reader.bytes, awaitsPack };
}

function nextSection(reader: SectionReader): string[] | undefined {
  try {
    return reader.next();
  } catch (error) {
    if (error instanceof MalformedPacketError) throw new InvalidPushError(error.message);
    throw error;
  }
}

/** There can be 100,000. */
async function parseCommands(lines: readonly string[], format: ObjectFormat): Promise<PushCommand[]> {
  const commands = await mapInSlices(lines, (line) => {
    const [text = ''] = line.split('\0', 1);
    if (text.startsWith('shallow ')) return [];
    const command = readCommand(text, format);
    if (!command || command.ref === '' || hasControl(command.ref) || command.ref.includes('\ufffd'))
      throw new InvalidPushError('unusable push command');
    return command;
  });
  return commands.flat();
}

/** Two ids and a ref, as clients and git write an update; undefined for anything else. */
export function readCommand(text: string, format: ObjectFormat): PushCommand | undefined {
  const length = objectIdLength(format);
  const [before, after] = [text.slice(0, length), text.slice(length + 1, 2 * length + 1)];
  if (text[length] !== ' ' || text[2 * length + 1] !== ' ' || !isObjectId(before, format) || !isObjectId(after, format)) return undefined;
  return { ref: text.slice(2 * length + 2), before, after };
}

function hasControl(text: string): boolean {
  return /[\x00-\x1f\x7f]/.test(text);
}
