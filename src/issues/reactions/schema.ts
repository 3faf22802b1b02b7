import { User } from '../../accounts/users/schema.ts';
import { define, defineOption, nullable, ref, string, timestamp } from '../../http/schema.ts';

/** A reaction of a user to an issue or a comment. */
export const Reaction = define('Reaction', {
  user: nullable(ref(User)),
  content: string({ goName: 'Reaction', description: 'The name of the sign.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was given.' }),
});

/** The reaction to add or to remove. */
export const EditReactionOption = defineOption('EditReactionOption', {
  content: string({ goName: 'Reaction', description: 'The name of the sign.' }),
});
