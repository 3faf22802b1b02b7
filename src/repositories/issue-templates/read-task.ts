import { TemplateError } from './error.ts';
import { type Config, readConfig } from './read-config.ts';
import { readTemplate, type Template } from './read-template.ts';

/** A file of the repository that says something of new issues. */
export interface TemplateFile {
  readonly kind: 'config' | 'template';
  readonly path: string;
  readonly text: string;
}

/** What a file says, or what is wrong with it. */
export type ReadFile = { readonly config: Config } | { readonly template: Template } | { readonly problem: string };

/** Milliseconds that the files may take together; those after that are not read. */
const PATIENCE_MS = 1000;

/** Reads files, each for itself. */
export function run(files: readonly TemplateFile[]): ReadFile[] {
  const end = performance.now() + PATIENCE_MS;
  return files.map((file) => (performance.now() > end ? { problem: 'the files take too long' } : read(file)));
}

function read({ kind, path, text }: TemplateFile): ReadFile {
  try {
    return kind === 'config' ? { config: readConfig(text) } : { template: readTemplate(path, text) };
  } catch (error) {
    if (error instanceof TemplateError) return { problem: error.message };
    throw error;
  }
}
