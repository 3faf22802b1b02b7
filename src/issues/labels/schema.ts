import { boolean, define, int64, string } from '../../http/schema.ts';

/** A label of a repository or of an organization. */
export const Label = define(
  'Label',
  {
    id: int64({ description: 'The id of the label.' }),
    name: string({ description: 'The name; what stands before its last slash is its scope.' }),
    exclusive: boolean({ example: false, description: 'An issue has at most one label of this scope.' }),
    is_archived: boolean({ example: false, description: 'Not offered for new uses any more.' }),
    color: string({ example: '00aabb', description: 'Six hexadecimal digits.' }),
    description: string({ description: 'What it stands for.' }),
    url: string({ description: 'The address of the label in this interface.' }),
  },
  { description: 'A mark that issues and pull requests are sorted by.' },
);
