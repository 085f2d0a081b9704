// Clients of ioredis for a library on Redis: of default settings, or with the option `bounded` of a manifest such that
// no request is sent again, and none waits for longer than a second for its reply.
//
//     const clients = redisClients(hello); // one for each of hello.servers; the library's package.json has ioredis
'use strict';

const BOUNDED = {
  connectTimeout: 1000,
  commandTimeout: 1000,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => 100,
};

function redisClients({ servers, options }) {
  const Redis = require('ioredis');
  const clients = servers.map(({ host, port }) => new Redis({ host, port, ...(options.bounded ? BOUNDED : {}) }));
  for (const client of clients) client.on('error', () => {}); // the commands say it themselves
  return clients;
}

module.exports = { redisClients };
