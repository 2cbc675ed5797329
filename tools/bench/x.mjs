import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { openPostgres } from '@tillstream/postgres-driver';
import { fillList } from '@tillstream/read-models-postgres/testing';
import { tableShape } from '@tillstream/read-models';
const server = await PostgresServer.start();
const s = await server.newDatabase();
await fillList(s, 'transactions', 20000);
const name = new URL(s.url).pathname.slice(1);
const run = (q) => server.admin(q, name);
const [{ nspname }] = await run(`select nspname from pg_namespace where nspname like 'list_tr%'`);
const ex = async (label, q, pre='') => { console.log('##', label); const rows = await run(`${pre} explain (analyze) ${q}`).catch(e => [{e: e.message}]); console.log((Array.isArray(rows)?rows:[rows]).map(r => Object.values(r)[0]).join('\n')); };
const R = nspname + '.rows';
const inner = (o='') => `select * from unnest('{1,2,3,4}'::int4[]) as merged(facet) cross join lateral (select id, created_at from ${R} as rows where (rows.card_facet, rows.created_at) >= (merged.facet, -9007199254740991::int8) and (rows.card_facet, rows.created_at) <= (merged.facet, 9007199254740991::int8) order by rows.card_facet desc, rows.created_at desc, rows.id desc limit 26) found order by created_at desc, id desc limit 26`;

await run('alter system set random_page_cost=1.1'); await run('select pg_reload_conf()');

await run(`create schema g; create table g.rows (like ${R} including all) with (autovacuum_enabled=off); insert into g.rows select * from ${R};`);
await run(`insert into g.rows (id, revision, card_facet, outcome_facet, created_at, updated_at, amount, body) select 'small'||n, 0, 10+n, 10+n, 1,1,1,'{}' from generate_series(1,3000) n`);
const whole = `select page.id, page.created_at, r.body from (${inner().replaceAll(R, 'g.rows')}) as page join g.rows as r on r.id = page.id order by page.created_at desc, page.id desc`.replace('select * from unnest','select found.id, found.created_at from unnest');
await ex('no stats', whole);
await run('analyze g.rows');
await ex('stats', whole);
await server.stop();
