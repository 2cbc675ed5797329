import { checkDatabaseUrl, displayDatabase, isSocketAddress } from './postgres.address.js';

describe('The address of a database', () => {
  it.each([
    'postgres://till:secret@db.internal:5432/tillstream',
    'postgresql://till@db.internal/tillstream',
    'postgres://till:se%23cret@[::1]:5433/tillstream',
    'postgres://till@/tillstream?host=/var/run/postgresql',
  ])('is accepted: %s', (url) => {
    expect(checkDatabaseUrl(url)).toBeUndefined();
  });

  it.each([
    ['db.internal', 'it is no URL'],
    ['mysql://till:secret@db/tillstream', 'it does not begin with postgres://'],
    ['postgres://db.internal/tillstream', 'it names no user'],
    ['postgres://till:secret@db.internal', 'it names no database'],
    [
      'postgres://till:secret@db.internal/tillstream#a',
      'it has a fragment; a # in a password is written %23',
    ],
    ['postgres://till:secret@db.internal/a/b', 'it names no database'],
    ['postgres://till:secret@/tillstream?host=db', 'its parameter "host" is no folder of a socket'],
    ['postgres://till:sec#ret@db.internal/tillstream', 'it is no URL'],
  ])('is refused without showing its password: %s', (url, problem) => {
    expect(checkDatabaseUrl(url)).toBe(problem);
  });

  it.each(['sslmode=disable', 'sslrootcert=/etc/passwd', 'options=-csynchronous_commit%3Doff'])(
    'can not weaken the connection: %s',
    (parameter) => {
      const [name] = parameter.split('=');
      expect(checkDatabaseUrl(`postgres://till@db/tillstream?${parameter}`)).toBe(
        `the parameter "${name}" is not allowed in it`,
      );
    },
  );

  it('is shown without user and password', () => {
    expect(displayDatabase('postgres://till:secret@db.internal/tillstream')).toBe(
      'postgres://db.internal:5432/tillstream',
    );
    expect(displayDatabase('postgres://till:secret@/tillstream?host=/var/run/postgresql')).toBe(
      'postgres:///var/run/postgresql/tillstream',
    );
    expect(displayDatabase('till:secret')).toBe('postgres://?');
  });

  it('tells a socket of this machine from a network', () => {
    expect(isSocketAddress('postgres://till@/tillstream?host=/var/run/postgresql')).toBe(true);
    expect(isSocketAddress('postgres://till@localhost/tillstream')).toBe(false);
  });
});
