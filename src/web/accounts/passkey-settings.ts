import { removePasskey, renamePasskey } from '../../accounts/passkeys/passkeys.ts';
import { addPasskey, beginPasskey } from '../../accounts/passkeys/register.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Document } from '../document.ts';
import { type SignedInVisit, seeOther, userPage } from '../page.ts';
import { confirmRecently } from './confirm-password.ts';
import { passkeyOptions } from './passkey-options.ts';
import { securityDocument } from './security.ts';

const ROOT = 'user/settings/security/webauthn';

/** Adding, renaming and removing passkeys. */
export const passkeyPages: readonly AnyRoute[] = [
  ...userPage({
    path: `/${ROOT}/request_register`,
    beforeDuties: true,
    post: async (visit, context) => {
      await confirmRecently(visit, context);
      const asked = { browser: visit.visitor.token, name: visit.fields.get('name') ?? '' };
      return passkeyOptions(await beginPasskey(context, visit.user, asked));
    },
  }),
  ...action('register', async (visit, context) => {
    const { user, fields, visitor } = visit;
    await confirmRecently(visit, context);
    await addPasskey(context, user, { browser: visitor.token, name: fields.get('name') ?? '', sent: fields.get('credential') ?? '' });
  }),
  ...action('rename', ({ user, fields }, context) => renamePasskey(context, user, Number(fields.get('id')) || 0, fields.get('name') ?? '')),
  ...action('delete', async (visit, context) => {
    await confirmRecently(visit, context);
    await removePasskey(context, visit.user, Number(visit.fields.get('id')) || 0);
  }),
];

function action(name: string, act: (visit: SignedInVisit, context: Context) => Promise<void>): AnyRoute[] {
  return userPage({
    path: `/${ROOT}/${name}`,
    beforeDuties: true,
    post: async (visit, context): Promise<Document | HttpResponse> => {
      try {
        await act(visit, context);
        return seeOther(context, 'user/settings/security');
      } catch (error) {
        if (!(error instanceof HttpError) || ![403, 409, 422].includes(error.status)) throw error;
        return securityDocument(visit, context, { message: error.message, status: error.status });
      }
    },
  });
}
