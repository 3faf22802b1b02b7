import { define, defineOption, int64, string } from '../../http/schema.ts';

/** A variable. */
export const ActionVariable = define('ActionVariable', {
  owner_id: int64({ description: 'The user or organization that it belongs to; 0 for none.' }),
  repo_id: int64({ description: 'The repository that it belongs to; 0 for none.' }),
  name: string({ description: 'The name, in capitals.' }),
  data: string({ description: 'The value.' }),
  description: string({ description: 'What people say of it.' }),
});

const fields = () => ({
  value: string({ description: 'The value. It has at most 65536 characters.' }),
  description: string({ description: 'What people say of it.' }),
});

/** A new variable. */
export const CreateVariableOption = defineOption('CreateVariableOption', fields(), { required: ['value'], description: 'A new variable.' });

/** The changes of a variable. */
export const UpdateVariableOption = defineOption(
  'UpdateVariableOption',
  { name: string({ description: 'The new name; the same when left out.' }), ...fields() },
  { required: ['value'], description: 'A variable as it is to be.' },
);
