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
