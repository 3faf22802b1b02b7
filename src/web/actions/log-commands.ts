/** How commands escape the characters that end a parameter or a line. */
const ESCAPED: Readonly<Record<string, string>> = { '%0D': '', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' };

/**
 * The text of a workflow command with its parameters (`file=src/a.ts,line=3,col=5,title=Types`): the location before it as
 * compilers write it, so that it becomes a link, then the title.
 */
export function annotatedText(parameters: string, text: string): string {
  const { file, line = '1', col, title } = readParameters(parameters);
  const place = file && `${file}:${line}${col === undefined ? '' : `:${col}`}`;
  return [place, title, unescaped(text, /%(?:0D|0A|25)/gi)].filter((part) => part).join(': ');
}

function readParameters(parameters: string): Readonly<Record<string, string | undefined>> {
  const pairs = parameters.split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(0, at)).trim(), unescaped(pair.slice(at + 1).trim(), /%(?:0D|0A|3A|2C|25)/gi)];
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

function unescaped(text: string, codes: RegExp): string {
  return text.replaceAll(codes, (code) => ESCAPED[code.toUpperCase()] ?? code);
}
