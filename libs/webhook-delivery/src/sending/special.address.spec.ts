import { AllowedAddresses, specialAddressKind } from './special.address.js';
import { parseAddress, parseSubnet } from './ip.address.js';

const none = new AllowedAddresses();

/** First and last addresses of each subnet, and addresses of known targets in between. */
const SPECIAL: readonly string[] = [
  ...['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ...['10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ...['127.0.0.0', '127.0.0.1', '127.0.0.53', '127.255.255.255'],
  ...['168.63.129.16'],
  ...['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.17.0.1', '172.31.255.255'],
  ...['192.0.0.0', '192.0.0.192', '192.0.0.255', '192.0.2.1', '192.31.196.1', '192.52.193.1'],
  ...['192.88.99.1', '192.168.0.0', '192.168.255.255', '192.175.48.6'],
  ...['198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.9'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.254', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  ...['0:0:0:0:0:ffff:a00:1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe'],
  ...['64:ff9b:1::1', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '100::1', '100:0:0:1::1', '2001::1'],
  ...['2001:0:5ef5:79fb:0:0:f5ff:fffe', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
  ...['2001:db8::1', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2002:7f00:1::', '2002:a00:1::1'],
  ...['2620:4f:8000::1', '3ffe::1', '3fff::1', '3fff:fff:ffff::1', '4000::1', '5f00::1', '8000::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'feff::1'],
  ...['ff02::1', 'ff0e::1', '2606:4700::5efe:7f00:1', '2606:4700::200:5efe:a00:1'],
];

/** Spellings of hosts in URLs that name a special address. */
const SPELLINGS: readonly string[] = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '2130706433', '017700000001', '0x7f000001', '0x7f.1'],
  ...['0177.0.0.1', '0177.0.0.01', '0x7f.0x0.0x0.0x1', '0X7F.0.0.1', '127.0x0.01', '%31%32%37.0.0.1'],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.0.0.1', '0', '0x0', '0.0', '00000000000'],
  ...['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '169.16689662'],
  ...['3232235521', '0xc0.168.1', '10.1', '012.1.2.3', '0xac.0x10.1', '4294967295', '037777777777'],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:1]',
  ],
  ...['[0:0:0:0:0:ffff:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::10.0.0.1]', '[2002:7f00:1::]', '[fe80::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'ｌｏｃａｌｈｏｓｔ'],
];

const PUBLIC: readonly string[] = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...[
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
  ],
  ...['2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700:4700::1111', '2a00:1450::1', '3ffd::1'],
];

describe('A special address', () => {
  it.each(SPECIAL)('%s is refused', (address) => {
    expect(none.refusal(address)).toBeDefined();
  });

  it.each(SPELLINGS)('%s is refused as the host of a URL', (host) => {
    expect(none.refusalOfUrl(new URL(`https://${host}/hooks`))).toBeDefined();
  });

  it('has the name of its kind', () => {
    const named = ['127.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', '64:ff9b::1', '2002::1'];
    expect(named.map((address) => none.refusal(address))).toEqual([
      'loopback',
      'private',
      'IPv4-mapped',
      'NAT64',
      '6to4',
    ]);
  });
});

describe('A public address', () => {
  it.each(PUBLIC)('%s is allowed', (address) => {
    expect(none.refusal(address)).toBeUndefined();
    const parsed = parseAddress(address);
    expect(parsed && specialAddressKind(parsed)).toBeUndefined();
  });

  it('is allowed as a URL, and so is a name, which is checked when it is resolved', () => {
    for (const url of [
      'https://8.8.8.8/',
      'https://[2606:4700:4700::1111]/',
      'https://example.com/',
      'https://notlocalhost/',
    ])
      expect(none.refusalOfUrl(new URL(url))).toBeUndefined();
  });
});

describe('An allowed subnet', () => {
  const loopback = new AllowedAddresses(['127.0.0.0/8', '::1']);

  it('admits its own addresses only', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].map((address) => loopback.refusal(address))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const other of ['10.0.0.1', '::2', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', 'fe80::1'])
      expect(loopback.refusal(other)).toBeDefined();
    expect(loopback.refusalOfUrl(new URL('http://localhost:4000/'))).toBeUndefined();
  });

  it('of NAT64 admits public addresses behind the gateway only', () => {
    const nat64 = new AllowedAddresses(['64:ff9b::/96']);
    expect(nat64.refusal('64:ff9b::8.8.8.8')).toBeUndefined();
    expect(nat64.refusal('64:ff9b::10.0.0.1')).toBe('private');
  });

  it.each(['', '10.0.0.0/33', '::/129', 'example.com', '10.0.0.0/x'])('"%s" is no subnet', (text) => {
    expect(() => parseSubnet(text)).toThrow('is no subnet');
  });
});

it('What is no address is refused', () => {
  expect(['', 'example.com', '127.1', '1.2.3.4.5'].map((text) => none.refusal(text))).toEqual(
    new Array(4).fill('no address'),
  );
});
