import { array, boolean, define, ref, string } from '../../http/schema.ts';

export const GitignoreTemplateInfo = define(
  'GitignoreTemplateInfo',
  { name: string({ description: 'its name' }), source: string({ description: 'its text' }) },
  { description: 'A template for an ignore file.' },
);

export const LicensesTemplateListEntry = define(
  'LicensesTemplateListEntry',
  {
    key: string({ description: 'how repositories ask for it' }),
    name: string({ description: 'its name' }),
    url: string({ description: 'the API URL of the whole text' }),
  },
  { description: 'A license in the list of licenses.' },
);

export const LicenseTemplateInfo = define(
  'LicenseTemplateInfo',
  {
    key: string({ description: 'how repositories ask for it' }),
    name: string({ description: 'its name' }),
    url: string({ description: 'the API URL of the whole text' }),
    implementation: string({ description: 'how to apply it' }),
    body: string({ description: 'its text' }),
  },
  { description: 'A license with its text.' },
);

export const LabelTemplate = define(
  'LabelTemplate',
  {
    name: string({ description: 'its name' }),
    exclusive: boolean({ example: false, description: 'whether an issue has one of this scope at most' }),
    color: string({ example: '00aabb', description: 'six hexadecimal digits' }),
    description: string({ description: 'the purpose of the label' }),
  },
  { description: 'A label of a template.' },
);

export const DescribedTemplate = define(
  'DescribedTemplate',
  { name: string({ description: 'the contents of the template' }), description: string({ description: 'what it holds' }) },
  { description: 'A template with a description.' },
);

export const ObjectFormat = define(
  'ObjectFormat',
  {
    name: string({ description: 'how repositories ask for it' }),
    is_default: boolean({ description: 'the default of new repositories' }),
  },
  { description: 'How the objects of a repository are named.' },
);

export const LabelTemplateList = array(ref(LabelTemplate));
