import { define, string } from '../http/schema.ts';

export const ServerVersion = define(
  'ServerVersion',
  {
    version: string({ description: 'the running version' }),
    Version: string({ description: 'the same', undescribed: true }),
  },
  { description: 'The version of the running server.' },
);
