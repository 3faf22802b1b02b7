import { array, boolean, define, int64, object, optional, ref, string } from '../../http/schema.ts';

export const NodeInfoSoftware = define(
  'NodeInfoSoftware',
  {
    name: string({ description: 'the software of the instance' }),
    version: string({ description: 'its version' }),
    repository: string({ description: 'where its source is' }),
    homepage: string({ description: 'the URL of the document' }),
  },
  { description: 'The software that runs an instance.' },
);

export const NodeInfoServices = define(
  'NodeInfoServices',
  {
    inbound: array(string(), { description: 'services whose posts it imports' }),
    outbound: array(string(), { description: 'services that it posts to' }),
  },
  { description: 'Other services that an instance is connected with.' },
);

export const NodeInfoUsageUsers = define(
  'NodeInfoUsageUsers',
  {
    total: int64({ description: 'accounts' }),
    activeHalfyear: int64({ description: 'of these, used within 180 days' }),
    activeMonth: int64({ description: 'of these, used within 30 days' }),
  },
  { description: 'How many people use an instance.' },
);

export const NodeInfoUsage = define(
  'NodeInfoUsage',
  {
    users: ref(NodeInfoUsageUsers),
    localPosts: int64({ description: 'issues and pull requests' }),
    localComments: optional(int64({ description: 'comments on them' })),
  },
  { description: 'How much an instance is used.' },
);

export const NodeInfo = define(
  'NodeInfo',
  {
    version: string({ description: 'of the schema' }),
    software: ref(NodeInfoSoftware),
    protocols: array(string(), { description: 'protocols that it federates by' }),
    services: ref(NodeInfoServices),
    openRegistrations: boolean({ description: 'whether anybody may make an account' }),
    usage: ref(NodeInfoUsage),
    metadata: object({ description: 'anything else' }),
  },
  { description: 'What an instance tells other software of itself (NodeInfo 2.1).' },
);
