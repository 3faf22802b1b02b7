import { User } from '../../accounts/users/schema.ts';
import { define, defineOption, nullable, ref, string } from '../../http/schema.ts';

export const RepoCollaboratorPermission = define(
  'RepoCollaboratorPermission',
  {
    permission: string({ description: 'none, read, write, admin or owner' }),
    role_name: string({ description: 'the same' }),
    user: nullable(ref(User)),
  },
  { description: 'What a user may do in a repository.' },
);

export const AddCollaboratorOption = defineOption(
  'AddCollaboratorOption',
  { permission: string({ enum: ['read', 'write', 'admin'], description: 'write when left out' }) },
  { description: 'What a collaborator may do.' },
);
