import { UnknownTemplateError } from './unknown-template.ts';

/** The values in a README. */
export interface ReadmeValues {
  name: string;
  description: string;
}

/** The default template. */
export const DEFAULT_README = 'Default';

const TEMPLATES: ReadonlyMap<string, (values: ReadmeValues) => string> = new Map([
  [DEFAULT_README, ({ name, description }) => `# ${name}\n\n${description}`],
]);

/** The names of all README templates, sorted. */
export function listReadmeTemplates(): readonly string[] {
  return [...TEMPLATES.keys()];
}

/**
 * A README of this template, in Markdown. The description is put in as it is, its lines ended by `\n`.
 * @throws UnknownTemplateError with the message of the 400 of `POST /user/repos`
 */
export function fillReadme(template: string, { name, description }: ReadmeValues): string {
  const fill = TEMPLATES.get(template);
  if (fill) return fill({ name, description: description.replace(/\r\n?/g, '\n') });
  const available = listReadmeTemplates().join(' ');
  throw new UnknownTemplateError('readme', template, `readme template does not exist, available templates: [${available}]`);
}
