import type { LogRowMessage } from '../../protocol/messages.ts';

/** Size limit of the content of a line in bytes; the rest of a longer one is cut off. */
export const MAX_LINE = 64 * 1024;

const decoder = new TextDecoder();

/** A line of a log with its time, to 100 nanoseconds, as clients expect. It ends with a line feed, and has no other. */
export function formatLine({ time, content }: Pick<LogRowMessage, 'time' | 'content'>): string {
  const seconds = Math.min(Math.max(Number(time?.seconds ?? 0n), 0), 253_402_300_799);
  const fraction = String(Math.floor((time?.nanos ?? 0) / 100))
    .padStart(7, '0')
    .slice(0, 7);
  const date = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${date}.${fraction}Z ${shortened(content.replaceAll('\n', '\\n'))}\n`;
}

function shortened(content: string): string {
  // A character has three bytes at most for each unit of a string.
  if (content.length * 3 <= MAX_LINE || Buffer.byteLength(content) <= MAX_LINE) return content;
  const bytes = Buffer.from(content.slice(0, MAX_LINE)).subarray(0, MAX_LINE);
  return decoder.decode(bytes, { stream: true }) + endOfStream();
}

/** Drops the beginning of a character that was cut in two. */
function endOfStream(): string {
  decoder.decode();
  return '';
}
