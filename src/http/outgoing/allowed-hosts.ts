import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { matchesName } from '../../git/trees/glob.ts';
import type { Settings } from '../../settings.ts';
import { addressKind } from './ip-address-kind.ts';

type Rules = Pick<Settings['outgoing'], 'allowedHosts' | 'blockedHosts'>;

/** The settings do not allow this host, or none of its IP addresses. */
export class HostNotAllowedError extends Error {
  override readonly name = 'HostNotAllowedError';
}

const KINDS: readonly string[] = ['loopback', 'private', 'external'];

/**
 * Whether the server may connect to this IP address as a host of this name.
 * @param host a name or an IP address, as in a URL
 * @param address the IP address that the name was resolved to
 */
export function isAllowed(rules: Rules, host: string, address: string): boolean {
  const name = plainHost(host);
  const matches = (rule: string) => matchesHost(rule, name) || matchesAddress(rule, address);
  return rules.allowedHosts.some(matches) && !rules.blockedHosts.some(matches);
}

function matchesHost(rule: string, name: string): boolean {
  return rule === '*' || (!KINDS.includes(rule) && isIP(rule) === 0 && !rule.includes('/') && matchesName(rule, name));
}

function matchesAddress(rule: string, address: string): boolean {
  if (KINDS.includes(rule)) return addressKind(address) === rule;
  const [network = '', bits] = rule.split('/');
  const family = isIP(network);
  if (family === 0) return false;
  const list = new BlockList();
  list.addSubnet(network, bits === undefined ? (family === 6 ? 128 : 32) : Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  // An IPv4-mapped address is the IPv4 address.
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** A host without brackets and the dot at the end, in lower case. */
export function plainHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/**
 * The allowed IP addresses of a host. A connection has to use one of them and must not resolve the name again: the second result may
 * differ.
 * @throws HostNotAllowedError when there is none
 * @throws Error of the resolver when the host is not known
 */
export async function allowedAddresses(rules: Rules, host: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const name = plainHost(host);
  const family = isIP(name);
  const found = family === 0 ? await lookup(name, { all: true }) : [{ address: name, family }];
  const allowed = found.filter(({ address }) => isAllowed(rules, name, address));
  if (allowed.length === 0) throw new HostNotAllowedError(`the host ${name} may not be reached`);
  return allowed.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
