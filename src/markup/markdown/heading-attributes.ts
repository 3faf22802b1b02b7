import type { MarkdownIt } from 'markdown-it';

const BLOCK = /\s*\{([^{}]{0,400})\}\s*$/;
const PART = /\s*(?:#([\w:.-]+)|\.([\w-]+)|([a-zA-Z][\w-]*)=(?:"([^"]*)"|([^\s"]+)))/y;

/** Attributes at the end of a heading: `# Title {#anchor lang=de}`. Classes are read and dropped. */
export function headingAttributes(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'heading_attributes', (state) => {
    state.tokens.forEach((token, index) => {
      const heading = state.tokens[index - 1];
      if (token.type !== 'inline' || heading?.type !== 'heading_open' || !token.content.trimEnd().endsWith('}')) return;
      const block = BLOCK.exec(token.content.slice(-420));
      const attributes = block && parse(block[1] ?? '');
      if (!attributes) return;
      token.content = token.content.slice(0, token.content.length - block[0].length);
      heading.attrs = [...(heading.attrs ?? []), ...attributes];
    });
  });
}

function parse(source: string): [string, string][] | undefined {
  const attributes: [string, string][] = [];
  let end = 0;
  PART.lastIndex = 0;
  for (let part = PART.exec(source); part; part = PART.exec(source)) {
    end = PART.lastIndex;
    if (part[1]) attributes.push(['id', part[1]]);
    else if (part[3]) attributes.push([part[3].toLowerCase(), part[4] ?? part[5] ?? '']);
  }
  return source.slice(end).trim() === '' ? attributes : undefined;
}
