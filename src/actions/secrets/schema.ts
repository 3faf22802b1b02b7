import { define, defineOption, string, timestamp } from '../../http/schema.ts';

/** A secret, without its value. */
export const Secret = define('Secret', {
  name: string({ description: 'The name, in capitals.' }),
  description: string({ description: 'What people say of it.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
});

/** A secret to create or to change. */
export const CreateOrUpdateSecretOption = defineOption(
  'CreateOrUpdateSecretOption',
  {
    data: string({ unbounded: true, description: 'The value. It has at most 65536 bytes.' }),
    description: string({ description: 'What people say of it.' }),
  },
  { required: ['data'], description: 'A secret as it is to be.' },
);
