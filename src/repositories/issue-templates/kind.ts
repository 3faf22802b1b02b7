/** The kind of template by a file's name; undefined if it is none. */
export function kindOf(name: string): 'markdown' | 'form' | undefined {
  if (name === 'config.yaml' || name === 'config.yml') return undefined;
  if (name.endsWith('.md')) return 'markdown';
  return name.endsWith('.yaml') || name.endsWith('.yml') ? 'form' : undefined;
}
