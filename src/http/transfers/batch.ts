import { z } from 'zod';
import { batchLegsMax, type BatchLine } from '../../accepting/batch.ts';
import { because, catalogue, ServiceError, type ErrorName } from '../../errors.ts';
import { id, WrongField } from '../fields.ts';
import { createTransferExample } from '../../orders/transfer.ts';
import { detailsOf, failureOf } from '../envelope.ts';
import { waitHeaders } from './waits.ts';
import type { RouteParts } from '../parts.ts';
import { parse } from '../parse.ts';
import { legsBodyBytesMax as bodyBytesMax, replayedHeader, type ApiRequest, type ChangingRoute } from '../route.ts';
import { loadErrors, transfersTag } from './create.ts';
import { Order } from './order.ts';

/** Each line has a leg at least. */
const { each: linesMax, together: atomicLinesMax } = batchLegsMax;
/** A line has at most 20 entries of metadata, and fewer other keys. */
const bodyValuesMax = linesMax * 40;
/** Legs that are read in one turn. To refuse one takes some 20 µs. */
const legsATurn = 100;

interface LinesFault {
  readonly reason: ErrorName;
  readonly value?: string;
  /** The line at fault. */
  readonly line?: number;
}

/** What is wrong with lines as a whole. What is wrong inside a line is that line's own fault, and is not looked for here. */
function linesFault(value: unknown): LinesFault | undefined {
  if (value === undefined) return { reason: 'FIELD_MISSING' };
  if (!Array.isArray(value)) return { reason: 'FIELD_TYPE_WRONG', value: 'array' };
  if (value.length === 0) return { reason: 'FIELD_OUT_OF_RANGE', value: '1' };
  if (value.length > linesMax) return { reason: 'FIELD_OUT_OF_RANGE', value: String(linesMax) };
  const line = value.findIndex((each) => typeof each !== 'object' || each === null || Array.isArray(each));
  return line === -1 ? undefined : { reason: 'FIELD_TYPE_WRONG', value: 'object', line };
}

/** How many legs a line says that it has; one that says none counts as one. */
function legsIn(line: object): number {
  return 'legs' in line && Array.isArray(line.legs) ? Math.max(1, line.legs.length) : 1;
}

/** Not zod's array, which would check every line, however many there are, and list what is wrong with each. */
const lines = z
  .unknown()
  .superRefine((transfers, context) => {
    const fault = linesFault(transfers);
    if (fault === undefined) return;
    const { reason, value, line } = fault;
    const path = line === undefined ? [] : [line];
    context.issues.push({ code: 'custom', input: transfers, path, ...because(reason, value) });
  })
  .meta({
    type: 'array',
    minItems: 1,
    maxItems: linesMax,
    items: { $ref: '#/components/schemas/AnyCommand' },
    description: 'Each as the body of a command of its own, with its type.',
  }) as unknown as z.ZodType<readonly object[]>;

const CreateBatch = z
  .strictObject({
    transfers: lines,
    atomic: z
      .boolean()
      .exactOptional()
      .meta({
        description: `If true, all orders are made and posted together, or none. Then at most ${atomicLinesMax} legs, and no \`executeAt\`.`,
      }),
  })
  .superRefine(({ transfers, atomic }, context) => {
    const legsMax = atomic === true ? batchLegsMax.together : batchLegsMax.each;
    if (transfers.reduce((sum, line) => sum + legsIn(line), 0) <= legsMax) return;
    const reason = because('FIELD_OUT_OF_RANGE', String(legsMax));
    context.issues.push({ code: 'custom', input: transfers, path: ['transfers'], ...reason });
  })
  .meta({
    id: 'CreateBatch',
    description: 'What to do, in many orders.',
    examples: [{ transfers: [createTransferExample] }],
  });

const lineExample = {
  code: catalogue.WALLET_NOT_FOUND.code,
  message: catalogue.WALLET_NOT_FOUND.message,
  reason: 'WALLET_NOT_FOUND',
  field: 'targetWalletId',
  value: null,
  fields: [],
} as const;

const RefusedLine = z
  .strictObject({
    code: z.string().meta({ description: 'What went wrong, in few kinds.' }),
    message: z.string().meta({ description: 'The symbolic name, or a sentence in the language of `X-LOCALE`.' }),
    reason: z.string().meta({ description: 'Why it went wrong: finer than the code.' }),
    field: z.string().nullable().meta({ description: 'The line’s field at fault; null if none is.' }),
    value: z.string().nullable().meta({ description: 'What helps to mend it; null if there is nothing.' }),
    fields: z
      .array(WrongField)
      .meta({ description: 'Where several of its fields are wrong, each with its reason; otherwise empty.' }),
  })
  .meta({
    id: 'RefusedLine',
    description: 'Why there is no order, as a create of its own would be answered.',
    examples: [lineExample],
  });

const AcceptedLine = z
  .strictObject({ order: Order.meta({ description: 'The order, new or known before.' }) })
  .meta({ id: 'AcceptedLine', description: 'The order of a line.' });

const Batch = z
  .strictObject({
    batchId: id.meta({ description: 'The id of this batch; of an atomic batch that is repeated, the first one’s.' }),
    items: z
      .array(z.union([AcceptedLine, RefusedLine]))
      .meta({ description: 'Of each line, in order: its order, or why there is none.' }),
  })
  .meta({ id: 'Batch', description: 'What became of the lines of a batch.' });

/** Many transfers in one request. Its signed request is recorded once, for all. */
export function batchRoute({ batches, waits, commandBodies, simulations, present }: RouteParts): ChangingRoute {
  function readLine(line: object, request: ApiRequest): BatchLine {
    try {
      return commandBodies.readTyped(line, request);
    } catch (error) {
      if (error instanceof ServiceError) return { refusal: error };
      throw error;
    }
  }

  return {
    scope: 'transfer:create',
    method: 'POST',
    path: '/api/v1/transfer/command/batch',
    bodyBytesMax,
    bodyValuesMax,
    operation: {
      id: 'createTransfers',
      tag: transfersTag,
      summary: 'Create many transfer orders, each for itself or all together',
      description: [
        `Takes up to ${linesMax} lines, each as the body of a command: that of a create, or of what its \`type\` says, with the scopes`,
        'of that command. A line that is refused keeps none of the others out: `items` has for each line its order or why there is',
        'none, in the order of the lines. The answer is a success even if every line was refused. With `atomic` all orders end',
        `COMPLETED, or none does. The lines have at most ${linesMax} legs together, of an atomic batch ${atomicLinesMax}; a line without legs`,
        'counts as one. A line refers to orders that were made before this request.',
        '',
        '**Repetition.** Safe if every line has a `bizId`: each order is made once. Each line counts as one request against the',
        'rate of the key, or each 4 KiB of the body if that is more.',
      ].join('\n'),
      body: CreateBatch,
      headers: waitHeaders.headers,
      answer: Batch,
      answerHeaders: {
        'Idempotent-Replayed': '`true` where every line has an order that was made before.',
        ...waitHeaders.answerHeaders,
      },
      errors: ['FIELD_OUT_OF_RANGE', ...loadErrors],
    },
    prepare: async (request) => {
      const { workspaceId, scopes, locale, timeLeftMs } = request;
      const caller = { workspaceId, scopes, apiKey: request.signedRequest.keyId };
      const { transfers, atomic = false } = parse(CreateBatch, request.body as object);
      await request.chargeRate(transfers.length);
      const inputs: BatchLine[] = [];
      let legs = 0;
      for (const line of transfers) {
        if (legs === 0) await request.bodyTurn();
        inputs.push(readLine(line, request));
        legs += legsIn(line);
        if (legs >= legsATurn) legs = 0;
      }
      return async () => {
        await simulations.refuse(
          workspaceId,
          inputs.flatMap(({ input }) => input ?? []),
        );
        const { batchId, items } = atomic
          ? await batches.acceptTogether(caller, inputs, timeLeftMs)
          : await batches.acceptEach(caller, inputs, timeLeftMs);
        const accepted = items.flatMap((item) => (item instanceof ServiceError ? [] : [item]));
        if (simulations.isAnswerLost(accepted)) return { data: null, isLost: true };
        const waited = await waits(
          accepted.map(({ order }) => order),
          request,
        );
        const orders = waited.orders.values();
        // Of a line that is refused it says what the envelope says of a request.
        const shown = items.map((item) =>
          item instanceof ServiceError
            ? { ...failureOf(item, locale), ...detailsOf(item) }
            : { order: present.order(orders.next().value ?? item.order) },
        );
        const isReplay = accepted.length === items.length && accepted.every((item) => item.isReplay);
        return { data: { batchId, items: shown }, headers: { ...replayedHeader(isReplay), ...waited.headers } };
      };
    },
  };
}
