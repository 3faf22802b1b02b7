import { boolean, define, defineOption, int64, oneOf, string } from '../http/schema.ts';

/** An organization, in every response. */
export const Organization = define('Organization', {
  id: int64({ description: 'The id of the organization.' }),
  name: string({ description: 'The name of the organization.' }),
  full_name: string({ description: 'The name for people.' }),
  email: string({ description: 'The e-mail address for contact; hidden from anonymous callers.' }),
  avatar_url: string({ description: 'Where the picture of the organization is.' }),
  description: string({ description: 'What the organization says of itself.' }),
  website: string({ description: 'The website of the organization.' }),
  location: string({ description: 'Where the organization says to be.' }),
  visibility: string({ description: 'Who may see the organization: public, limited or private.' }),
  repo_admin_change_team_access: boolean({ description: 'Administrators of a repository may add teams to it and take them away.' }),
  username: string({ description: 'The same as name, for older clients.', goName: 'UserName' }),
});

/** The fields of a new organization. */
export const CreateOrgOption = defineOption(
  'CreateOrgOption',
  {
    username: string({ maxLength: 40, rule: 'Username', goName: 'UserName', description: 'The name of the organization.' }),
    full_name: string({ maxLength: 100, description: 'The name for people.' }),
    email: string({ maxLength: 255, description: 'The e-mail address for contact.' }),
    description: string({ maxLength: 255, description: 'What the organization says of itself.' }),
    website: string({ maxLength: 255, rule: 'Url', description: 'The website of the organization.' }),
    location: string({ maxLength: 50, description: 'Where the organization says to be.' }),
    visibility: oneOf(['public', 'limited', 'private'], { rule: 'In', description: 'Who may see the organization.' }),
    repo_admin_change_team_access: boolean({ description: 'Administrators of a repository may add teams to it and take them away.' }),
  },
  { required: ['username'] },
);

/** The changes of an organization; missing fields stay. */
export const EditOrgOption = defineOption('EditOrgOption', {
  full_name: string({ maxLength: 100, description: 'The name for people.' }),
  email: string({ maxLength: 255, description: 'The e-mail address for contact; empty for none.' }),
  description: string({ maxLength: 255, description: 'What the organization says of itself.' }),
  website: string({ maxLength: 255, rule: 'Url', description: 'The website of the organization.' }),
  location: string({ maxLength: 50, description: 'Where the organization says to be.' }),
  visibility: oneOf(['public', 'limited', 'private'], { rule: 'In', description: 'Who may see the organization.' }),
  repo_admin_change_team_access: boolean({ description: 'Administrators of a repository may add teams to it and take them away.' }),
});

/** The new name of an organization. */
export const RenameOrgOption = defineOption(
  'RenameOrgOption',
  { new_name: string({ description: 'The new name, which nobody else has.' }) },
  { required: ['new_name'] },
);

/** The permissions of a user in an organization. */
export const OrganizationPermissions = define('OrganizationPermissions', {
  is_owner: boolean({ description: 'Is in the team of owners.' }),
  is_admin: boolean({ description: 'Is in a team of administrators.' }),
  can_write: boolean({ description: 'Is in a team that may write.' }),
  can_read: boolean({ description: 'Is in a team that may read.' }),
  can_create_repository: boolean({ description: 'May create repositories in the organization.' }),
});
