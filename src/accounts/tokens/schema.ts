import { array, define, defineOption, int64, string, timestamp } from '../../http/schema.ts';

/** An access token; its value is shown once, in the response to its creation. */
export const AccessToken = define('AccessToken', {
  id: int64({ description: 'The id of the token.' }),
  name: string({ description: 'The name of the token, unique to its user.' }),
  sha1: string({ goName: 'Token', description: 'The value of the token; empty in all responses but the first.' }),
  token_last_eight: string({ description: 'How the value ends.' }),
  scopes: array(string(), { description: 'What the token may be used for.' }),
  created_at: timestamp({ goName: 'Created', description: 'When the token was made.' }),
  last_used_at: timestamp({ goName: 'Updated', description: 'When the token was last used, to the minute.' }),
});

/** The fields of a new token. */
export const CreateAccessTokenOption = defineOption(
  'CreateAccessTokenOption',
  {
    name: string({ maxLength: 600, description: 'The name of the token, unique to its user.' }),
    scopes: array(string(), {
      description: 'What the token may be used for.',
      example: [
        'all',
        'read:activitypub',
        'read:issue',
        'write:misc',
        'read:notification',
        'read:organization',
        'read:package',
        'read:repository',
        'read:user',
      ],
    }),
  },
  { required: ['name'] },
);
