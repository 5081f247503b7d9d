import { z } from 'zod';
import type { Currencies } from '../../domain/currency.ts';
import type { Scope } from '../../domain/scopes.ts';
import { ServiceError } from '../../errors.ts';
import { anyDecimals } from '../../orders/body.ts';
import type { CreateOrderInput } from '../../orders/order.ts';
import { createTransferExample, transfer } from '../../orders/transfer.ts';
import type { Command } from '../../orders/type.ts';
import { orderTypes } from '../../orders/types.ts';
import { nameOf } from '../fields.ts';
import { checkSimulation } from '../../orders/simulate.ts';
import { parseRepeatable } from '../parse.ts';
import type { ApiRequest } from '../route.ts';

type CommandCaller = Pick<ApiRequest, 'workspaceId' | 'scopes'>;

/** What the body of a command asks for. */
interface ReadBody {
  readonly input: CreateOrderInput;
  /** Why it is refused, unless it repeats an order. */
  readonly refusal?: ServiceError;
}

/** The body of a command: its description, and what one asks for. @param type of the order that it makes. */
function createCommandBody(type: string, command: Command, currencies: Currencies) {
  const schema = command.body((currency) => currencies.get(currency));
  const anySchema = command.body(anyDecimals);
  return {
    schema,
    /**
     * @param caller the workspace and the scopes of the key that asks.
     * @throws ServiceError of its form, if no order can have been made with it; then SCOPE_MISSING.
     */
    read: (body: object, { workspaceId, scopes }: CommandCaller): ReadBody => {
      const { values, ...refused } = parseRepeatable(schema, anySchema, body, ({ bizId }) => bizId !== undefined);
      const input = { ...values, type };
      checkSimulation(workspaceId, input);
      refuseWithout(command.alsoNeeds?.(input), scopes);
      return { input, ...refused };
    },
  };
}

/** The commands that clients have, each with its type of order and its body; and bodies that say by their `type` which they are of. */
export function createCommandBodies(currencies: Currencies) {
  const commands = orderTypes.flatMap((type) => {
    const { name, command } = type;
    return command === undefined ? [] : { type, command, ...createCommandBody(name, command, currencies) };
  });
  const byType = new Map(commands.map((each) => [each.type.name, each] as const));
  return {
    commands,
    /** Describes a body whose `type` says which command it is of. */
    typed: z.union(commands.map(({ type, schema }) => typedBody(type.name, schema))).meta({
      id: 'AnyCommand',
      description: 'The body of a command, and the type of order that it makes: TRANSFER, if not said.',
      examples: [createTransferExample],
    }),
    /**
     * Reads a body whose `type` says which command it is of; a create's, if it says nothing.
     * @param caller the workspace and the scopes of the key that asks.
     * @throws ServiceError VALUE_NOT_ALLOWED there is no such type; SCOPE_MISSING; then as the command's own body does.
     */
    readTyped(typed: object, caller: CommandCaller): ReadBody {
      const { type = transfer.name, ...body } = typed as { readonly type?: unknown };
      const found = typeof type === 'string' ? byType.get(type) : undefined;
      if (found === undefined)
        throw new ServiceError('VALUE_NOT_ALLOWED', { field: 'type', value: [...byType.keys()].join(',') });
      refuseWithout(found.command.scope, caller.scopes);
      return found.read(body, caller);
    },
  };
}

/** Describes the body of a command that says its type. */
function typedBody(type: string, schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return typedBody(type, schema.in as z.ZodType);
  if (!(schema instanceof z.ZodObject)) throw new Error(`the body of ${type} is no object`);
  const { description, examples = [] } = schema.meta() ?? {};
  const said = z.literal(type).meta({ description: 'The type of order that it makes.' });
  return z.strictObject({ type: type === transfer.name ? said.exactOptional() : said, ...schema.shape }).meta({
    ...{ id: nameOf(type, 'Command'), description },
    examples: (examples as object[]).map((example) => ({ type, ...example })),
  });
}

/** @throws ServiceError SCOPE_MISSING. @param scope that is needed, if one is. */
function refuseWithout(scope: Scope | undefined, scopes: ReadonlySet<Scope>): void {
  if (scope !== undefined && !scopes.has(scope)) throw new ServiceError('SCOPE_MISSING', { value: scope });
}
