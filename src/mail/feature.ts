import { feature } from '../feature.ts';

export const mail = feature({
  name: 'mail',
  jobs: {
    // Most instances never send a mail, so what sends them is loaded with the first.
    'mail.send': { run: async (mail, context, { signal }) => (await import('./send.ts')).sendMail(mail, context, signal), queue: 'mail' },
  },
});
