import { TemplateError } from './error.ts';
import { type Config, readConfig } from './read-config.ts';
import { readTemplate, type Template } from './read-template.ts';

/** A template file, or the configuration. */
export interface TemplateFile {
  readonly kind: 'config' | 'template';
  readonly path: string;
  readonly text: string;
}

/** The parsed file, or its error. */
export type ReadFile = { readonly config: Config } | { readonly template: Template } | { readonly problem: string };

/** Milliseconds for all files together; later ones are not parsed. */
const PATIENCE_MS = 1000;

/** Parses files, each separately. */
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
