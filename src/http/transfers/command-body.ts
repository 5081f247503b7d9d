import type { Currencies } from '../../domain/currency.ts';
import type { ServiceError } from '../../errors.ts';
import { anyDecimals } from '../../orders/body.ts';
import type { CreateOrderInput } from '../../orders/order.ts';
import type { Command } from '../../orders/type.ts';
import { parseRepeatable } from '../parse.ts';

/** What the body of a command asks for. */
interface ReadBody {
  readonly input: CreateOrderInput;
  /** Why it is refused, unless it repeats an order. */
  readonly refusal?: ServiceError;
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
      return { input: { ...values, type }, ...refused };
    },
  };
}
