import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';

/** Their client ids are built into the programs, so they are the same on every instance of the kind. */
const DEFAULT_APPLICATIONS = {
  'git-credential-oauth': { name: 'git-credential-oauth', clientId: 'a4792ccc-144e-407e-86c9-5e7d8d9c3269' },
  'git-credential-manager': { name: 'Git Credential Manager', clientId: 'e90ee53c-94e2-48ac-9358-a874fb9e0662' },
  tea: { name: 'tea', clientId: 'd57cb8c4-630c-4168-8324-ec79935e18d4' },
} as const;

const CLIENT_IDS = Object.values(DEFAULT_APPLICATIONS).map(({ clientId }) => clientId);
const LOOPBACK = ['http://127.0.0.1', 'https://127.0.0.1'];

/** Whether an application with this client id is one of the settings. */
export function isDefaultApplication(clientId: string): boolean {
  return CLIENT_IDS.some((known) => known === clientId);
}

/** Creates the applications of the settings, and deletes those that they do not have any more. */
export async function ensureDefaultApplications(context: Context): Promise<void> {
  const offered = context.settings.oauth2.defaultApplications.map((name) => DEFAULT_APPLICATIONS[name]);
  await inTransaction(context, async ({ db }) => {
    const known = await db
      .selectFrom('oauth2_applications')
      .select(['id', 'client_id'])
      .where('user_id', 'is', null)
      .where('client_id', 'in', CLIENT_IDS)
      .execute();
    for (const { id, client_id } of known) {
      if (offered.some(({ clientId }) => clientId === client_id)) continue;
      await db.deleteFrom('oauth2_applications').where('id', '=', id).execute();
    }
    for (const { name, clientId } of offered) {
      if (known.some(({ client_id }) => client_id === clientId)) continue;
      const time = now();
      await db
        .insertInto('oauth2_applications')
        .values({
          user_id: null,
          name,
          client_id: clientId,
          is_confidential: false,
          redirect_uris: JSON.stringify(LOOPBACK),
          created_at: time,
          updated_at: time,
        })
        .onConflict((conflict) => conflict.column('client_id').doNothing())
        .execute();
    }
  });
}
