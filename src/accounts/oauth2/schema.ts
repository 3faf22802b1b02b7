import { array, boolean, define, defineOption, int64, string, timestamp } from '../../http/schema.ts';

/** A program that signs users in through this instance; its secret is shown once, in the response to its creation. */
export const OAuth2Application = define('OAuth2Application', {
  id: int64({ description: 'The id of the application.' }),
  name: string({ description: 'What the application calls itself.' }),
  client_id: string({ description: 'Identifies the application in OAuth2 requests.' }),
  client_secret: string({ description: 'The secret of the application; empty in all responses but that of its creation.' }),
  confidential_client: boolean({ description: 'Whether the application can keep its secret; others have to use PKCE.' }),
  skip_secondary_authorization: boolean({ description: 'Whether users who have consented once are not asked again.' }),
  redirect_uris: array(string(), { goName: 'RedirectURIs', description: 'Where users may be sent back to.' }),
  created: timestamp({ description: 'When the application was registered.' }),
});

/** The fields of an application. */
export const CreateOAuth2ApplicationOptions = defineOption(
  'CreateOAuth2ApplicationOptions',
  {
    name: string({ maxLength: 600, description: 'What the application calls itself.' }),
    confidential_client: boolean({ description: 'Whether the application can keep its secret; others have to use PKCE.' }),
    skip_secondary_authorization: boolean({ description: 'Whether users who have consented once are not asked again.' }),
    redirect_uris: array(string(), { goName: 'RedirectURIs', description: 'Where users may be sent back to.' }),
  },
  { required: ['name', 'redirect_uris'], described: [] },
);
