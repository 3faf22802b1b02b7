import type { User } from '../../database/tables/accounts.ts';

/** The id that stands for deleted users. */
export const GHOST_ID = -1;
/** The id of the account of automation. */
export const ACTIONS_ID = -2;

const NOBODY: User = {
  id: GHOST_ID,
  type: 'individual',
  name: 'Ghost',
  lower_name: 'ghost',
  full_name: '',
  email: '',
  keep_email_private: false,
  email_notifications: 'disabled',
  run_mails: 'disabled',
  password_hash: '',
  must_change_password: false,
  login_name: '',
  source_id: 0,
  location: '',
  website: '',
  description: '',
  language: '',
  theme: '',
  diff_view_style: '',
  hidden_events: '',
  visibility: 'public',
  keep_activity_private: false,
  is_active: false,
  is_admin: false,
  is_restricted: false,
  prohibit_login: false,
  allow_git_hook: false,
  allow_import_local: false,
  allow_create_organization: false,
  max_repo_creation: 0,
  repo_admin_change_team_access: false,
  avatar: '',
  last_login_at: 0,
  followers_count: 0,
  following_count: 0,
  stars_count: 0,
  repos_count: 0,
  created_at: 0,
  updated_at: 0,
};

/** Represents deleted users: it is in no table. */
export const ghost: User = Object.freeze(NOBODY);

/** Represents automation: it is in no table. */
export const actionsUser: User = Object.freeze({
  ...NOBODY,
  id: ACTIONS_ID,
  name: 'gitea-actions',
  lower_name: 'gitea-actions',
  full_name: 'Gitea Actions',
  email: 'teabot@gitea.io',
  login_name: 'gitea-actions',
  keep_email_private: true,
  is_active: true,
  prohibit_login: false,
  is_restricted: false,
});

/** Represents a user of another server without an account here: they are in no table. */
export function migratedUser(name: string): User {
  return { ...NOBODY, id: 0, name, lower_name: name.toLowerCase() };
}
