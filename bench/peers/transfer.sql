-- What one would write with PostgreSQL alone: a function that records an order, moves its amount and writes its flows in one
-- transaction, and an index for each list that the service has.
create table wallets (
  id bigint primary key,
  workspace_id bigint not null,
  currency text not null,
  status text not null default 'ACTIVE',
  balance numeric not null,
  credit_limit numeric not null default 0,
  sequence bigint not null default 0
);

create table orders (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  biz_id text not null,
  source_wallet_id bigint not null,
  target_wallet_id bigint not null,
  amount numeric not null,
  currency text not null,
  status text not null,
  failure text,
  created_at timestamptz not null default now(),
  unique (workspace_id, biz_id)
);
create index on orders (workspace_id, id);
create index on orders (source_wallet_id, id);
create index on orders (target_wallet_id, id);
create index on orders (workspace_id, id) where status = 'FAILED';

create table flows (
  wallet_id bigint not null,
  sequence bigint not null,
  order_id bigint not null,
  direction text not null,
  amount numeric not null,
  balance_after numeric not null,
  created_at timestamptz not null default now(),
  primary key (wallet_id, sequence)
);
create index on flows (wallet_id, direction, sequence);

-- Wallets are locked by id, so that two transfers never wait for each other. A repeated biz_id is answered with its first order.
create function transfer(
  of_workspace bigint, with_biz_id text, source_id bigint, target_id bigint, moved numeric, in_currency text
) returns text language plpgsql as $$
declare
  source wallets;
  target wallets;
  locked wallets;
  why text;
  new_id bigint;
  known text;
begin
  for locked in
    select * from wallets where id in (source_id, target_id) and workspace_id = of_workspace order by id for update
  loop
    if locked.id = source_id then source := locked; else target := locked; end if;
  end loop;
  if source.id is null or target.id is null then
    raise exception 'no such wallet';
  end if;
  why := case
    when source.currency <> in_currency or target.currency <> in_currency then 'CURRENCY_MISMATCH'
    when source.status <> 'ACTIVE' or target.status <> 'ACTIVE' then 'WALLET_NOT_ACTIVE'
    when source.balance + source.credit_limit < moved then 'INSUFFICIENT_FUNDS'
  end;
  insert into orders (workspace_id, biz_id, source_wallet_id, target_wallet_id, amount, currency, status, failure)
  values (of_workspace, with_biz_id, source_id, target_id, moved, in_currency,
    case when why is null then 'COMPLETED' else 'FAILED' end, why)
  on conflict (workspace_id, biz_id) do nothing
  returning id into new_id;
  if new_id is null then
    select status into known from orders where workspace_id = of_workspace and biz_id = with_biz_id;
    return known;
  end if;
  if why is not null then
    return 'FAILED';
  end if;
  update wallets set balance = balance - moved, sequence = sequence + 1 where id = source_id;
  update wallets set balance = balance + moved, sequence = sequence + 1 where id = target_id;
  insert into flows (wallet_id, sequence, order_id, direction, amount, balance_after) values
    (source_id, source.sequence + 1, new_id, 'DEBIT', moved, source.balance - moved),
    (target_id, target.sequence + 1, new_id, 'CREDIT', moved, target.balance + moved);
  return 'COMPLETED';
end $$;

-- Many transfers of a workspace in one transaction, each as if by itself, in the order in which they are given. Wallets are locked by
-- id, and each is written once. Answers what became of each; REFUSED if there are no such two wallets. Two batches at once that have
-- a biz_id in common, and no wallet, leave one of them to be tried again, which its unique index tells.
create function transfer_batch(
  of_workspace bigint, biz_ids text[], source_ids bigint[], target_ids bigint[], amounts numeric[], in_currency text
) returns text[] language plpgsql as $$
declare
  count int := cardinality(biz_ids);
  -- Of the wallets, each at its place.
  ids bigint[];
  balances numeric[];
  available numeric[];
  sequences bigint[];
  problems text[];
  -- Of the transfers, each at its number: the places of its wallets, what is known of its biz_id, and which is the first of that.
  sources int[];
  targets int[];
  answers text[];
  firsts int[];
  order_ids bigint[] := array_fill(null::bigint, array[count]);
  failures text[] := array_fill(null::text, array[count]);
  source_sequences bigint[] := array_fill(null::bigint, array[count]);
  target_sequences bigint[] := array_fill(null::bigint, array[count]);
  source_balances numeric[] := array_fill(null::numeric, array[count]);
  target_balances numeric[] := array_fill(null::numeric, array[count]);
  source int;
  target int;
  moved numeric;
begin
  select array_agg(id), array_agg(balance), array_agg(balance + credit_limit), array_agg(sequence), array_agg(
    case when currency <> in_currency then 'CURRENCY_MISMATCH' when status <> 'ACTIVE' then 'WALLET_NOT_ACTIVE' end)
  into ids, balances, available, sequences, problems
  from (
    select * from wallets where id = any(source_ids || target_ids) and workspace_id = of_workspace order by id for update
  ) locked;

  select array_agg(of_source.place order by number), array_agg(of_target.place order by number),
    array_agg(known order by number), array_agg(first order by number)
  into sources, targets, answers, firsts
  from (
    select *, min(number) over (partition by biz_id) as first,
      (select status from orders where workspace_id = of_workspace and orders.biz_id = all_given.biz_id) as known
    from unnest(biz_ids, source_ids, target_ids) with ordinality as all_given(biz_id, source_id, target_id, number)
  ) given
  left join unnest(ids) with ordinality as of_source(id, place) on of_source.id = source_id
  left join unnest(ids) with ordinality as of_target(id, place) on of_target.id = target_id;

  for number in 1 .. count loop
    source := sources[number];
    target := targets[number];
    moved := amounts[number];
    if firsts[number] < number then
      answers[number] := answers[firsts[number]];
    end if;
    continue when answers[number] is not null;
    if source is null or target is null or source = target then
      answers[number] := 'REFUSED';
      continue;
    end if;
    order_ids[number] := nextval('orders_id_seq');
    -- A wrong currency before a wallet that is not active, as their names are in order.
    failures[number] := coalesce(least(problems[source], problems[target]),
      case when available[source] < moved then 'INSUFFICIENT_FUNDS' end);
    if failures[number] is not null then
      answers[number] := 'FAILED';
      continue;
    end if;
    answers[number] := 'COMPLETED';
    balances[source] := balances[source] - moved;
    available[source] := available[source] - moved;
    sequences[source] := sequences[source] + 1;
    balances[target] := balances[target] + moved;
    available[target] := available[target] + moved;
    sequences[target] := sequences[target] + 1;
    source_balances[number] := balances[source];
    source_sequences[number] := sequences[source];
    target_balances[number] := balances[target];
    target_sequences[number] := sequences[target];
  end loop;

  insert into orders (id, workspace_id, biz_id, source_wallet_id, target_wallet_id, amount, currency, status, failure)
  overriding system value
  select id, of_workspace, biz_id, source_id, target_id, amount, in_currency, status, failure
  from unnest(order_ids, biz_ids, source_ids, target_ids, amounts, answers, failures)
    as posted(id, biz_id, source_id, target_id, amount, status, failure)
  where id is not null;

  insert into flows (wallet_id, sequence, order_id, direction, amount, balance_after)
  select wallet_id, sequence, order_id, direction, amount, balance
  from unnest(order_ids, source_ids, source_sequences, source_balances, target_ids, target_sequences, target_balances, amounts)
    as posted(order_id, source_id, source_sequence, source_balance, target_id, target_sequence, target_balance, amount),
  lateral (values
    (source_id, source_sequence, 'DEBIT', source_balance), (target_id, target_sequence, 'CREDIT', target_balance)
  ) as side(wallet_id, sequence, direction, balance)
  where sequence is not null;

  update wallets set balance = written.balance, sequence = written.sequence
  from unnest(ids, balances, sequences) as written(id, balance, sequence)
  where wallets.id = written.id and wallets.sequence <> written.sequence;
  return answers;
end $$;
