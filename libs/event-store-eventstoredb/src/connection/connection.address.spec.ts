import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { jest } from '@jest/globals';
import { EventStoreError } from '@tillstream/event-store';
import { parseAddress } from './connection.address.js';
import { checkEventStoreDbUrl } from './server.settings.js';
import { openEventStoreDb } from '../event-store-db.store.js';

const NUMBERS =
  'defaultDeadline=1&discoveryInterval=20&gossipTimeout=2&keepAliveTimeout=3000&maxDiscoverAttempts=3';

describe('The address of EventStoreDB', () => {
  const warnings = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  afterAll(() => warnings.mockRestore());

  it.each([
    'esdb://localhost:2113?tls=false',
    'esdb://localhost',
    ' esdb://user:pass@one:2113,two:2114,three/?tls=true&nodePreference=leader ',
    'esdb+discover://admin:p%40ss%3Aw%2Frd@cluster.example.com:2113?keepAliveInterval=10000&keep_alive_timeout=3000',
    'esdb://localhost?defaultDeadline=3000&connectionName=a%40b',
  ])('%s can be used', (url) => {
    expect(checkEventStoreDbUrl(url)).toBeUndefined();
    expect(() => openEventStoreDb({ url })).not.toThrow();
  });

  it.each([
    'esdb://localhost',
    ' esdb://user:pass@one:2113,two:02114,three?tls=true&nodePreference=leader ',
    'esdb+discover://admin:p%40ss%3Aw%2Frd@cluster.example.com:2113?keepAliveInterval=10000',
    `esdb://node_1.local:1//?${NUMBERS}`,
    'esdb://localhost?TLS=false&throw_on_append_failure=true&Node-Preference=ReadOnlyReplica&nodePreference=Follower',
    'esdb://localhost?connectionName=a%40b=c%20%3F&tlsCAFile=%2Fca.crt&userCertFile=/a.crt&userKeyFile=/a.key/',
  ])('%s has the parts that the driver reads', (url) => {
    expect(parseAddress(url)).toEqual(parseConnectionString(url));
  });

  it.each([
    ['', /begins with esdb:\/\/ or esdb\+discover:\/\//],
    ['http://localhost:2113', /begins with esdb/],
    ['localhost:2113', /begins with esdb/],
    ['esdb://', /names hosts/],
    ['esdb://:2113', /names hosts/],
    ['esdb://local host:2113', /names hosts/],
    ['esdb://one,,two', /names hosts/],
    ['esdb://localhost:notaport', /names hosts/],
    ['esdb://localhost:70000', /port of localhost must be from 1 to 65535/],
    ['esdb://localhost:0', /port of localhost/],
    ['esdb://admin@localhost', /user:password/],
    ['esdb://admin:sec:ret@localhost', /: is written %3A/],
    ['esdb://admin:sec@ret@localhost', /@ is %40/],
    ['esdb://admin:sec%ret@localhost', /% in user or password is written %25/],
    ['esdb://admin:sec?ret@localhost', /names hosts/],
    ['esdb://admin:sec/ret@localhost?tls', /name=value/],
    ['esdb://admin:secret@localhost?tls=perhaps', /true or false was expected/],
    ['esdb://admin:secret@localhost?nodePreference=boss', /leader.* was expected/],
    [
      'esdb://admin:secret@localhost?keepAliveInterval=often',
      /keepAliveInterval is a whole number from 10000/,
    ],
    ['esdb://admin:secret@localhost?keepAliveInterval=-1', /whole number from 10000/],
    ['esdb://admin:secret@localhost?gossipTimeout=10s', /gossipTimeout is a whole number from 1/],
    [`esdb://admin:secret@localhost?tlsCAFile=${import.meta.filename}`, /holds no certificate \(PEM\)/],
    [
      `esdb://admin:secret@localhost?userCertFile=${import.meta.filename}&userKeyFile=${import.meta.filename}`,
      /certificate and its key/,
    ],
    ['esdb://admin:secret@localhost?tls=false&tls', /name=value/],
    ['esdb://admin:secret@localhost?tsl=false', /no setting 'tsl'; there are .*tls/],
    ['esdb://admin:secret@localhost?tlsVerifyCert=false', /tlsCAFile/],
    ['esdb://admin:secret@localhost?connectionName=a@b', /@ is written %40/],
    ['esdb://admin:secret@localhost?connectionName=a?b', /\? is written %3F/],
    ['esdb://admin:secret@localhost?tls=TRUE', /true or false was expected/],
    ['esdb://admin:secret@localhost?connectionName=%', /% is written %25/],
    ['esdb://admin:secret@localhost?tlsCAFile=/no/such/file.crt', /can't be read: \/no\/such\/file\.crt/],
    [`esdb://admin:secret@localhost?userKeyFile=${import.meta.filename}`, /go together/],
  ])('%s is Invalid, in one sentence that says why and holds no secret', (url, why) => {
    const wrong = checkEventStoreDbUrl(url);
    expect(wrong).toMatch(why);
    expect(wrong).toMatch(/^The address of EventStoreDB can't be used: [^\n]*\.$/);
    expect(wrong).not.toMatch(/admin|sec.?ret/);
    expect(() => openEventStoreDb({ url })).toThrow(new EventStoreError('Invalid', wrong ?? ''));
  });

  it('is never printed by the driver, which would print the password too', () => {
    expect(warnings).not.toHaveBeenCalled();
  });

  it.each([0, -1, NaN, Infinity])('goes with a deadline from 1 ms, not %s', (deadlineMs) => {
    const url = 'esdb://localhost:2113?tls=false';
    expect(() => openEventStoreDb({ url, deadlineMs })).toThrow(/deadline is a number of ms/);
  });
});
