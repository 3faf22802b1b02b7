import type { MarkdownIt } from 'markdown-it';
import { TRUSTED_CLASS } from '../html/trusted.ts';
import { envOf } from './env.ts';

const BOX = /^\[([\sxX])\]\s*/;

/** List items that begin with `[ ]` or `[x]`: a check box that knows the byte at which it stands in the text, so that a page can tick it. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'task_lists', (state) => {
    let positions: LinePositions | undefined;
    state.tokens.forEach((token, index) => {
      const [item, paragraph] = [state.tokens[index - 2], state.tokens[index - 1]];
      if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open') return;
      const box = BOX.exec(token.content);
      if (!box) return;
      positions ??= new LinePositions(state.src);
      item.attrPush([TRUSTED_CLASS, 'task-list-item']);
      item.meta = {
        checked: box[1] === 'x' || box[1] === 'X',
        position: envOf(state.env).offset + positions.of(token.map?.[0] ?? 0, token.content),
      };
      token.content = token.content.slice(box[0].length);
    });
  });
  md.renderer.rules.list_item_open = (tokens, index, options, _env, self) => {
    const item = tokens[index];
    const open = self.renderToken(tokens, index, options);
    const box = item?.meta as { checked: boolean; position: number } | null;
    if (!box) return open;
    const input = `<input type="checkbox" disabled="" data-source-position="${box.position}"${box.checked ? ' checked=""' : ''}>`;
    const loose = tokens[index + 1]?.hidden === false;
    return open.trimEnd() + input + (loose ? '\n' : '');
  };
}

/** Byte positions of lines, found once and only for texts that have check boxes. */
class LinePositions {
  readonly #lines: string[];
  readonly #starts: number[] = [];

  constructor(source: string) {
    this.#lines = source.split('\n');
    let start = 0;
    for (const line of this.#lines) {
      this.#starts.push(start);
      start += Buffer.byteLength(line) + 1;
    }
  }

  /** The byte at which `content` begins in line `number`. */
  of(number: number, content: string): number {
    const line = this.#lines[number] ?? '';
    const first = content.split('\n', 1)[0] ?? '';
    const column = Math.max(0, line.indexOf(first));
    return (this.#starts[number] ?? 0) + Buffer.byteLength(line.slice(0, column));
  }
}
