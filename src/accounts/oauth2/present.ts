import type { OAuth2Application as Application } from '../../database/tables/oauth2.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { OAuth2Application } from './schema.ts';

/** @param secret the new one, in the response that made it */
export function presentApplication(application: Application, secret = ''): Shape<typeof OAuth2Application> {
  return {
    id: application.id,
    name: application.name,
    client_id: application.client_id,
    client_secret: secret,
    confidential_client: application.is_confidential,
    skip_secondary_authorization: application.skips_consent,
    redirect_uris: application.redirect_uris,
    created: wireTime(application.created_at),
  };
}
