import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const alertsFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.object({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

export type AlertRule = z.output<typeof alertsFile>['groups'][number]['rules'][number];

export async function readAlertRules(): Promise<AlertRule[]> {
  const text = await readFile(join(import.meta.dirname, '../../deploy/alerts.yml'), 'utf8');
  return alertsFile.parse(parse(text)).groups.flatMap((group) => group.rules);
}
