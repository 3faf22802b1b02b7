/** What of a template a file is by its name; undefined for one that is none. */
export function kindOf(name: string): 'markdown' | 'form' | undefined {
  if (name === 'config.yaml' || name === 'config.yml') return undefined;
  if (name.endsWith('.md')) return 'markdown';
  return name.endsWith('.yaml') || name.endsWith('.yml') ? 'form' : undefined;
}
