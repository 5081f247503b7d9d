import { z } from 'zod';
import type { Currencies } from '../domain/currency.ts';
import { ServiceError } from '../errors.ts';
import { anyDecimals, currencyErrors } from '../orders/body.ts';
import type { Asked } from '../orders/order.ts';
import type { Command } from '../orders/type.ts';
import { parse } from './parse.ts';

/** The body of what takes no field. */
export const noFields = z
  .strictObject({})
  .meta({ id: 'NoFields', description: 'No fields: the body may be left out.', examples: [{}] });

/** What the body of a command asks for. */
interface ReadBody {
  readonly asked: Asked;
  /** Why it is refused, unless it repeats an order. */
  readonly refusal?: ServiceError;
}

/**
 * Reads a body that may repeat an earlier one: its currency may have changed since what it asks for was made.
 * @param schema by the currencies as they are now. @param anySchema whatever the currency.
 * @param isNamed whether what was made can be found by a name that the client gave.
 * @returns with the values why they are refused, unless they repeat. @throws ServiceError nothing can have been made with them.
 */
export function parseRepeatable<Values>(
  schema: z.ZodType<Values>,
  anySchema: z.ZodType<Values>,
  body: object,
  isNamed: (values: Values) => boolean,
): { readonly values: Values; readonly refusal?: ServiceError } {
  try {
    return { values: parse(schema, body) };
  } catch (refusal) {
    if (!(refusal instanceof ServiceError) || !currencyErrors.has(refusal.errorName)) throw refusal;
    const { success, data: values } = anySchema.safeParse(body);
    if (!success || !isNamed(values)) throw refusal;
    return { values, refusal };
  }
}

export type CommandBody = ReturnType<typeof createCommandBody>;

/** The body of a command: its description, and what one asks for. @param type of the order that it makes. */
export function createCommandBody(type: string, command: Command, currencies: Currencies) {
  const schema = command.body((currency) => currencies.get(currency));
  const anySchema = command.body(anyDecimals);
  return {
    schema,
    /** @throws ServiceError of its form, if no order can have been made with it. */
    read(body: object): ReadBody {
      const { values, ...refused } = parseRepeatable(schema, anySchema, body, ({ bizId }) => bizId !== undefined);
      return { asked: { ...values, type }, ...refused };
    },
  };
}
