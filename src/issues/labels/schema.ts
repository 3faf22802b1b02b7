import { boolean, define, defineOption, int64, string } from '../../http/schema.ts';

/** A label of a repository or of an organization. */
export const Label = define(
  'Label',
  {
    id: int64({ description: 'The id of the label.' }),
    name: string({ description: 'The name; the part before its last slash is its scope.' }),
    exclusive: boolean({ example: false, description: 'An issue has at most one label of this scope.' }),
    is_archived: boolean({ example: false, description: 'Not offered for new uses any more.' }),
    color: string({ example: '00aabb', description: 'Six hexadecimal digits.' }),
    description: string({ description: 'What it stands for.' }),
    url: string({ description: 'The API URL of the label.' }),
  },
  { description: 'A mark that issues and pull requests are sorted by.' },
);

const optionFields = {
  name: string({ maxLength: 600, description: 'The name; the part before its last slash is its scope.' }),
  exclusive: boolean({ example: false, description: 'An issue has at most one label of this scope.' }),
  color: string({ example: '#00aabb', description: 'Three or six hexadecimal digits, with or without #.' }),
  description: string({ maxLength: 4096, description: 'What it stands for.' }),
  is_archived: boolean({ example: false, description: 'Not offered for new uses any more.' }),
};

/** The fields of a new label. */
export const CreateLabelOption = defineOption('CreateLabelOption', optionFields, { required: ['name', 'color'] });

/** The changes of a label; missing fields stay, except for `is_archived`, which becomes false. */
export const EditLabelOption = defineOption('EditLabelOption', optionFields);
