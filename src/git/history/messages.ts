import { trimEnd } from '../../text/trim-end.ts';
/**
 * A message as git stores it for `git commit -m` or, with `dropComments`, for `git tag -m`: no trailing blanks in
 * lines, no empty lines at either end or two in a row, one line end at the end; empty if nothing is left
 * (https://git-scm.com/docs/git-stripspace).
 */
export function cleanMessage(text: string, { dropComments = false }: { dropComments?: boolean } = {}): string {
  const lines: string[] = [];
  for (const line of text.split('\n').map((each) => trimEnd(each, '\t\v\f\r '))) {
    if (dropComments && line.startsWith('#')) continue;
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line);
  }
  while (lines.at(-1) === '') lines.pop();
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}
