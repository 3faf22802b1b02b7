import { any, array, boolean, define, defineAs, map, nullable, oneOf, optional, ref, string } from '../../http/schema.ts';

export const IssueConfigContactLink = define(
  'IssueConfigContactLink',
  { name: string(), url: string(), about: string() },
  { description: 'A place for questions that are not issues.' },
);

export const IssueConfig = define(
  'IssueConfig',
  {
    blank_issues_enabled: boolean({ description: 'issues may begin without a template' }),
    contact_links: array(ref(IssueConfigContactLink)),
  },
  { description: 'What a repository says of new issues.' },
);

export const IssueConfigValidation = define(
  'IssueConfigValidation',
  { valid: boolean(), message: string({ description: 'the error; empty for none' }) },
  { description: 'Whether the configuration of new issues is valid.' },
);

export const IssueFormField = define(
  'IssueFormField',
  {
    type: oneOf(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']),
    id: string(),
    attributes: nullable(map(any())),
    validations: nullable(map(any())),
    visible: optional(array(oneOf(['form', 'content']))),
  },
  { description: 'A field of an issue form.' },
);

export const IssueTemplateStringSlice = defineAs('IssueTemplateStringSlice', array(string()));

export const IssueTemplate = define(
  'IssueTemplate',
  {
    name: string(),
    title: string({ description: 'the beginning of titles' }),
    about: string(),
    labels: nullable(ref(IssueTemplateStringSlice)),
    assignees: nullable(ref(IssueTemplateStringSlice)),
    ref: string({ description: 'the branch or tag that issues are about' }),
    content: string({ description: 'Markdown; empty for a form' }),
    body: nullable(array(ref(IssueFormField), { goName: 'Fields' })),
    file_name: string(),
  },
  { description: 'What new issues begin with.' },
);
