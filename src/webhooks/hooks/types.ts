/** The services with a payload format of their own. */
export const HOOK_TYPES = [
  'gitea',
  'gogs',
  'slack',
  'discord',
  'dingtalk',
  'telegram',
  'msteams',
  'feishu',
  'matrix',
  'wechatwork',
  'packagist',
] as const;

/** One of {@link HOOK_TYPES}. */
export type HookType = (typeof HOOK_TYPES)[number];

/** Whether there is such a type. */
export function isHookType(name: string): name is HookType {
  return HOOK_TYPES.some((type) => type === name);
}
