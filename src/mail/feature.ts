import { feature } from '../feature.ts';

export const mail = feature({
  name: 'mail',
  jobs: {
    // Most instances never send a mail, so the sender is loaded with the first one.
    'mail.send': { run: async (mail, context, { signal }) => (await import('./send.ts')).sendMail(mail, context, signal), queue: 'mail' },
  },
});
