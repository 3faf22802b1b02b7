import { BlockList, isIP } from 'node:net';

/** The network of an IP address: this machine, a private network, the public Internet, or none of these. */
export type AddressKind = 'loopback' | 'private' | 'external' | 'reserved';

const LOOPBACK = listOf('127.0.0.0/8', '::1/128');
const PRIVATE = listOf('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7');
/** Networks that are neither private nor public (the special-purpose address registries of IANA): carrier-grade, link-local, benchmark … */
const RESERVED = listOf(
  ...['0.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
);
/** IPv6 of the public Internet; everything else is reserved. */
const GLOBAL_IPV6 = listOf('2000::/3', '64:ff9b::/96');

function listOf(...networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The kind of an IP address. An IPv6 address that embeds an IPv4 address has the kind of that one, however it embeds it. */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/%.*$/s, '');
  const family = isIP(plain);
  if (family === 0) return 'reserved';
  if (family === 4) return kindIn(plain, 'ipv4');
  const groups = groupsOf(plain);
  const carried = carriedAddress(groups);
  if (carried !== undefined) return kindIn(carried, 'ipv4');
  const kind = kindIn(plain, 'ipv6');
  return kind === 'external' && !GLOBAL_IPV6.check(plain, 'ipv6') ? 'reserved' : kind;
}

function kindIn(address: string, family: 'ipv4' | 'ipv6'): AddressKind {
  if (LOOPBACK.check(address, family)) return 'loopback';
  if (PRIVATE.check(address, family)) return 'private';
  return RESERVED.check(address, family) ? 'reserved' : 'external';
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    return `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`;
  });
  const [head = '', tail] = hexadecimal.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [read(head), tail === undefined ? [] : read(tail)];
  return [...before, ...new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}

/** IPv4-mapped and -compatible (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380), ISATAP (RFC 5214). */
function carriedAddress(groups: readonly number[]): string | undefined {
  const at = (index: number) => groups[index] ?? 0;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 5) && at(5) === 0xffff) return dotted(at(6), at(7));
  if (isZero(0, 4) && at(4) === 0xffff && at(5) === 0) return dotted(at(6), at(7));
  if (isZero(0, 6) && (at(6) !== 0 || at(7) > 1)) return dotted(at(6), at(7));
  if (at(0) === 0x64 && at(1) === 0xff9b && isZero(2, 6)) return dotted(at(6), at(7));
  if (at(0) === 0x2002) return dotted(at(1), at(2));
  if (at(0) === 0x2001 && at(1) === 0) return dotted(at(6) ^ 0xffff, at(7) ^ 0xffff);
  if ((at(4) & ~0x0200) === 0 && at(5) === 0x5efe) return dotted(at(6), at(7));
  return undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
