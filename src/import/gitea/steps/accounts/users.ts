import { importedHash } from '../../../../accounts/imported-passwords.ts';
import { checkAccountName, emailFault } from '../../../../accounts/names.ts';
import type { Visibility } from '../../../../database/tables/accounts.ts';
import type { Batch } from '../../batch.ts';
import { importAvatar } from '../../pictures.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';
import { hiddenEventsOf } from './hidden-events.ts';

/** Kinds of accounts, by Gitea's number (models/user/user.go, `UserType`). */
const INDIVIDUAL = 0;
const ORGANIZATION = 1;
const BOT = 4;
const KINDS: Readonly<Record<number, string>> = { 2: 'a reserved name', 3: 'a reserved name', 5: 'a user of another server' };

/** Sign-in types without another program: no source, and a password of Gitea's own (models/auth/source.go). */
const LOCAL_LOGINS: readonly number[] = [0, 1];

export const VISIBILITIES: readonly Visibility[] = ['public', 'limited', 'private'];
const NOTIFICATIONS: readonly string[] = ['enabled', 'onmention', 'disabled', 'andyourown'];

/** People and organizations. */
export const users: Step = {
  name: 'users',
  table: 'user',
  batchSize: 200,
  run: async (rows, batch) => {
    const hidden = await hiddenEventsOf(rows, batch.source);
    for (const row of rows) if (isTaken(row, batch)) await addUser(row, batch, hidden.get(row.id) ?? '');
  },
};

function isTaken(row: Row, batch: Batch): boolean {
  const type = row.integer('type');
  const fault = faultOf(() => checkAccountName(batch.context.settings, row.text('name')));
  const reason = fault ?? (KINDS[type] && `it is ${KINDS[type]}`);
  if (reason !== undefined) batch.note(subjectOf(row), `${reason}: it and all that belongs to it are left out`);
  return reason === undefined;
}

async function addUser(row: Row, batch: Batch, hiddenEvents: string): Promise<void> {
  const isOrganization = row.integer('type') === ORGANIZATION;
  const name = row.text('name');
  const subject = subjectOf(row);
  if (row.integer('type') === BOT) batch.note(subject, 'bots are ordinary users here');
  batch.noteCuts(subject, row);
  const email = row.text('email');
  const fault = email === '' && isOrganization ? undefined : emailFault(email);
  if (fault !== undefined) batch.note(subject, `${fault}: it has no address`);
  batch.add('users', {
    id: row.id,
    type: isOrganization ? 'organization' : 'individual',
    name,
    lower_name: name.toLowerCase(),
    full_name: row.line('full_name'),
    email: fault === undefined ? email : '',
    keep_email_private: row.flag('keep_email_private'),
    email_notifications: NOTIFICATIONS.find((word) => word === row.text('email_notifications_preference')) ?? 'enabled',
    password_hash: isOrganization ? '' : passwordHash(row, batch),
    must_change_password: row.flag('must_change_password'),
    login_name: row.line('login_name'),
    source_id: row.integer('login_source'),
    location: row.line('location'),
    website: row.line('website'),
    description: row.text('description'),
    language: row.line('language', 20),
    theme: row.line('theme'),
    diff_view_style: row.line('diff_view_style'),
    hidden_events: hiddenEvents,
    visibility: VISIBILITIES[row.integer('visibility')] ?? 'private',
    keep_activity_private: row.flag('keep_activity_private'),
    is_active: row.flag('is_active'),
    is_admin: row.flag('is_admin'),
    is_restricted: row.flag('is_restricted'),
    prohibit_login: row.flag('prohibit_login'),
    allow_git_hook: row.flag('allow_git_hook'),
    allow_import_local: row.flag('allow_import_local'),
    allow_create_organization: row.flag('allow_create_organization', true),
    max_repo_creation: row.integer('max_repo_creation', -1),
    repo_admin_change_team_access: row.flag('repo_admin_change_team_access'),
    avatar: row.flag('use_custom_avatar') ? await importAvatar(batch, subject, 'avatars', row) : '',
    last_login_at: row.time('last_login_unix'),
    created_at: row.time('created_unix'),
    updated_at: row.time('updated_unix'),
  });
}

/** The password hash; empty, with a note, if it cannot be verified here. */
function passwordHash(row: Row, batch: Batch): string {
  if (!LOCAL_LOGINS.includes(row.integer('login_type'))) {
    batch.note(subjectOf(row), 'it signs in by an authentication source, which is not taken over: give it a password');
    return '';
  }
  if (row.text('passwd') === '') return '';
  const hash = importedHash(row.text('passwd_hash_algo'), row.text('salt'), row.text('passwd'));
  if (hash === undefined) batch.note(subjectOf(row), 'the hash of its password is of no kind that can be checked: give it a new password');
  return hash ?? '';
}

function subjectOf(row: Row): string {
  const word = row.integer('type') === INDIVIDUAL ? 'user' : 'account';
  return `${word} ${row.id} (${row.line('name', 100)})`;
}
