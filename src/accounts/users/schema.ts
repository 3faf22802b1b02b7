import { boolean, define, defineOption, int64, string, timestamp } from '../../http/schema.ts';

/** A user or an organization, in every response. */
export const User = define('User', {
  id: int64({ description: 'The id of the user.' }),
  login: string({ description: 'The name to sign in with.', goName: 'UserName' }),
  login_name: string({ default: 'empty', description: 'The name at the external authenticator, if there is one.' }),
  source_id: int64({ description: 'The id of the external authenticator; 0 for none.' }),
  full_name: string({ description: 'The name for people.' }),
  email: string({ description: 'The primary e-mail address, or a substitute if it is hidden; an organization may have none.' }),
  avatar_url: string({ description: 'Where the picture of the user is.' }),
  html_url: string({ description: 'The page of the user.', goName: 'HTMLURL' }),
  language: string({ description: 'The language that the user chose.' }),
  is_admin: boolean({ description: 'A site administrator.' }),
  last_login: timestamp({ description: 'When the user last signed in.' }),
  created: timestamp({ description: 'When the account was made.' }),
  restricted: boolean({ description: 'Sees only what it was given access to.' }),
  active: boolean({ description: 'The account has been activated.', goName: 'IsActive' }),
  prohibit_login: boolean({ description: 'The account may not sign in.' }),
  location: string({ description: 'Where the user says to be.' }),
  website: string({ description: 'The website of the user.' }),
  description: string({ description: 'What the user says of itself.' }),
  visibility: string({ description: 'Who may see the user: public, limited or private.' }),
  followers_count: int64({ description: 'How many users follow this one.', goName: 'Followers' }),
  following_count: int64({ description: 'How many users this one follows.', goName: 'Following' }),
  starred_repos_count: int64({ description: 'How many repositories the user starred.', goName: 'StarredRepos' }),
  username: string({ description: 'The same as login, for older clients.', undescribed: true }),
});

/** The user's own settings. */
export const UserSettings = define('UserSettings', {
  full_name: string({ description: 'The name for people.' }),
  website: string({ description: 'The website of the user.' }),
  description: string({ description: 'What the user says of itself.' }),
  location: string({ description: 'Where the user says to be.' }),
  language: string({ description: 'The language of the web interface.' }),
  theme: string({ description: 'The theme of the web interface.' }),
  diff_view_style: string({ description: 'How changes are shown: unified or split.' }),
  hide_email: boolean({ description: 'Whether others see a substitute for the primary e-mail address.' }),
  hide_activity: boolean({ description: 'Whether others see no activity.' }),
});

/** Settings to change; missing ones stay. */
export const UserSettingsOptions = defineOption('UserSettingsOptions', {
  full_name: string({ maxLength: 100, description: 'The name for people.' }),
  website: string({ maxLength: 255, rule: 'Url', description: 'The website of the user.' }),
  description: string({ maxLength: 255, description: 'What the user says of itself.' }),
  location: string({ maxLength: 50, description: 'Where the user says to be.' }),
  language: string({ maxLength: 255, description: 'The language of the web interface.' }),
  theme: string({ maxLength: 255, description: 'The theme of the web interface.' }),
  diff_view_style: string({ maxLength: 255, description: 'How changes are shown: unified or split.' }),
  hide_email: boolean({ description: 'Whether others see a substitute for the primary e-mail address.' }),
  hide_activity: boolean({ description: 'Whether others see no activity.' }),
});
