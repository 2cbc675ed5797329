import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen, type ListeningServer } from './http-server.js';

const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n';

describe('A server that closes', () => {
  let server: Server;
  let listening: ListeningServer;
  let respond: () => void;

  beforeEach(async () => {
    server = createServer((_, response) => (respond = () => response.end('done')));
    listening = await listen(server, '127.0.0.1', 0);
  });

  const connected = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(listening.port, '127.0.0.1').on('error', () => undefined);
    await Promise.all([once(socket, 'connect'), accepted]);
    return socket;
  };
  const requested = async (): Promise<Socket> => {
    const socket = await connected();
    const request = once(server, 'request');
    socket.write(REQUEST);
    await request;
    return socket;
  };

  it('does not wait for a connection that never sent a byte', async () => {
    const socket = await connected();
    const closed = once(socket, 'close');
    await listening.close();
    await closed;
    expect(socket.bytesWritten).toBe(0);
  });

  it('serves the request of a connection that was opened just before', async () => {
    const socket = await connected();
    const response = text(socket);
    const closed = listening.close();
    const request = once(server, 'request');
    await new Promise((resume) => setTimeout(resume, 300));
    socket.write(REQUEST);
    await request;
    respond();
    await closed;
    expect(await response).toMatch(/^HTTP\/1\.1 200 OK.*done/s);
  });

  it('does not wait for a connection that is kept open after its response', async () => {
    const socket = await requested();
    const response = once(socket, 'data');
    respond();
    await response;
    const closed = once(socket, 'close');
    await listening.close();
    await closed;
    expect(server.listening).toBe(false);
  });

  it('waits for the response to a request in flight, and sends it', async () => {
    const response = text(await requested());
    let isClosed = false;
    const closed = listening.close().then(() => (isClosed = true));
    await new Promise((resume) => setTimeout(resume, 200));
    expect(isClosed).toBe(false);
    respond();
    await closed;
    expect(await response).toMatch(/^HTTP\/1\.1 200 OK.*done/s);
  });

  it.each([
    ['whose head does not end', 'POST / HTTP/1.1\r\nhost:'],
    ['whose body does not end', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc'],
  ])('aborts a request %s in time, and still sends the response to another one', async (_, part) => {
    server.requestTimeout = 400;
    const unfinished = await connected();
    unfinished.write(part);
    const response = text(await requested());
    const closed = listening.close();
    await once(unfinished, 'close');
    respond();
    await closed;
    expect(await response).toMatch(/^HTTP\/1\.1 200 OK.*done/s);
  });

  it('closes a connection whose request has no response in time', async () => {
    const socket = await requested();
    const closed = once(socket, 'close');
    await listening.close(100);
    await closed;
    expect(socket.bytesRead).toBe(0);
  });
});
