declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  const plugin: (md: MarkdownIt) => void;

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default plugin;
}
declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';

  const plugin: (md: MarkdownIt) => void;

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default plugin;
}
