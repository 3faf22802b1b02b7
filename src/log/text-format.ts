/** Fields that the beginning of a line already shows, or that help nobody who reads along. */
const SHOWN = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname']);

/** Turns a line of the JSON log into one for human eyes: `12:03:04.123 INFO  message key=value`; a stack follows, indented. */
export function formatText(line: string): string {
  const record = JSON.parse(line) as Record<string, unknown>;
  const time = String(record.time).slice(11, 23);
  const level = String(record.level).toUpperCase().padEnd(5);
  const fields = Object.entries(record)
    .filter(([key]) => !SHOWN.has(key))
    .map(([key, value]) => ` ${key}=${fieldText(value)}`);
  const error = record.err as { stack?: unknown; message?: unknown } | undefined;
  return `${time} ${level} ${printable(String(record.msg ?? ''))}${fields.join('')}\n${error ? stackText(String(error.stack ?? error.message)) : ''}`;
}

function fieldText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=\p{C}]+$/u.test(value) ? value : printable(JSON.stringify(value) ?? '');
}

function stackText(stack: string): string {
  return stack
    .split('\n')
    .map((line) => `    ${printable(line)}\n`)
    .join('');
}

/** A caller's text must not begin a line of its own or speak to the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
