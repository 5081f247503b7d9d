import { describe, expect, it } from 'vitest';
import { describeRefusedDocument } from '../../src/storage/shared/refused-document.ts';

const describeIt = (details?: object) =>
  describeRefusedDocument('Document failed validation', {
    collection: 'wallets',
    ids: ['wa_1'],
    errInfo: details && { failingDocumentId: 'wa_1', details },
  });

// As MongoDB 5.0 and later answer it. Source: MongoDB manual, "Schema Validation".
const wrongType = {
  operatorName: 'bsonType',
  specifiedAs: { bsonType: 'decimal' },
  reason: 'type did not match',
  consideredValue: '12.34',
  consideredType: 'string',
};
const inSchema = (...rules: object[]) => ({ operatorName: '$jsonSchema', schemaRulesNotSatisfied: rules });
const ofProperty = (propertyName: string, ...details: object[]) => ({
  operatorName: 'properties',
  propertiesNotSatisfied: [{ propertyName, details }],
});

describe('a document that a validator refuses', () => {
  it('is told with the first rule that it breaks, of the first of several schemas, and without its values', () => {
    const first = { index: 0, details: [ofProperty('balance', wrongType)] };
    const second = { index: 1, details: [ofProperty('kind', { operatorName: 'enum', reason: 'no' })] };
    const anyOf = inSchema({ operatorName: 'anyOf', schemasNotSatisfied: [first, second] });
    const both = { operatorName: '$and', clausesNotSatisfied: [{ index: 0, details: anyOf }] };
    const said = 'Document failed validation (wallets wa_1: balance: {"bsonType":"decimal"}, type did not match)';
    expect([describeIt(anyOf), describeIt(both)]).toEqual([said, said]);
  });

  it('is told with the place of what is nested, and with what is missing', () => {
    const missing = { operatorName: 'required', specifiedAs: { required: ['a', 'b'] }, missingProperties: ['b'] };
    const item = { operatorName: 'items', reason: 'one item did not match', itemIndex: 3, details: [missing] };
    expect(describeIt(inSchema(ofProperty('secrets', item)))).toContain('wa_1: secrets.3: b missing)');
  });

  it('is told by its id alone where the server does not say more, as one before 5.0', () => {
    expect(describeIt()).toBe('Document failed validation (wallets wa_1)');
  });
});
