import { BlockList, isIP } from 'node:net';

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an IP address is in one of the networks (`10.0.0.0/8`, `::1/128`, or a single address). */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family !== 0 && listOf(networks).check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly string[]): BlockList {
  const known = lists.get(networks);
  if (known) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  lists.set(networks, list);
  return list;
}

/**
 * The client's address: that of the connection, or behind trusted proxies the last one that is not a proxy's.
 * @param forwardedFor the `X-Forwarded-For` header
 */
export function clientAddress(peer: string, forwardedFor: string | string[] | undefined, trustedProxies: readonly string[]): string {
  let address = peer;
  const hops = (Array.isArray(forwardedFor) ? forwardedFor.join(',') : (forwardedFor ?? '')).split(',').map((hop) => hop.trim());
  while (isWithin(address, trustedProxies)) {
    const previous = hops.pop();
    if (!previous || isIP(previous) === 0) break;
    address = previous;
  }
  return address;
}

/** The unit of counting addresses: an IPv4 address, also in its IPv6 form, or the /64 network of one IPv6 customer. */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/s, '');
  if (isIP(plain) !== 6) return plain;
  // A URL writes an IPv6 address in its shortest form (RFC 5952), with the last 32 bits in hexadecimal.
  const shortest = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
  const [head = '', tail] = shortest.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last].map((group) =>
    Number.parseInt(group, 16),
  );
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
