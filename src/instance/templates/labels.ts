import { UnknownTemplateError } from './unknown-template.ts';

/** One label of a template. */
export interface TemplateLabel {
  readonly name: string;
  /** Six lower-case hexadecimal digits, without `#`. */
  readonly color: string;
  readonly description: string;
  /** Whether an issue has at most one label of this scope, the part of the name before its last `/`. */
  readonly exclusive: boolean;
  /** The position among the labels of an exclusive scope, from 1; 0 sorts by name. */
  readonly exclusiveOrder: number;
}

/** A label template with a line about its contents. */
export interface LabelTemplateSummary {
  readonly name: string;
  readonly description: string;
}

function label(name: string, color: string, description: string): TemplateLabel {
  return { name, color, description, exclusive: false, exclusiveOrder: 0 };
}

function exclusive(name: string, color: string, description: string, exclusiveOrder: number): TemplateLabel {
  return { name, color, description, exclusive: true, exclusiveOrder };
}

/** Names, colors and descriptions are part of the API: clients look labels up by them. */
const TEMPLATES: ReadonlyMap<string, readonly TemplateLabel[]> = new Map([
  [
    'Advanced',
    [
      label('Kind/Bug', 'ee0701', 'Something is not working'),
      label('Kind/Feature', '0288d1', 'New functionality'),
      label('Kind/Enhancement', '84b6eb', 'Improve existing functionality'),
      label('Kind/Security', '9c27b0', 'This is security issue'),
      label('Kind/Testing', '795548', 'Issue or pull request related to testing'),
      label('Kind/Documentation', '37474f', 'Documentation changes'),
      label('Compat/Breaking', 'c62828', "Breaking change that won't be backward compatible"),
      exclusive('Reviewed/Duplicate', '616161', 'This issue or pull request already exists', 2),
      exclusive('Reviewed/Invalid', '546e7a', 'Invalid issue', 3),
      exclusive('Reviewed/Confirmed', '795548', 'Issue has been confirmed', 1),
      exclusive("Reviewed/Won't Fix", 'eeeeee', "This issue won't be fixed", 3),
      exclusive('Status/Need More Info', '424242', 'Feedback is required to reproduce issue or to continue work', 2),
      exclusive('Status/Blocked', '880e4f', 'Something is blocking this issue or pull request', 1),
      exclusive('Status/Abandoned', '222222', 'Somebody has started to work on this but abandoned work', 3),
      exclusive('Priority/Critical', 'b71c1c', 'The priority is critical', 1),
      exclusive('Priority/High', 'd32f2f', 'The priority is high', 2),
      exclusive('Priority/Medium', 'e64a19', 'The priority is medium', 3),
      exclusive('Priority/Low', '4caf50', 'The priority is low', 4),
    ],
  ],
  [
    'Default',
    [
      label('bug', 'ee0701', 'Something is not working'),
      label('duplicate', 'cccccc', 'This issue or pull request already exists'),
      label('enhancement', '84b6eb', 'New feature'),
      label('help wanted', '128a0c', 'Need some help'),
      label('invalid', 'e6e6e6', 'Something is wrong'),
      label('question', 'cc317c', 'More information is needed'),
      label('wontfix', 'ffffff', "This won't be fixed"),
    ],
  ],
]);

/** The names of all label templates, sorted. */
export function listLabelTemplates(): readonly string[] {
  return [...TEMPLATES.keys()];
}

/** All label templates, sorted by name, each described by the names of its labels. */
export function describeLabelTemplates(): readonly LabelTemplateSummary[] {
  return [...TEMPLATES].map(([name, labels]) => ({ name, description: labels.map((one) => one.name).join(', ') }));
}

/** The labels of the template of exactly this name, in the order to create them in, or undefined. */
export function getLabelTemplate(name: string): readonly TemplateLabel[] | undefined {
  return TEMPLATES.get(name);
}

/**
 * The labels that a new repository gets.
 * @throws UnknownTemplateError with the message of the 422 of `POST /user/repos`
 */
export function labelsFromTemplate(name: string): readonly TemplateLabel[] {
  const labels = getLabelTemplate(name);
  if (labels) return labels;
  const quoted = JSON.stringify(name);
  throw new UnknownTemplateError('label', name, `failed to load label template file ${quoted}: label template ${quoted} not found`);
}
