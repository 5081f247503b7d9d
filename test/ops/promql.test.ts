import { describe, expect, it } from 'vitest';
import { evaluate, parseQuery, type Scrape } from '../support/promql.ts';

type Series = [name: string, labels: Record<string, string>, values: number[]];

/** Scrapes ten seconds apart. */
function scrapesOf(...series: Series[]): Scrape[] {
  const count = Math.max(...series.map(([, , values]) => values.length));
  return Array.from({ length: count }, (_, index) => ({
    atMs: index * 10_000,
    samples: series.flatMap(([name, labels, values]) => {
      const value = values[index];
      return value === undefined ? [] : [{ name, labels: new Map(Object.entries(labels)), value }];
    }),
  }));
}

function valuesOf(query: string, ...series: Series[]): unknown {
  const value = evaluate(query, scrapesOf(...series));
  return typeof value === 'number' ? value : value.map((element) => element.value);
}

// What stands here was compared with `promtool test rules`; that one also extrapolates rates to the edges of the range.
describe('a query', () => {
  it('takes the last value within a range, where the last scrape has none', () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => index);
    const longer: Series = ['b', {}, values(8)];
    expect(valuesOf('max(last_over_time(a[45s]))', ['a', {}, values(6)], longer)).toEqual([5]);
    expect(valuesOf('max(last_over_time(a[15s]))', ['a', {}, values(6)], longer)).toEqual([]);
  });

  it('combines sets with and, or, and parentheses; compares and subtracts', () => {
    const two: Series[] = [
      ['a', { x: '1' }, [3]],
      ['a', { x: '2' }, [5]],
      ['b', { x: '2' }, [1]],
    ];
    expect(valuesOf('a > 2 and b < 2', ...two)).toEqual([5]);
    expect(valuesOf('b or a', ...two)).toEqual([1, 3]);
    expect(valuesOf('max(a) - min(a) > 1', ...two)).toEqual([2]);
    expect(valuesOf('max(a) > (count(c) or vector(0))', ...two)).toEqual([5]);
    expect(valuesOf('max(a) > (count(a) + count(b))', ...two)).toEqual([5]);
    expect(valuesOf('max(a) - time() < 0', ...two)).toHaveLength(1);
  });

  it('selects by name and labels, at the last scrape', () => {
    const up: Series[] = [
      ['up', { server: 'a' }, [1, 0]],
      ['up', { server: 'b' }, [1, 1]],
      ['down', { server: 'a' }, [7, 7]],
      ['up', { server: 'gone' }, [1]],
    ];
    expect(valuesOf('up', ...up)).toEqual([0, 1]);
    expect(valuesOf('up{server="b"}', ...up)).toEqual([1]);
    expect(valuesOf('up{server=~"a|c"}', ...up)).toEqual([0]);
    expect(valuesOf('up{server=~".."}', ...up)).toEqual([]);
    expect(valuesOf('min by (server) (up) == 0', ...up)).toEqual([0]);
    expect(valuesOf('max(up) == 0', ...up)).toEqual([]);
    expect(valuesOf('absent(up)', ...up)).toEqual([]);
    expect(valuesOf('absent(sideways)', ...up)).toEqual([1]);
    expect(
      valuesOf('max(abs(ahead)) > 1', ['ahead', { instance: 'a' }, [-2]], ['ahead', { instance: 'b' }, [1]]),
    ).toEqual([2]);
    expect(valuesOf('max(abs(ahead)) > 1', ['ahead', { instance: 'a' }, [-1]])).toEqual([]);
  });

  it('rates counters, over restarts, and needs two scrapes', () => {
    const counters: Series[] = [
      ['asked', { code: '200' }, [100, 200, 40, 60]],
      ['asked', { code: '500' }, [0, 0, 0, 16]],
      ['asked', { code: '503' }, [Number.NaN, Number.NaN, Number.NaN, 9].slice(3)],
    ];
    expect(valuesOf('rate(asked{code="200"}[5m])', ...counters)).toEqual([(100 + 40 + 20) / 30]);
    expect(valuesOf('rate(asked{code="503"}[5m])', ...counters)).toEqual([]);
    expect(valuesOf('sum(rate(asked{code=~"5.."}[5m])) / sum(rate(asked[5m])) > 0.01', ...counters)).toEqual([
      expect.closeTo(16 / 176),
    ]);
    expect(valuesOf('sum(rate(asked{code=~"5.."}[5m])) / sum(rate(asked[5m])) > 0.1', ...counters)).toEqual([]);
  });

  it('finds quantiles within a bucket, over several series', () => {
    const bucket = (le: string, instance: string, last: number): Series => ['s_bucket', { le, instance }, [0, last]];
    const all = [bucket('1', 'a', 90), bucket('5', 'a', 95), bucket('10', 'a', 100), bucket('+Inf', 'a', 100)];
    const query = 'histogram_quantile(0.99, sum by (le) (rate(s_bucket[5m])))';
    expect(valuesOf(query, ...all)).toEqual([expect.closeTo(9)]);
    const more = [bucket('1', 'b', 900), bucket('5', 'b', 900), bucket('10', 'b', 900), bucket('+Inf', 'b', 900)];
    expect(valuesOf(query, ...all, ...more)).toEqual([expect.closeTo(1)]);
    expect(valuesOf(`${query} > 5`, ...all.map(([name, labels]): Series => [name, labels, [3, 3]]))).toEqual([]);
  });

  it.each(['sum(up) >', 'sum(up', '', 'rate(up[5m'])('that is not PromQL is refused: %s', (query) => {
    expect(() => parseQuery(query)).toThrow();
  });

  it.each(['avg(up)', 'up offset 5m', 'increase(up[5m])', 'up != 1', 'sum without (a) (up)', 'up{a!="b"}', '-up'])(
    'of another form is not guessed at: %s',
    (query) => {
      expect(() => evaluate(query, scrapesOf(['up', {}, [1, 1]]))).toThrow();
    },
  );
});
