import { Double } from 'bson';
import { asDouble, asWhole, widthOf, type Width } from './arithmetic.ts';
import { add, fromBigInt, type Exact } from './exact.ts';
import { exactOf, fromDouble, toDecimal128, toInteger } from './numbers.ts';
import type { Numeric } from './values.ts';

/**
 * A sum as `$sum`, `$avg` and `$add` make it: decimals exact, whole numbers exact, doubles compensated (Knuth's TwoSum),
 * and all of them brought together only at the end, in the widest type that was met.
 */
export class NumberSum {
  #width: Width = 'int';
  #decimals: Exact = fromBigInt(0n);
  #whole = 0n;
  #hasDouble = false;
  // The double sum and what it lost; `#plain` is the naive sum, right where infinities meet.
  #sum = 0;
  #lost = 0;
  #plain = 0;
  count = 0;

  add(value: Numeric): void {
    this.count++;
    const width = widthOf(value);
    if (widths.indexOf(width) > widths.indexOf(this.#width)) this.#width = width;
    if (width === 'decimal') {
      this.#decimals = add(this.#decimals, exactOf(value));
    } else if (width === 'double') {
      this.#hasDouble = true;
      this.#addDouble(asDouble(value));
    } else {
      const whole = asWhole(value);
      this.#whole += whole;
      const high = (whole / 2n ** 32n) * 2n ** 32n;
      this.#addDouble(Number(whole - high));
      this.#addDouble(Number(high));
    }
  }

  /** The widest type met so far. */
  get width(): Width {
    return this.#width;
  }

  /** The sum in the widest type met; longs beyond 64 bits become a double. */
  total(): Numeric {
    if (this.#width === 'decimal') return toDecimal128(this.exact());
    const whole = this.#hasDouble ? undefined : toInteger(this.#whole, this.#width === 'long');
    return whole ?? new Double(this.double());
  }

  /** The sum as a decimal. */
  exact(): Exact {
    if (!this.#hasDouble) return add(this.#decimals, fromBigInt(this.#whole));
    return add(this.#decimals, add(fromDouble(this.double()), fromDouble(Number.isNaN(this.#sum) ? 0 : this.#lost)));
  }

  /** The sum of all but the decimals as a double. */
  double(): number {
    if (!this.#hasDouble) return Number(this.#whole);
    return Number.isNaN(this.#sum) ? this.#plain : this.#sum;
  }

  #addDouble(value: number): void {
    this.#plain += value;
    const [term, termLost] = twoSum(value, this.#lost);
    const [sum, sumLost] = twoSum(this.#sum, term);
    this.#sum = sum;
    this.#lost = termLost + sumLost;
  }
}

const widths: Width[] = ['int', 'long', 'double', 'decimal'];

/** The rounded sum of two doubles and exactly what the rounding lost. */
function twoSum(left: number, right: number): [number, number] {
  const sum = left + right;
  const part = sum - left;
  return [sum, left - (sum - part) + (right - part)];
}
