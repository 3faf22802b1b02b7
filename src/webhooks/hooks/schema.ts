import { array, boolean, define, defineAs, defineOption, int64, map, ref, string, timestamp } from '../../http/schema.ts';

const eventNames = () => array(string({ maxLength: 100 }), { description: 'Its events.' });

/** A webhook. */
export const Hook = define('Hook', {
  id: int64({ description: 'The id of the hook.' }),
  name: string({ description: 'What people call it.' }),
  type: string({ description: 'For which service the requests are made up.' }),
  branch_filter: string({ description: 'A pattern of branches; empty for all. Events of other branches are not delivered.' }),
  config: map(string(), { description: 'Its configuration.' }),
  events: eventNames(),
  authorization_header: string({ description: 'What is sent as `Authorization`.' }),
  active: boolean({ description: 'Whether it gets deliveries.' }),
  updated_at: timestamp({ goName: 'Updated', description: 'When it was changed last.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
});

/** The configuration of a hook. */
export const CreateHookOptionConfig = defineAs(
  'CreateHookOptionConfig',
  map(string(), {
    description:
      '`url` and `content_type` (`json` or `form`) are needed; `secret` signs the requests. For `slack` also `channel`, `username`, `icon_url` and `color`.',
  }),
);

const fields = () => ({
  events: eventNames(),
  branch_filter: string({
    rule: 'GlobPattern',
    description: 'A pattern of branches; empty for all. Events of other branches are not delivered.',
  }),
  authorization_header: string({ maxLength: 4096, description: 'What is sent as `Authorization`.' }),
  name: string({ maxLength: 255, description: 'What people call it.' }),
});

/** A hook to make. */
export const CreateHookOption = defineOption(
  'CreateHookOption',
  {
    type: string({
      enum: ['dingtalk', 'discord', 'gitea', 'gogs', 'msteams', 'slack', 'telegram', 'feishu', 'wechatwork', 'packagist'],
      description: 'For which service the requests are made up; `matrix` as well.',
    }),
    config: ref(CreateHookOptionConfig),
    ...fields(),
    active: boolean({ default: false, description: 'Whether it gets deliveries.' }),
  },
  { required: ['type', 'config'], description: 'A new webhook.' },
);

/** The changes of a hook. */
export const EditHookOption = defineOption(
  'EditHookOption',
  {
    config: map(string(), { description: 'The changes of its configuration.' }),
    ...fields(),
    active: boolean({ description: 'Whether it gets deliveries.' }),
  },
  { description: 'The changes of a webhook: events, branches and authorization are replaced, other missing fields stay.' },
);
